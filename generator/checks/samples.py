"""The truth contract for samples and near misses: what a signature shows is what its templates do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.checks.matching import Compiled, Wordings, lines_of, recognises
from generator.conditions import meets
from generator.issues import Path, Problem
from generator.parts import Sample, Signature
from generator.template import Template

_PUBLIC_ORIGINS = {"thread": "a public thread", "upstream_test": "an upstream test"}
_WORD_STEM = re.compile(r"(?<![^\W_])[^\W_]{3,4}")
_LONGEST_SHOWN = 80


def check(path: Path, signature: Signature, wordings: Wordings) -> Iterator[Problem]:
    """Check the samples and near misses of one signature, which stands at the path."""
    for place, written in enumerate(signature.wordings):
        for n, sample in enumerate(written.samples):
            yield from _check_origin((*path, "wordings", place, "samples", n), sample)
    for wording in wordings.compiled:
        here = (*path, *wording.path)
        written = signature.wordings[wording.place]
        for n, sample in enumerate(written.samples):
            yield from _check_sample((*here, "samples", n), sample, signature, wording.template)
        for n, text in enumerate(written.near_misses):
            yield from _check_near_miss((*here, "near_misses", n), text, signature, wording, wordings)
        if not any(_looks_alike(wording.template, text) for text in written.near_misses):
            yield Problem(
                path=(*here, "near_misses", 0),
                code="near-miss-unlike",
                message="no near miss has a word in common with the template",
                mend="Give a line that could be taken for this message: a reworded, shortened or related one.",
            )


def _check_origin(path: Path, sample: Sample) -> Iterator[Problem]:
    if sample.origin in _PUBLIC_ORIGINS and sample.reference is None:
        yield Problem(
            path=(*path, "origin"),
            code="sample-without-reference",
            message=f"the sample comes from {_PUBLIC_ORIGINS[sample.origin]}, and no reference says which",
            mend="Name it in `reference`.",
        )
    lines = lines_of(sample.text)
    if sample.match is None and len(lines) > 1:
        yield Problem(
            path=(*path, "text"),
            code="sample-without-match",
            message=f"the sample has {len(lines)} lines, and nothing says which one the template matches",
            mend="Copy that line into `match`.",
        )
    elif sample.match is not None and sample.match not in lines:
        yield Problem(
            path=(*path, "match"),
            code="match-not-in-sample",
            message="`match` is not one of the sample's lines",
            mend="Copy the whole line from `text`, blanks included.",
        )


def _check_sample(path: Path, sample: Sample, signature: Signature, template: Template) -> Iterator[Problem]:
    lines = (sample.match,) if sample.match is not None else lines_of(sample.text)
    if len(lines) != 1:
        return
    here = (*path, "text" if sample.match is None else "match")
    found = template.match(lines[0])
    if found is None:
        yield Problem(
            path=here,
            code="sample-not-matched",
            message=f"the template does not match this line{_mismatch(template, lines[0])}",
            mend="Correct the template, or give the line exactly as it is printed.",
        )
    elif signature.when is not None and meets(signature.when, found.named) is False:
        yield Problem(
            path=here,
            code="sample-not-counted",
            message="the template matches this line, but `when` does not hold for it",
            mend="Take a sample for which `when` holds, or correct `when`.",
        )


def _mismatch(template: Template, line: str) -> str:
    """Say which literal text the line lacks, if that is the reason."""
    missing = next((literal for literal in template.literals if literal not in line), None)
    if missing is None:
        return ": a placeholder finds something else"
    return f", which has no '{_short(missing)}'"


def _check_near_miss(
    path: Path, text: str, signature: Signature, wording: Compiled, wordings: Wordings
) -> Iterator[Problem]:
    for line in lines_of(text):
        for other in wordings.compiled:
            if recognises(signature, other.template, line):
                whose = "the template" if other is wording else f"the template of wording {other.place + 1}"
                yield Problem(
                    path=path,
                    code="near-miss-matched",
                    message=f"{whose} matches this near miss",
                    mend="Narrow the template, or move the line to the samples if it is the same message.",
                )
                return


def _looks_alike(template: Template, text: str) -> bool:
    """Tell whether a text shares a word with the template, up to its ending; without words, any fragment of it."""
    fragments = (*template.literals, *template.gate)
    stems = {stem.casefold() for fragment in fragments for stem in _WORD_STEM.findall(fragment)}
    if stems:
        return any(stem in text.casefold() for stem in stems)
    return any(fragment.strip() in text for fragment in fragments if fragment.strip())


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
