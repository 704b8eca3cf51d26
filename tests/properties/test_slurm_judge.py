"""Who runs in which partition, against a slow and obvious judge that tries every job of every user in every world that is possible."""

from dataclasses import dataclass, replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from partywall.model.document import Direction, Document, Gap
from partywall.model.edge import Certainty, Edge
from partywall.model.node import Kind, Node
from partywall.resolve import Resolved
from tests.unit.slurm_words import associations, config, document, partition, partitions, resolved

ACCOUNTS = ("ax", "by", "cz")
USERS = ("ana", "bo", "cy")
VERSIONS = ("22.05.8", "24.11.5", "")
ENFORCED = ("none", "associations", "limits", "qos", "associations,limits,qos,safe", None)
FULL = ("associations", "qos")


@dataclass(frozen=True)
class Gate:
    """A partition as it is written."""

    allow: tuple[str, ...]
    deny: tuple[str, ...]
    qos: tuple[str, ...]
    root_only: bool
    reserved: bool


@dataclass(frozen=True)
class Small:
    """A small cluster: the account above each, who is in which with which QOS, one reservation."""

    version: str
    enforce: str | None
    listed: bool
    parents: tuple[str, ...]
    members: frozenset[tuple[str, str, str]]
    gates: tuple[Gate, ...]
    for_users: tuple[str, ...]
    for_accounts: tuple[str, ...]


names = st.lists(st.sampled_from((*ACCOUNTS, "ghost", "AX", "root")), max_size=2, unique=True).map(tuple)
gates = st.builds(
    Gate,
    names,
    st.one_of(st.just(()), names),
    st.one_of(st.just(()), st.just(("high",)), st.just(("normal", "high"))),
    st.sampled_from((False, False, False, True)),
    st.sampled_from((False, False, False, True)),
)
members = st.frozensets(st.tuples(st.sampled_from(USERS), st.sampled_from(ACCOUNTS), st.sampled_from(("normal", "high"))), max_size=4)
small = st.builds(
    Small,
    st.sampled_from(VERSIONS),
    st.sampled_from(ENFORCED),
    st.sampled_from((True, True, True, False)),
    st.tuples(st.just("root"), st.sampled_from(("root", "ax")), st.sampled_from(("root", "ax", "by"))),
    members,
    st.lists(gates, min_size=1, max_size=2).map(tuple),
    st.lists(st.sampled_from(USERS), max_size=1).map(tuple),
    st.just(()),
)
others = st.builds(lambda here, account: replace(here, for_users=(), for_accounts=(account,)), small, st.sampled_from(ACCOUNTS))
worlds = st.one_of(small, others)


# --- the judge


@dataclass(frozen=True)
class World:
    newer: bool
    associations: bool
    qos: bool
    ghosts: frozenset[str]


def possible(here: Small) -> list[World]:
    """Every way in which what the documents leave out may be."""
    newer = [here.version >= "23.02"] if here.version else [True, False]
    told = here.enforce
    enforced = [(True, True), (True, False), (False, False)] if told is None else [(told != "none", "qos" in told)]
    real = {"root", *ACCOUNTS}
    seen = real if here.listed else set()
    written = {name.lower() for gate in here.gates for name in (*gate.allow, *gate.deny)} - seen
    missing = [frozenset[str](real)] if here.listed else [frozenset(set(written)), frozenset[str]()]
    return [World(new, one, two, exist) for new, (one, two), exist in product(newer, enforced, missing)]


def runs(here: Small, world: World, user: str, account: str, qos: str, gate: Gate) -> bool:
    """Whether one job of one user runs, asked gate by gate."""
    if gate.root_only:
        return False
    above = [account]
    while above[-1] in ACCOUNTS:
        above.append(here.parents[ACCOUNTS.index(above[-1])])
    if gate.reserved and user not in here.for_users and not set(here.for_accounts) & set(above):
        return False
    names_of = gate.allow or gate.deny
    counts = bool(names_of) and (not world.newer or (world.associations and any(name.lower() in world.ghosts for name in names_of)))
    if counts:
        mine = set(above) if world.newer else {account}
        if bool(mine & {name.lower() for name in names_of}) != bool(gate.allow):
            return False
    return not gate.qos or qos in gate.qos


def jobs(here: Small, world: World) -> list[tuple[str, str, str]]:
    """Every job that could be submitted: user, account, QOS."""
    found = [(user, account, qos) for user, account, qos in here.members]
    if not world.qos:
        found += [(user, account, other) for user, account, _ in here.members for other in ("normal", "high")]
    if not world.associations:
        found += [(user, "", qos) for user in USERS if user not in {one for one, _, _ in here.members} for qos in ("normal", "high")]
    return found


