"""Prove a fix: move the lever, resolve again, and look at what closed, what stays and what opened."""

from collections.abc import Iterable
from dataclasses import dataclass

from partywall.engine.ask import Case
from partywall.engine.estate import Estate
from partywall.engine.world import World
from partywall.graph import Proof, Survey, proof, survey, touches_of


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """What moving one lever does, and the world after it."""

    proof: Proof
    after: World


def prove(estate: Estate, world: World, before: Survey, lever: int, cases: Iterable[Case]) -> dict[str, Proved]:
    """Return the proof of each case of one lever, by rule and lane; nothing where the lever says no change to the facts."""
    change = world.levers[lever].change
    if change is None:
        return {}
    after = estate.world_after(change)
    evaluated = survey(after.columns)
    return {
        key(case): Proved(proof(before, evaluated, set(touches_of(before, (row.number for row in case.rows)))), after) for case in cases
    }


def key(case: Case) -> str:
    """Name a case among those of one lever."""
    return f"{case.rule.id} {case.lane.value}"
