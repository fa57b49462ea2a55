"""A signature's wordings as compiled templates, and which lines the signature recognises."""

from __future__ import annotations

from dataclasses import dataclass

from generator.conditions import meets
from generator.issues import Path
from generator.parts import Signature
from generator.template import Template, TemplateError, compile_template


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """One wording whose template compiles."""

    place: int
    template: Template

    @property
    def path(self) -> Path:
        """Where it stands below its signature."""
        return ("wordings", self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """A signature's wordings: those that compile, and what is wrong with the others."""

    compiled: tuple[Compiled, ...]
    errors: tuple[tuple[int, TemplateError], ...]

    @property
    def templates(self) -> tuple[Template, ...]:
        """The templates that compile."""
        return tuple(wording.template for wording in self.compiled)


def compile_wordings(signature: Signature) -> Wordings:
    """Compile every wording of a signature."""
    compiled, errors = [], []
    for place, wording in enumerate(signature.wordings):
        try:
            compiled.append(Compiled(place=place, template=compile_template(wording.template)))
        except TemplateError as error:
            errors.append((place, error))
    return Wordings(compiled=tuple(compiled), errors=tuple(errors))


def recognises(signature: Signature, template: Template, line: str) -> bool:
    """Tell whether a wording's template matches the line and the signature's condition holds; undecided is no."""
    found = template.match(line)
    return found is not None and (signature.when is None or meets(signature.when, found.named) is True)


def lines_of(text: str) -> tuple[str, ...]:
    r"""Split a log text into lines by line feeds alone, without carriage returns at their ends and the empty last one.

    >>> lines_of("a\r\nb\x0bc\n")
    ('a', 'b\x0bc')
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return tuple(lines[:-1] if lines[-1] == "" else lines)
