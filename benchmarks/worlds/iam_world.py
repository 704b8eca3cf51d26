"""The organization as partywall reads it, and questions about it."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from worlds.iam_estate import REGION, Estate, Resource, actions

from partywall.files.read import read
from partywall.model.facts import Facts
from partywall.model.facts_data import ResourcePolicy
from partywall.parse.everything import parse
from partywall.resolve.iam.actions import action as table_of
from partywall.resolve.iam.bulk import Block, Target
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Guard, Rights

SEED = 11


@dataclass(frozen=True, slots=True)
class World:
    """The organization as partywall reads it, and what is asked of it."""

    facts: Facts
    rights: tuple[Rights, ...]
    blocks: tuple[Block, ...]
    resources: tuple[tuple[Resource, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One cell: numbers of a principal, a block, an action and a target."""

    principal: int
    block: int
    action: int
    target: int


def world_of(made: Estate, folder: Path) -> World:
    """Read the organization and join policies with what they guard."""
    facts, gaps = parse(read(folder).documents)
    if gaps:
        raise RuntimeError(f"{len(gaps)} gaps, the first one: {gaps[0].what}")
    known = estate(facts)
    guards: dict[str, tuple[Grant, ...]] = {}
    for policy in facts.of(ResourcePolicy):
        arn = policy.resource if policy.resource.startswith("arn:") else f"arn:aws:s3:::{policy.resource}"
        guards[arn] = tuple(Grant(statement, policy) for statement in policy.policy.statements)
    blocks, rows = [], []
    shared: dict[tuple[str, str], Guard] = {}
    for service, names in actions().items():
        here = tuple(one for one in made.resources if service in _services(one))
        for one in here:
            if (service, one.policy_of) not in shared:
                shared[service, one.policy_of] = _guard(service, one, guards, known.rights)
        targets = tuple(_target(one, shared[service, one.policy_of]) for one in here)
        blocks.append(Block(tuple(name.lower() for name in names), targets))
        rows.append(here)
    return World(facts, tuple(known.rights.values()), tuple(blocks), tuple(rows))


def _target(one: Resource, guard: Guard) -> Target:
    return Target(one.arn, guard, {"aws:requestedregion": (REGION,)}, {"team": f"team{one.tenant}"})


def _services(one: Resource) -> tuple[str, ...]:
    return ("iam", "sts") if one.kind == "role" else (one.arn.split(":")[2],)


def _guard(service: str, one: Resource, guards: Mapping[str, tuple[Grant, ...]], rights: Mapping[str, Rights]) -> Guard:
    if service == "sts":
        principal = rights[one.arn].principal
        assert principal.trust is not None
        return Guard(one.account, tuple(Grant(statement, principal) for statement in principal.trust.statements), sole=True)
    return Guard(one.account, guards.get(one.policy_of, ()), sole=service == "kms")


def questions(world: World, count: int) -> list[Question]:
    """Draw questions that a request can put: a third among cells of the own tenant, where most are allowed, the others anywhere."""
    chance = random.Random(SEED)
    by_team: dict[str, list[int]] = {}
    for number, one in enumerate(world.rights):
        by_team.setdefault((one.principal.tags or {}).get("team", ""), []).append(number)
    found: list[Question] = []
    while len(found) < count:
        block = chance.randrange(len(world.blocks))
        here = world.blocks[block]
        target, action = chance.randrange(len(here.targets)), chance.randrange(len(here.actions))
        near = by_team[(here.targets[target].tags or {})["team"]] if len(found) % 3 == 0 else range(len(world.rights))
        if can_be_asked(here.actions[action], here.targets[target].arn):
            found.append(Question(chance.choice(near), block, action, target))
    return found


def can_be_asked(action: str, arn: str) -> bool:
    """Tell whether an action takes a resource: other programs refuse a question where it does not."""
    known = table_of(action)
    return known is not None and any(_kind(kind.arn).fullmatch(arn) for kind in known.types)


@lru_cache(maxsize=1024)
def _kind(pattern: str) -> re.Pattern[str]:
    """Return the expression for the ARNs of a resource type; every part but a bucket's name may hold slashes."""
    pieces = re.split(r"(\$\{[^}]*\})", pattern)
    return re.compile("".join(re.escape(one) if one[:2] != "${" else "[^/:]+" if one == "${BucketName}" else ".+" for one in pieces))
