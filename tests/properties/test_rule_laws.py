"""The laws that hold for every rule of the pack, on small random worlds (STYLE)."""

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from partywall.engine.matrix import blindness, cells
from partywall.model.document import Direction, Gap, Reason
from partywall.model.report import CellState, Finding
from partywall.model.verbs import Lane
from partywall.packs import rules
from partywall.testing import Edge, all_findings, world
from tests.properties.small_worlds import TENANTS, Small, small_worlds

RULES = rules()
Claim = tuple[str, str, str, str, str]


def found(small: Small, *, edges: tuple[Edge, ...] | None = None, approved: tuple[Edge, ...] | None = None) -> list[Finding]:
    return all_findings(
        RULES, world(small.owners, small.edges if edges is None else edges, approved=small.approved if approved is None else approved)
    )


def claims(findings: Iterable[Finding]) -> set[Claim]:
    """Return what findings say: (rule, lane, cause, from, to)."""
    return {(f.rule, f.lane, f.cause.pointer, pair.source, pair.target) for f in findings for pair in f.pairs}


def reach(findings: Iterable[Finding]) -> set[tuple[str, str, str]]:
    """Return who crosses into whom in which lane, whatever the cause."""
    return {(f.lane, pair.source, pair.target) for f in findings for pair in f.pairs}


@given(small_worlds(), st.data())
def test_removing_an_edge_never_adds_a_crossing(small: Small, data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(small.edges) - 1))
    left = small.edges[:gone] + small.edges[gone + 1 :]

    without = claims(found(small, edges=left, approved=()))

    assert without <= claims(found(small, approved=()))


@given(small_worlds(), st.data())
def test_approving_an_edge_adds_a_crossing_only_for_whoever_comes_in_by_it(small: Small, data: st.DataObject) -> None:
    edge = data.draw(st.sampled_from(small.edges))
    before, after = found(small, approved=()), found(small, approved=(edge,))

    new = reach(after) - reach(before)

    if edge.kind.family.value != "becomes":
        assert new == set()
    else:
        assert all(source in TENANTS for _, source, _ in new)


@given(small_worlds(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(small: Small, random: Random) -> None:
    shuffled = list(small.edges)
    random.shuffle(shuffled)
    places = list(small.owners)
    random.shuffle(places)
    other = Small({place: small.owners[place] for place in places}, tuple(shuffled), small.approved)

    assert claims(found(other)) == claims(found(small))
    assert {(f.fingerprint, f.severity, f.verdict) for f in found(other)} == {(f.fingerprint, f.severity, f.verdict) for f in found(small)}


@given(small_worlds())
def test_the_names_of_the_tenants_do_not_matter(small: Small) -> None:
    renamed = dict(zip(TENANTS, ("zinnia", "mallow", "aster"), strict=True))

    def rename(text: str) -> str:
        for old, new in renamed.items():
            text = text.replace(old, new)
        return text

    other = Small({place: rename(owner) for place, owner in small.owners.items()}, small.edges, small.approved)

    told = {(rule, lane, cause, rename(a), rename(b)) for rule, lane, cause, a, b in claims(found(small))}
    assert claims(found(other)) == told


@given(small_worlds())
def test_every_finding_has_evidence_that_was_given(small: Small) -> None:
    given_places = {(at.document, at.pointer) for each in small.edges for at in each.because}

    for finding in found(small):
        places = {(place.document, place.pointer) for hop in finding.path for place in hop.evidence}
        assert finding.path
        assert places <= given_places
        assert (finding.cause.document, finding.cause.pointer) in given_places


@given(small_worlds(), st.data())
def test_a_gap_turns_clear_into_unknown_and_nothing_into_clear(small: Small, data: st.DataObject) -> None:
    made = world(small.owners, small.edges, approved=small.approved)
    findings = all_findings(RULES, made)
    lane = data.draw(st.sampled_from(list(Lane)))
    node = data.draw(st.sampled_from(made.nodes))
    direction = data.draw(st.sampled_from(list(Direction)))
    gap = Gap("test", "something", Reason.DENIED, direction, (node,), (lane,))
    every = frozenset(Lane)

    before = {(c.source, c.target, c.lane): c.state for c in cells(made, findings, blindness(made, [], every), every)}
    blind = blindness(made, [gap], every)
    after = {(c.source, c.target, c.lane): c.state for c in cells(made, findings, blind, every)}

    for key, state in after.items():
        assert state is before[key] or state is CellState.UNKNOWN
    if direction is Direction.EVERYWHERE:
        assert CellState.CLEAR not in {state for (_, _, of), state in after.items() if of == lane.value}
    for owner in (o for o in made.bound[made.index[node]].ownership.owners if direction is Direction.INCOMING):
        assert not any(state is CellState.CLEAR for (_, b, of), state in after.items() if b == owner and of == lane.value)