# --- both sides, in one form

Job = tuple[str, str, str]  # user, account, partition


def documents(here: Small) -> list[Document]:
    rows = ["Account|User|ParentName|QOS", "root|||normal", "root|root||normal"]
    rows += [f"{name}||{parent}|normal" for name, parent in zip(ACCOUNTS, here.parents, strict=True)]
    by_row: dict[tuple[str, str], list[str]] = {}
    for user, account, qos in sorted(here.members):
        by_row.setdefault((account, user), []).append(qos)
    rows += [f"{account}|{user}||{','.join(qos)}" for (account, user), qos in by_row.items()]
    shown = [
        partition(
            f"p{number}",
            AllowAccounts=",".join(gate.allow) or ("ALL" if not gate.deny else ""),
            DenyAccounts=",".join(gate.deny) if not gate.allow else "",
            AllowQos=",".join(gate.qos) or "ALL",
            RootOnly="YES" if gate.root_only else "NO",
            ReqResv="YES" if gate.reserved else "NO",
            Nodes=f"n{number}",
        )
        for number, gate in enumerate(here.gates)
    ]
    users, accounts = (",".join(who) or "(null)" for who in (here.for_users, here.for_accounts))
    reserved = f"ReservationName=r StartTime=x Nodes=n[0-9] Users={users} Accounts={accounts}"
    found = [partitions(*shown), document("scontrol-show-reservation", reserved)]
    if here.enforce is not None:
        found.append(config(version=here.version, enforce=here.enforce))
    elif here.version:
        found.append(document("sacctmgr-show-config", f"Configuration data as of x\nSLURM_VERSION          = {here.version}\n"))
    return [*found, associations("\n".join(rows))] if here.listed else found


def covered(here: Small, found: list[Resolved], certainty: Certainty) -> set[Job]:
    """The jobs that our edges let in, at least as surely."""
    everyone = {(user, account, f"p{n}") for user, account in people(here) for n in range(len(here.gates))}
    ways = [edge for edge in found if isinstance(edge, Edge) and edge.target.kind is Kind.PARTITION and edge.certainty <= certainty]
    return {job for job in everyone if any(edge.target.name == job[2] and holds(edge.source, job) for edge in ways)}


def holds(source: Node, job: Job) -> bool:
    match source.kind:
        case Kind.LOGIN_NODE:
            return True
        case Kind.SLURM_ACCOUNT:
            return source.name == job[1]
        case _:
            return source.name == job[0]


def people(here: Small) -> set[tuple[str, str]]:
    """Every user with every account of the user's; without any, with none."""
    mine = {(user, account) for user, account, _ in here.members}
    return mine | {(user, "") for user in USERS if user not in {one for one, _ in mine}}


def judged(here: Small, world: World) -> set[Job]:
    return {
        (user, account, f"p{number}")
        for user, account, qos in jobs(here, world)
        for number, gate in enumerate(here.gates)
        if runs(here, world, user, account, qos, gate)
    }


def unfounded(edge: Edge, answers: list[set[Job]]) -> bool:
    """Whether in some world none of those for whom a sure edge speaks gets in."""
    return any(not any(job[2] == edge.target.name and holds(edge.source, job) for job in answer) for answer in answers)


@given(worlds)
def test_partitions_are_reached_as_the_slow_judge_says(here: Small) -> None:
    named = tuple(f"user:{user}" for user in USERS) + tuple(f"account:{name}" for name in ACCOUNTS)
    found = resolved(*documents(here), named=named)
    answers = [judged(here, world) for world in possible(here)]
    maybe, sure = set.union(*answers), set.intersection(*answers)
    asked = {node.name for gap in found if isinstance(gap, Gap) and gap.direction is Direction.INCOMING for node in gap.nodes}
    silent = {job for job in maybe - covered(here, found, Certainty.UNKNOWN) if job[2] not in asked}

    assert not silent, "what may run is an edge or in question"
    if not here.listed:
        return
    staffed = {account for _, account, _ in here.members}
    for edge in (
        each for each in found if isinstance(each, Edge) and each.target.kind is Kind.PARTITION and each.certainty is Certainty.SURE
    ):
        # An account without members, and a cluster without any, is open all the same to those who join.
        if staffed and (edge.source.kind is not Kind.SLURM_ACCOUNT or edge.source.name in staffed):
            assert not unfounded(edge, answers), (str(edge.source), edge.note)
    if len(answers) == 1:
        assert not sure - covered(here, found, Certainty.SURE), "what is known is sure"
        assert "p0" not in asked
