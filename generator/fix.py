"""An entry's text -> the same entry in the schema's order, with the quotes, ids and line ends that it lacked.

Changes lines where they stand and nothing else: every comment stays, before the key it stood before, and so does each
choice of block or quote. (A library that writes a file anew would fold its lines as it likes.) No step may change what
the file says, but for the one value that it mends; one that would is not taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.issues import Path
from generator.load import Document, load
from generator.reading.naming import dotted
from generator.reading.tree import Span
from generator.validate import Schema, validate

_MOST = 500
"""Steps that one file takes at most."""
_ID = re.compile(r"MLFE-[0-9]{4}(?:-[0-9]{1,4})?", re.IGNORECASE)
_COMMENT = re.compile(r"^ *#|(?<=\s)#")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A file's text, and what was mended in it."""

    text: str
    told: tuple[str, ...]
    """In words: `line 12: quotes`, `order of keys in symptoms[0]`."""


def fix(text: str, file: str, schema: Schema) -> Fixed:
    """Mend a file; one whose YAML cannot be read stays as it is."""
    told: dict[str, None] = {}
    for step in (_line_ends, _ids, _quotes, _numbers, _order):
        for _ in range(_MOST):
            document = load(text.encode(), file)
            if document.data is None or document.issues:
                return Fixed(text=text, told=tuple(told))
            found = next(iter(step(document, schema)), None)
            if found is None:
                break
            text, what = found
            told[what] = None
    return Fixed(text=text, told=tuple(told))


Step = Iterator[tuple[str, str]]
"""The text as it would be, and what was mended."""


def _line_ends(document: Document, schema: Schema) -> Step:
    """Take blanks from the ends of lines and leave one line end at the end, but inside texts of several lines."""
    text = document.text.replace("\r\n", "\n")
    inside = {
        line
        for _, span in document.spans.values()
        if span.end_line > span.line
        for line in range(span.line, span.end_line + 1)
    }
    lines = text.rstrip("\n").split("\n")
    kept = [line if number in inside else line.rstrip(" \t") for number, line in enumerate(lines)]
    mended = "\n".join(kept) + "\n"
    if mended != document.text and _says_the_same(document, mended):
        yield mended, "blanks and line ends"


def _ids(document: Document, schema: Schema) -> Step:
    """Write ids in capitals."""
    for path, value in _values(document.data):
        if isinstance(value, str) and _ID.fullmatch(value) and value != value.upper() and _is_id(path):
            line, mended = _replaced(document, path, lambda old: old.upper())
            if mended is not None:
                yield mended, f"line {line}: {value.upper()} in capitals"


def _is_id(path: Path) -> bool:
    return path == ("id",) or path[-1] == "signature"


def _quotes(document: Document, schema: Schema) -> Step:
    """Put a text that YAML takes for a number or a truth value in quotes."""
    for problem in validate(document.data, schema):
        value = _at(document.data, problem.path)
        if problem.code != "wrong-type" or not isinstance(value, (int, float)):
            continue
        line, mended = _replaced(document, problem.path, lambda old: f"'{old}'")
        if mended is None:
            continue
        after = load(mended.encode(), document.file)
        if problem.path not in {other.path for other in validate(after.data, schema) if other.code == "wrong-type"}:
            yield mended, f"line {line}: quotes"


def _numbers(document: Document, schema: Schema) -> Step:
    """Give a signature the number that it lacks: the next that the entry has never had."""
    signatures = document.data.get("signatures")
    if not isinstance(signatures, list):
        return
    given = [s["k"] for s in signatures if isinstance(s, dict) and isinstance(s.get("k"), int)]
    for place, signature in enumerate(signatures):
        if not isinstance(signature, dict) or "k" in signature or ("signatures", place) not in document.spans:
            continue
        span = document.spans["signatures", place][1]
        lines = document.text.split("\n")
        line = lines[span.line]
        if line[: span.column].strip() != "-":
            continue
        number = max(given, default=0) + 1
        lines[span.line : span.line + 1] = [
            f"{line[: span.column]}k: {number}",
            " " * span.column + line[span.column :],
        ]
        yield "\n".join(lines), f"line {span.line + 1}: k: {number}"


def _order(document: Document, schema: Schema) -> Step:
    """Put the keys of the first mapping that has them in another order than the schema's into that order."""
    for path, value in _values(document.data):
        if not isinstance(value, dict):
            continue
        wanted = _ordered(value, _properties(schema.flat, path, value))
        if wanted == list(value):
            continue
        mended = _moved(document, path, list(value), wanted)
        if mended is not None and _says_the_same(document, mended):
            yield mended, f"order of keys in {dotted(path)}" if path else "order of keys"


