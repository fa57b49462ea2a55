"""A log with known truth -> the same log damaged or dressed as another launcher would, and what may still be known.

Every mutation is a pure function of files, truth and seed. `same`: the answer must not move. `weaker`: the answer may
lose a part or all of itself, but must not turn into another one. Knows nothing of the engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from evaluation import changes
from evaluation.changes import Case, Change, LogFile, by_line, labelled, relayed, shows_cause

Relation = Literal["same", "weaker"]
WEAK = frozenset({"cut_off", "no_failure_found", "not_a_job_log"})
"""Outcomes that claim nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What an answer about the damaged log may say."""

    outcomes: frozenset[str]
    ranks: frozenset[int]
    """The only ranks that may be named; naming none is allowed too where the relation is `weaker`."""
    evidence_left: bool
    """Whether a line that shows the cause is still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutated:
    name: str
    files: tuple[LogFile, ...]
    relation: Relation
    allowed: Allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    name: str
    relation: Relation
    change: Change
    last: bool = False
    """It changes the encoding, so that no other mutation can come after it."""


def mutate(case: Case, mutation: Mutation, seed: int) -> Mutated:
    """Apply one mutation to every file of a case."""
    return chain(case, (mutation,), seed)


def chain(case: Case, mutations: tuple[Mutation, ...], seed: int) -> Mutated:
    """Apply several, those that change the encoding last; the weakest relation holds for all."""
    random = Random(seed)
    changed = case
    evidence_left = shows_cause(case)
    for mutation in sorted(mutations, key=lambda one: one.last):
        files = tuple(replace(file, data=mutation.change(file, changed, random)) for file in changed.files)
        changed = replace(changed, files=files)
        if not mutation.last:
            evidence_left = shows_cause(changed)
    relation: Relation = "weaker" if any(one.relation == "weaker" for one in mutations) else "same"
    return Mutated(
        name="+".join(one.name for one in mutations),
        files=changed.files,
        relation=relation,
        allowed=Allowed(
            outcomes=frozenset({case.outcome}) | (WEAK if relation == "weaker" else frozenset()),
            ranks=case.ranks,
            evidence_left=evidence_left,
        ),
    )


def draw(case: Case, seed: int) -> Mutated:
    """Draw one to three mutations by a seed and apply them; at most one of them changes the encoding."""
    random = Random(seed)
    plain = [one for one in MUTATIONS if not one.last]
    coded = [one for one in MUTATIONS if one.last]
    drawn = random.sample(plain, random.randint(1, 2))
    if random.random() < 0.3:
        drawn.append(random.choice(coded))
    return chain(case, tuple(drawn), random.getrandbits(32))


def broken(before: Mapping[str, Any], after: Mapping[str, Any], mutated: Mutated) -> tuple[str, ...]:
    """Compare the diagnoses of a log and of the damaged log, and say how the relation is broken; empty if it holds."""
    said: list[str] = []
    was, now = _claim(before), _claim(after)
    if mutated.relation == "same":
        said += [f"{part} was {was[part]}, is {now[part]}" for part in was if was[part] != now[part]]
        return tuple(said)
    noticed = now["slug"] in {told["slug"] for told in before["notices"]}
    if now["outcome"] not in mutated.allowed.outcomes | WEAK | {was["outcome"]} and not noticed:
        said.append(f"outcome was {was['outcome']}, is {now['outcome']}")
    if now["ranks"] and not (set(now["ranks"]) <= set(was["ranks"]) or set(now["ranks"]) <= mutated.allowed.ranks):
        said.append(f"names rank {now['ranks']}, was {was['ranks']}, planted {sorted(mutated.allowed.ranks)}")
    # What the whole log showed to be an echo may be all that is left of it.
    echoes = {told["kind"] for told in before["collateral"]}
    echoes |= {told["slug"] for told in (*before["secondary"], *before["notices"])}
    if now["slug"] not in {None, *echoes, *(entry["slug"] for entry in before["what"]["entries"])}:
        said.append(f"says {now['slug']}, said {was['slug']}")
    return tuple(said)


def _claim(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    entries = diagnosis["what"]["entries"]
    return {
        "outcome": diagnosis["outcome"],
        "ranks": sorted(diagnosis["who"]["ranks"]),
        "all_ranks": diagnosis["who"]["all_ranks"],
        "slug": entries[0]["slug"] if entries else None,
    }


MUTATIONS = (
    Mutation(name="tee", relation="same", change=changes.tee),
    Mutation(name="srun", relation="same", change=labelled(changes.srun)),
    Mutation(name="mpirun", relation="same", change=labelled(changes.mpirun)),
    Mutation(name="ray", relation="same", change=labelled(changes.actor)),
    Mutation(name="kubectl", relation="same", change=relayed(lambda node: b"[pod/trainer-%d/pytorch] " % node)),
    Mutation(name="pdsh", relation="same", change=relayed(lambda node: b"worker-%d: " % node)),
    Mutation(name="ansi", relation="same", change=by_line(changes.coloured)),
    Mutation(name="crlf", relation="same", change=changes.crlf),
    Mutation(name="bom", relation="same", change=changes.bom, last=True),
    Mutation(name="utf16", relation="same", change=changes.utf16, last=True),
    Mutation(name="shuffle", relation="weaker", change=changes.shuffled),
    Mutation(name="no_stamps", relation="weaker", change=by_line(changes.without_stamps)),
    Mutation(name="wrap", relation="weaker", change=changes.wrapped),
    Mutation(name="cut_head", relation="weaker", change=changes.cut_head),
    Mutation(name="cut_tail", relation="weaker", change=changes.cut_tail),
    Mutation(name="cut_last_40", relation="weaker", change=changes.kept(0, 0.6)),
    Mutation(name="without_guilty", relation="weaker", change=by_line(changes.without_guilty)),
    Mutation(name="without_launcher", relation="weaker", change=by_line(changes.without_launcher)),
    Mutation(name="rank_0", relation="weaker", change=by_line(changes.rank_0_alone)),
)
