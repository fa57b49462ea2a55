"""The real entries -> any number of synthetic ones: valid, of the same size and shape, no two alike.

Words change places within their field and every tenth or so is replaced by an invented one, so that texts neither
repeat each other nor compress like copies; code, numbers, links and templates' placeholders stay as they are.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import yaml

from generator.load import load
from generator.model import Entry
from generator.register import format_register, registration_of

_KEEP = re.compile(r"(`+[^`]*`+|\]\([^)\s]*\)|https://\S+|\{[^{}]*\}|\d[\w.,]*[\s-]+\w+|[A-Za-z]{3,})")
_WORD = re.compile(r"[A-Za-z]{3,}")
_UNITS = re.compile(
    r"(?:\w*seconds?|secs?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|percent|times|bytes?|cases?|reports?|users?"
    r"|incidents?|failures?|threads|half|most|majority|third|quarter|quarters|dozens|hundreds|thousands|millions"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)",
    re.IGNORECASE,
)
_PROSE = {
    "summary", "impact", "text", "check", "note", "observe", "normal_when", "mechanism", "condition",
    "no_known_fix", "say", "do", "ask", "expect_if_yes", "expect_if_no", "steps", "expect", "trade_off",
    "applies_to", "action", "why_not", "what", "one_gpu", "many_gpus", "recurs_when", "why", "why_not_run",
    "discriminator", "q", "a", "when",
}  # fmt: skip
_VERBATIM = {"samples", "code", "references", "wordings", "verified_on", "authors"}
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def synthesize(entries: Path, target: Path, count: int, seed: int = 1) -> None:
    """Write `count` synthetic entries and their register under target/entries, seeded."""
    originals = [load(path.read_bytes(), path.name).data for path in sorted(entries.glob("*/*.yaml"))]
    originals = [data for data in originals if data["status"] == "published"]
    rng = random.Random(seed)
    ids = rng.sample(range(1, 10_000), count)
    names: dict[str, None] = {}
    while len(names) < count:
        names[invented_word(rng)] = None
    registrations = []
    for number, (id_number, name) in enumerate(zip(ids, names, strict=True)):
        source = originals[number % len(originals)]
        data = _vary(source, f"MLFE-{id_number:04}", name, rng)
        slug = f"synthetic-{number}"
        path = target / "entries" / data["category"] / f"{slug}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8"
        )
        registrations.append(registration_of(Entry.from_raw(data, path.relative_to(target).as_posix())))
    (target / "entries/ids.lock").write_text(format_register(registrations), encoding="utf-8")


def invented_word(rng: random.Random) -> str:
    """Make up a word of three or four syllables."""
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.choice((3, 4))))


class _Dumper(yaml.CSafeDumper):
    """Writes no anchors: the loader refuses them."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _vary(source: dict[str, Any], id_: str, name: str, rng: random.Random) -> dict[str, Any]:
    old = source["id"]

    def walk(value: Any, key: str, verbatim: bool) -> Any:
        if isinstance(value, dict):
            return {
                k: walk(v, k, verbatim or k in _VERBATIM or (k == "when" and "say" in value)) for k, v in value.items()
            }
        if isinstance(value, list):
            return [walk(v, key, verbatim) for v in value]
        if isinstance(value, str):
            if value.startswith(old):
                return id_ + value.removeprefix(old)
            if key in _PROSE and not verbatim:
                return shuffle_words(value, rng)
        return value

    data: dict[str, Any] = walk(source, "", verbatim=False)
    data["title"] = f"{data['title'][:60].rstrip()} {name}"
    for dropped in ("relations", "aliases", "shares"):
        data.pop(dropped, None)
    for step in data.get("confirm", ()):
        step.pop("separates_from", None)
    _keep_own_signatures(data, id_)
    for wording in (w for s in data.get("signatures", ()) for w in s["wordings"]):
        _rename_literal(wording, name)
    if not data.get("signatures"):
        data["silent"] = True
    return data


def _keep_own_signatures(data: dict[str, Any], id_: str) -> None:
    for part in (*data.get("symptoms", ()), *data.get("monitor", ())):
        if not part.get("signature", id_).startswith(id_):
            del part["signature"]
            if "what" in part:
                part.setdefault("query", "up == 0")
    for example in data.get("examples", ()):
        expect = example.get("expect", {})
        if not expect.get("signature", id_).startswith(id_):
            example["expect"] = {"exit_code": 1}
    for signature in data.get("signatures", ()):
        for several in ("requires", "absent"):
            signature.pop(several, None)


def _rename_literal(wording: dict[str, Any], name: str) -> None:
    """Put the invented word behind a literal word of the template and of its samples."""
    template = wording["template"]
    outside = re.sub(r"\{[^{}]*\}", lambda m: " " * len(m.group()), template)
    words = sorted(set(_WORD.findall(outside)), key=lambda word: (-len(word), word))
    lines = [sample.get("match", sample["text"]) for sample in wording["samples"]]
    word = next(w for w in words if all(re.search(rf"\b{w}\b", line) for line in lines))

    def renamed(text: str) -> str:
        return re.sub(rf"\b{word}\b", f"{word}{name}", text)

    wording["template"] = "".join(
        part if place % 2 else renamed(part) for place, part in enumerate(re.split(r"(\{[^{}]*\})", template))
    )
    for sample in wording["samples"]:
        sample["text"] = renamed(sample["text"])
        if "match" in sample:
            sample["match"] = renamed(sample["match"])


def shuffle_words(text: str, rng: random.Random) -> str:
    """Let the words of a text change places, and invent some; keep its length nearly."""
    pieces = _KEEP.split(text)
    places = [i for i, piece in enumerate(pieces) if _WORD.fullmatch(piece) and not _UNITS.fullmatch(piece)]
    words = [pieces[i] for i in places]
    rng.shuffle(words)
    for place, word in zip(places, words, strict=True):
        pieces[place] = word if rng.random() < 0.9 else _invented(len(word), rng)
    return "".join(pieces)


def _invented(length: int, rng: random.Random) -> str:
    """Make up a word of this length that is no unit or numeral ("te" and "ne", cut short, are ten)."""
    while True:
        word = (invented_word(rng) * 3)[:length]
        if not _UNITS.fullmatch(word):
            return word
