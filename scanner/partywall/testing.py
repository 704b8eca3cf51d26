"""Small worlds for the tests of anybody's rules.

    EXEC = edge("group:speech", "create pods/exec", "ns:vision", lever=remove("vision/rolebindings.json", "/items/3"))
    (finding,) = findings(exec_into_foreign_pods, world({"group:speech": "speech", "ns:vision": "vision"}, (EXEC,)))

A node is written `KIND:NAME` and printed as written. Owners are written `A` (owned by A), `A+B` (shared by both), `A,B` (a scope over
things of both), `place`, `nobody`,
`outside`, `platform`, or `person:A+B` (a person in groups of both).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from partywall.contracts.difference import Difference as Drifted
from partywall.contracts.difference import Drift
from partywall.engine.ask import business, cases, disputed_things, people_of_several
from partywall.engine.drift import drift_findings
from partywall.engine.findings import Asked, contradictory, finding, plain_finding
from partywall.engine.loom import Ints, Loom
from partywall.engine.settle import ordered
from partywall.engine.world import Bound, World, assemble
from partywall.graph import crossings, recheck
from partywall.model.atom import Atom, Control
from partywall.model.edge import Certainty, Condition, Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.report import Finding
from partywall.model.residual import that
from partywall.model.rule import Rule
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM, Approval, Claim, ClaimSource, Ownership, Selector
from partywall.model.thing import Standing, Thing

KINDS: Mapping[str, Kind] = {
    "account": Kind.ACCOUNT,
    "admin": Kind.CLUSTER_ADMIN,
    "bucket": Kind.BUCKET,
    "capacity": Kind.CAPACITY,
    "group": Kind.GROUP,
    "internet": Kind.ANYONE,
    "key": Kind.KEY,
    "nodes": Kind.NODES,
    "ns": Kind.NAMESPACE,
    "person": Kind.PERSON,
    "place": Kind.ALL_AUTHENTICATED,
    "queue": Kind.QUEUE,
    "role": Kind.ROLE,
    "sa": Kind.SERVICE_ACCOUNT,
    "scope": Kind.NAMESPACES,
    "secret": Kind.SECRET,
    "slurm": Kind.SLURM_ACCOUNT,
    "user": Kind.OS_USER,
}
STARTS = frozenset({Kind.ACCOUNT, Kind.ANYONE, Kind.GROUP, Kind.NAMESPACE, Kind.PERSON, Kind.SLURM_ACCOUNT, Kind.OS_USER})
HERE = Evidence("test.json", "")


def node(spec: str) -> Node:
    """Return the node of `KIND:NAME`. Raises ValueError for a kind that is not in KINDS."""
    word, _, _ = spec.partition(":")
    if word not in KINDS:
        raise ValueError(f"{spec}: no such kind; choose from {', '.join(sorted(KINDS))}")
    return Node(KINDS[word], "", spec)


def remove(document: str, pointer: str, name: str = "") -> Lever:
    """Return the lever of a grant that stands at a place."""
    return Lever(Move.REMOVE, "grant", "", name or f"{document}#{pointer}", (Evidence(document, pointer),), f"remove {document}#{pointer}")


def condition(key: str, value: str, control: Control = Control.CALLER) -> Condition:
    """Return the condition that a key equals a value."""
    return Condition(that(Atom(key, "StringEquals", (value,), control)), f"{key} = {value}")


def edge(
    source: str,
    verb: str,
    target: str,
    *,
    lever: Lever | None = None,
    certainty: Certainty = Certainty.SURE,
    when: Condition | None = None,
    note: str = "",
) -> Edge:
    """Return an edge; with no lever given, it has one of its own. A condition makes it conditional."""
    lever = lever or remove("test.json", f"/{source}/{verb}/{target}")
    sure = Certainty.CONDITIONAL if when and certainty is Certainty.SURE else certainty
    return Edge(node(source), verb, node(target), (lever.places[0],), lever, sure, when, note)


def world(
    owners: Mapping[str, str],
    edges: Sequence[Edge] = (),
    *,
    approved: Sequence[Edge] = (),
    members: Sequence[tuple[str, str]] = (),
    disputed: Sequence[str] = (),
) -> World:
    """Return a small world.

    `approved` edges are approved for every tenant by every tenant; `members` are (person, group); `disputed` things are claimed by
    all their owners.
    """
    names = {node(spec): spec for spec in owners}
    tenants = tuple(sorted({name for said in owners.values() for name in _tenants(said)}))
    loom = Loom()
    for each in names:
        loom.number(each)
    belongs = [edge(person, "is member of", group) for person, group in members]
    segment = loom.segment([*edges, *belongs, *(Thing(each, HERE) for each in names)])

    def bind(nodes: Sequence[Node], things: Sequence[Thing], memberships: Sequence[tuple[Node, Node]]) -> list[Bound]:
        return [_bound(each, owners.get(each.name, NOBODY), each.name in disputed) for each in nodes]

    def approve(rows: Ints, nodes: Sequence[Node], bound: Sequence[Bound], things: Mapping[Node, Thing]) -> dict[int, tuple[Approval, ...]]:
        wanted = {(loom.nodes[e.source], loom.nodes[e.target], e.verb, e.lever.identity) for e in approved}
        out: dict[int, tuple[Approval, ...]] = {}
        for number, row in enumerate(rows.tolist()):
            lever = loom.lever_of[row[4]]
            for each in approved:
                if (row[0], row[1], each.verb, lever.identity) in wanted and each.lever.identity == lever.identity:
                    granters = bound[row[1]].ownership.owners
                    out[number] = tuple(
                        Approval(g, t, each.lane, (Selector((each.target.kind,), each.target.name),), None, g, HERE)
                        for g in granters
                        for t in tenants
                    )
        return out

    return replace(assemble(loom, [segment], tenants, bind, approve), labels=_as_written)


def _as_written(each: Node) -> str:
    return each.name


def _tenants(said: str) -> tuple[str, ...]:
    words = said.removeprefix("person:").replace(",", "+").split("+")
    return tuple(word for word in words if word and word not in ("place", NOBODY, OUTSIDE, PLATFORM))


def _bound(each: Node, said: str, disputed: bool) -> Bound:
    words = tuple(
        word for word in said.removeprefix("person:").replace(",", "+").split("+") if word and word not in ("place", NOBODY, OUTSIDE)
    )
    standing = {"place": Standing.PLACE, OUTSIDE: Standing.OUTSIDE, PLATFORM: Standing.PLATFORM}.get(
        said, Standing.SCOPE if "," in said else Standing.OWNED
    )
    claims = tuple(Claim((word,), Selector((each.kind,), each.name), HERE, ClaimSource.TENANTS) for word in words) if disputed else ()
    starts = each.kind in STARTS and standing is not Standing.SCOPE
    return Bound(
        Ownership(words, f"{each.name} is {said}", HERE, disputed=claims),
        standing,
        starts,
        words if starts else (),
        person=said.startswith("person"),
    )


def findings(rule: Rule, small: World) -> list[Finding]:
    """Return what one rule finds in a small world, in the order of a report."""
    return all_findings([rule], small)


def all_findings(rules: Iterable[Rule], small: World) -> list[Finding]:
    """Return what some rules find in a small world, in the order of a report."""
    crossed = recheck(small.columns, crossings(small.columns), contradictory(small))
    asked = Asked(small, crossed, lambda at: None)
    business_of = business(rules)
    found = [finding(asked, case, None) for case in cases(small, crossed, business_of)]
    plain = [
        plain_finding(asked, case)
        for case in (*people_of_several(small, business_of.people, {}), *disputed_things(small, business_of.disputes))
    ]
    return list(ordered([*found, *plain]))


def difference(tenant: str, field: str, approved: str, real: str, *, subject: str = "", text: str = "") -> Drifted:
    """Return a difference between a contract and reality."""
    return Drifted(
        tenant,
        "contracts/test.yaml",
        field,
        subject,
        Drift.DIFFERS,
        approved,
        real,
        text or f"{field} is {real}, approved is {approved}",
        HERE,
        (HERE,),
    )


def drifts(rule: Rule, differences: Iterable[Drifted]) -> list[Finding]:
    """Return what one drift rule makes of differences."""
    return list(ordered(drift_findings(differences, [rule], lambda at: None)))


__all__ = ["Edge", "all_findings", "condition", "difference", "drifts", "edge", "findings", "node", "remove", "world"]
