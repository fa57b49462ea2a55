"""The signatures and examples of an entry -> their cards.

Cuts each sample at the part that its template matches, so that a reader sees what to look for in a line of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.entry_page.links import Copy, Link
from generator.entry_page.lookup import Lookup, key_of, key_of_template
from generator.entry_page.phrases import Item, ours, own_code, own_text
from generator.entry_page.specimens import ExampleCard, SampleCard, SharedCard, SignatureCard, Signatures, WordingCard
from generator.parts import Example, Sample, Share, Signature, Wording
from generator.prose import plain_text
from generator.template import compile_template


def signatures(look: Lookup) -> Signatures | None:
    """Make a card of each line the entry owns and of each it shares; None when there is no line at all."""
    entry = look.entry
    cards = tuple(_card(look, signature) for signature in entry.signatures)
    shared = tuple(_shared(look, share) for share in entry.shares)
    gone = retired(look)
    return Signatures(cards=cards, shared=shared, retired=gone) if cards or shared or gone else None


def retired(look: Lookup) -> tuple[Link, ...]:
    """Link to the signatures that the register knows and the entry no longer has."""
    registration = look.catalog.register.get(look.entry.id)
    present = {signature.k for signature in look.entry.signatures}
    ids = (f"{look.entry.id}-{k}" for k in (registration.signatures if registration else ()) if k not in present)
    return tuple(Link(text=signature_id, address=f"#{signature_id.lower()}") for signature_id in ids)


def _card(look: Lookup, part: Signature) -> SignatureCard:
    signature_id = look.entry.signature_id(part)
    key = key_of(part)
    permanent = f"r/{look.entry.number}-{part.k}/"
    label = f"{signature_id}: {plain_text(look.entry.title)}"
    return SignatureCard(
        anchor=signature_id.lower(),
        id=signature_id,
        part=part,
        role=look.term("role", part.role),
        specificity=look.term("specificity", part.specificity),
        place=look.term("signature_place", part.where),
        search_key=key,
        wordings=tuple(_wording(look, wording) for wording in part.wordings),
        conditions=_conditions(look, part),
        copies=(
            Copy(label="Copy text", text=key),
            Copy(label="Copy link", text="{url}", address=permanent),
            Copy(label="Copy Markdown", text=f"[{markdown_label(label)}]({{url}})", address=permanent),
        ),
        also=tuple(
            look.entry_link(other.slug)
            for other in look.catalog.sharers.get(signature_id, ())
            if other.status == "published"
        ),
    )


def _wording(look: Lookup, wording: Wording) -> WordingCard:
    source = wording.provenance
    line = f", line {source.line}" if source.line else ""
    url = next((reference.url for reference in look.entry.references if reference.id == source.reference), "")
    return WordingCard(
        search_key=key_of_template(wording.template),
        versions=wording.versions or "",
        source=Link(text=f"{source.project}, {source.path}{line}, {source.version}", address=url),
        reference=look.source_link(source.reference),
        samples=tuple(_sample(look, wording.template, sample) for sample in wording.samples),
        near_misses=wording.near_misses,
    )


def _sample(look: Lookup, template: str, sample: Sample) -> SampleCard:
    """Cut a sample at the matched part, or leave it whole where the line does not stand in the text as it is."""
    text = sample.text.rstrip("\n")
    span = compile_template(template).span(sample.line)
    start = text.find(sample.line)
    begin, end = (start + span[0], start + span[1]) if span and start >= 0 else (0, 0)
    return SampleCard(
        before=text[:begin],
        matched=text[begin:end],
        after=text[end:],
        origin=look.term("sample_origin", sample.origin),
        reference=look.source_link(sample.reference) if sample.reference else None,
    )


def _shared(look: Lookup, share: Share) -> SharedCard:
    owner = look.catalog.signatures.get(share.signature)
    return SharedCard(
        anchor=f"shares-{share.signature.lower()}",
        search_key=look.search_key(share.signature),
        signature=look.signature_link(share.signature),
        owner=look.entry_link(owner[0].slug) if owner else Link(text=share.signature.rpartition("-")[0], address=""),
        part=share,
        conditions=tuple(look.neighbour(neighbour) for neighbour in share.requires),
    )


def _conditions(look: Lookup, part: Signature) -> tuple[Item, ...]:
    """Say in words what must hold beside the line itself."""
    when = (
        (ours("Counts only when"), own_code(capture), ours(f"is {_accepted(accepted)}."))
        for capture, accepted in (part.when or {}).items()
    )
    return (
        *when,
        *(look.neighbour(neighbour) for neighbour in part.requires),
        *(look.neighbour(neighbour, absent=True) for neighbour in part.absent),
    )


def _accepted(accepted: list[Any] | Mapping[str, int]) -> str:
    """Say which values are accepted.

    >>> _accepted([48, 63]), _accepted({"min": 1}), _accepted({"min": 1, "max": 9})
    ('48 or 63', 'at least 1', 'at least 1 and at most 9')
    """
    if isinstance(accepted, Mapping):
        limits = (("min", "at least"), ("max", "at most"))
        return " and ".join(f"{words} {accepted[limit]}" for limit, words in limits if limit in accepted)
    return " or ".join(str(value) for value in accepted)


def examples(look: Lookup) -> tuple[ExampleCard, ...] | None:
    """Make a card of each example, with what running it must show."""
    return (
        tuple(
            ExampleCard(
                anchor=f"example-{part.id}",
                name=look.name(part.id),
                part=part,
                kind=look.term("example_kind", part.kind),
                run=look.term("example_run", part.run),
                outcome=_outcome(look, part),
            )
            for part in look.entry.examples
        )
        or None
    )


def _outcome(look: Lookup, part: Example) -> tuple[Item, ...]:
    expect = part.expect
    if expect is None:
        return ()
    rows: list[Item] = []
    if expect.signature:
        link = look.signature_link(expect.signature)
        rows.append((ours("prints the signature"), own_text(link.text, link.address)))
    if expect.no_signature:
        rows.append((ours("prints no signature of this page"),))
    if expect.stdout is not None:
        rows.append((ours("prints"), own_code(expect.stdout.strip())))
    if expect.exit_code is not None:
        rows.append((ours(f"ends with exit code {expect.exit_code}"),))
    return tuple(rows)


def markdown_label(text: str) -> str:
    r"""Escape a text for the square brackets of a Markdown link.

    >>> markdown_label("a [b] `c`")
    'a \\[b\\] \\`c\\`'
    """
    return "".join(f"\\{sign}" if sign in "\\[]`*_<" else sign for sign in text)
