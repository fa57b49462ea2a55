"""Diagnoses and what is true -> figures, each a share with its Wilson interval, and the cases that failed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evaluation.corpora import Case

NEAR = 3
"""Lines within which evidence counts as found."""
_CALM = ("succeeded", "no_failure_found")


@dataclass(slots=True, kw_only=True)
class Share:
    """So many of so many."""

    hits: int = 0
    of: int = 0

    def add(self, hit: bool) -> None:
        """Count one more case."""
        self.hits += hit
        self.of += 1

    def __str__(self) -> str:
        """Say the share with its 95 % Wilson interval.

        >>> str(Share(hits=9, of=10))
        '9/10 = 90 % [60, 98]'
        """
        if not self.of:
            return "none"
        low, high = wilson(self.hits, self.of)
        return f"{self.hits}/{self.of} = {100 * self.hits / self.of:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Return the bounds of the Wilson interval, as shares."""
    share = hits / of
    centre = share + z * z / (2 * of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (centre - half) / (1 + z * z / of), (centre + half) / (1 + z * z / of)


@dataclass(slots=True, kw_only=True)
class JobScore:
    """How jobs with planted faults were diagnosed."""

    outcome: Share = field(default_factory=Share)
    rank: Share = field(default_factory=Share)
    """The right ranks, of the jobs that have guilty ones."""
    wrong: Share = field(default_factory=Share)
    """A wrong rank named, of all."""
    nobody: Share = field(default_factory=Share)
    """No rank named, of the jobs that have guilty ones."""
    evidence: Share = field(default_factory=Share)
    echo_first: Share = field(default_factory=Share)
    """A rank named that only echoes."""
    failures: list[str] = field(default_factory=list)

    def add(self, case: Case, diagnosis: dict[str, Any]) -> None:
        """Count one job."""
        truth, who = case.truth["truth"], diagnosis["who"]
        wanted, got = truth["outcome"], diagnosis["outcome"]
        self._count("outcome", case, got == wanted or (wanted not in ("failed", "cancelled") and got in _CALM), got)
        guilty, said = set(truth.get("initiating_ranks") or ()), set(who["ranks"])
        if wanted == "failed" and guilty:
            right = said == guilty or (who["all_ranks"] and len(guilty) > 1)
            self._count("rank", case, right, f"ranks {sorted(said)}, planted {sorted(guilty)}")
            self.nobody.add(not said)
            self.wrong.add(bool(said) and not right)
        elif wanted == "failed":
            self.wrong.add(bool(said) and not who["all_ranks"])
        if said and not who["all_ranks"]:
            self.echo_first.add(bool(said & set(truth.get("collateral_ranks") or ()) - guilty))
        spans = case.truth.get("evidence_lines") or []
        if spans and who["line"] is not None:
            near = any(s["file"] == who["file"] and abs(s["line"] - who["line"]) <= NEAR for s in spans)
            self._count("evidence", case, near, f"line {who['line']}")

    def _count(self, what: str, case: Case, hit: bool, got: str) -> None:
        share: Share = getattr(self, what)
        share.add(hit)
        if not hit:
            self.failures.append(f"{case.name}: {what}: {got}")


@dataclass(slots=True, kw_only=True)
class ThreadScore:
    """How excerpts of public threads were diagnosed, of those that an entry covers."""

    answered: Share = field(default_factory=Share)
    first: Share = field(default_factory=Share)
    among_three: Share = field(default_factory=Share)
    forbidden: Share = field(default_factory=Share)
    honest: Share = field(default_factory=Share)
    """Of the excerpts left open, those that their label allows to leave open."""
    alarms: Share = field(default_factory=Share)
    failures: list[str] = field(default_factory=list)

    def add(self, case: Case, diagnosis: dict[str, Any], known: Iterable[str]) -> None:
        """Count one excerpt."""
        label, slugs = case.truth, [entry["slug"] for entry in diagnosis["what"]["entries"]]
        if label["kind"] == "negative":
            alarm = bool(slugs) or diagnosis["outcome"] == "failed"
            self.alarms.add(alarm)
            if alarm:
                self.failures.append(f"{case.name}: reported {slugs[:1]}, though nothing failed")
            return
        if not set(known) & set(label["expect"]):
            return
        self.answered.add(bool(slugs))
        if not slugs:
            self.honest.add(bool(label["abstain_ok"]))
            if not label["abstain_ok"]:
                self.failures.append(f"{case.name}: left open, expected {label['expect'][0]}")
            return
        self.first.add(slugs[0] in label["expect"])
        self.among_three.add(bool(set(slugs[:3]) & {*label["expect"], *label["also_ok"]}))
        self.forbidden.add(slugs[0] in label["must_not"])
        if slugs[0] not in label["expect"]:
            self.failures.append(f"{case.name}: said {slugs[0]}, expected {label['expect'][0]}")