def _ordered(value: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    place = {key: number for number, key in enumerate(known)}
    return sorted(value, key=lambda key: place.get(key, len(place)))


def _properties(flat: Mapping[str, Any], path: Path, value: Mapping[str, Any]) -> list[str]:
    """Return the keys that a mapping may have, in the schema's order; nothing where the schema leaves it open."""
    nodes: list[Mapping[str, Any]] = [flat]
    for step in path:
        inner: list[Mapping[str, Any]] = []
        for node in nodes:
            found = node.get("items") if isinstance(step, int) else node.get("properties", {}).get(step)
            if isinstance(found, dict):
                inner += [found, *(o for key in ("oneOf", "anyOf") for o in found.get(key, []) if isinstance(o, dict))]
        nodes = inner
    for node in nodes:
        if isinstance(node.get("properties"), dict) and set(value) <= set(node["properties"]):
            return list(node["properties"])
    return list(value)


def _moved(document: Document, path: Path, keys: Sequence[str], wanted: Sequence[str]) -> str | None:
    """Move the lines of a mapping's keys; None when they do not stand in lines of their own."""
    lines = document.text.split("\n")
    spans = [document.spans[(*path, key)][0] for key in keys]
    starts = [span for span in spans if span is not None]
    column = starts[0].column
    if len(starts) < len(keys) or {span.column for span in starts} != {column}:
        return None
    if len({span.line for span in starts}) < len(keys):
        return None
    first = lines[starts[0].line]
    if first[:column].strip() not in ("", "-") or any(lines[s.line][:column].strip() for s in starts[1:]):
        return None
    # What stands above the dash of an item belongs to the item, and what stands at the top to the file.
    begins = [_with_comments(lines, span.line, column) for span in starts]
    if not path or first[:column].strip() == "-":
        begins[0] = starts[0].line
    end = _end_of(lines, starts[-1].line, column)
    blocks = {key: lines[a:b] for key, a, b in zip(keys, begins, [*begins[1:], end], strict=True)}
    blocks[keys[0]][starts[0].line - begins[0]] = " " * column + first[column:]
    moved = [line for key in wanted for line in blocks[key]]
    place = _behind_comments(blocks[wanted[0]])
    moved[place] = first[:column] + moved[place][column:]
    return "\n".join([*lines[: begins[0]], *moved, *lines[end:]])


def _with_comments(lines: Sequence[str], line: int, column: int) -> int:
    """Return the first of the comment lines that stand right above a key and as far to the right."""
    while line and lines[line - 1].startswith(" " * column + "#"):
        line -= 1
    return line


def _behind_comments(block: Sequence[str]) -> int:
    """Return the place of the first line in a block that is no comment."""
    return next(place for place, line in enumerate(block) if not line.lstrip(" ").startswith("#"))


def _end_of(lines: Sequence[str], line: int, column: int) -> int:
    """Return the line behind the last key's value: the next one that holds something less to the right."""
    end = line + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip(" ")) > column):
        end += 1
    if column and end < len(lines) and lines[end].startswith(" " * column + "-"):  # a list may stand under its key
        return _end_of(lines, end, column)
    while not lines[end - 1].strip():
        end -= 1
    return end


def _replaced(document: Document, path: Path, change: Callable[[str], str]) -> tuple[int, str | None]:
    """Change a value that stands in one line; return its line, and the text, or None where it does not."""
    span: Span = document.spans[path][1]
    lines = document.text.split("\n")
    if span.end_line != span.line:
        return span.line + 1, None
    line = lines[span.line]
    lines[span.line] = line[: span.column] + change(line[span.column : span.end_column]) + line[span.end_column :]
    return span.line + 1, "\n".join(lines)


def _values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value with its path, the outer before the inner."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _values(one, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _says_the_same(document: Document, text: str) -> bool:
    """Whether a text says what the document says, comments included."""
    other = load(text.encode(), document.file)
    return not other.issues and other.data == document.data and comments(text) == comments(document.text)


def comments(text: str) -> Counter[str]:
    """Count the ends of lines that a comment may be, whatever stands before them."""
    found: Counter[str] = Counter()
    for line in text.split("\n"):
        begin = _COMMENT.search(line)
        if begin:
            found[line[line.index("#", begin.start()) :].rstrip()] += 1
    return found
