"""Small random worlds for the laws that hold for every rule."""

from dataclasses import dataclass

from hypothesis import strategies as st

from partywall.model.edge import Certainty
from partywall.model.verbs import VERBS, Family
from partywall.testing import Edge, condition, edge, remove

TENANTS = ("ash", "birch", "cedar")
OWNERS = (*TENANTS, "ash+birch", "ash,birch", "birch,cedar,platform", "place", "nobody", "outside", "platform")
PLACES = (
    "group:a",
    "group:b",
    "ns:a",
    "ns:b",
    "ns:c",
    "sa:a",
    "role:a",
    "role:b",
    "bucket:a",
    "bucket:b",
    "admin:x",
    "nodes:x",
    "internet:x",
)
VERB_NAMES = tuple(name for name, verb in VERBS.items() if not verb.residual)
BECOMES = tuple(name for name in VERB_NAMES if VERBS[name].family is Family.BECOMES and name != "is member of")
MAY = tuple(name for name in VERB_NAMES if VERBS[name].family is Family.MAY)


@dataclass(frozen=True, slots=True)
class Small:
    """A world as its parts, so that a law can change one of them."""

    owners: dict[str, str]
    edges: tuple[Edge, ...]
    approved: tuple[Edge, ...]


@st.composite
def small_worlds(draw: st.DrawFn) -> Small:
    """Draw owners for all places, up to ten edges over all verbs, and the approval of some of them."""
    owners = {place: draw(st.sampled_from(OWNERS)) for place in PLACES} | {"internet:x": "outside"}
    edges = tuple(draw(st.lists(_edges(), min_size=1, max_size=10)))
    approved = tuple(each for each in edges if draw(st.integers(0, 4)) == 0)
    return Small(owners, edges, approved)


@st.composite
def _edges(draw: st.DrawFn) -> Edge:
    source, target = draw(st.sampled_from(PLACES)), draw(st.sampled_from(PLACES))
    verb = draw(st.sampled_from(BECOMES if draw(st.booleans()) else MAY))
    lever = remove("test.json", f"/{draw(st.integers(0, 5))}") if draw(st.booleans()) else None
    certainty = draw(st.sampled_from((Certainty.SURE, Certainty.SURE, Certainty.UNKNOWN)))
    when = condition("aws:PrincipalTag/team", draw(st.sampled_from(TENANTS))) if draw(st.integers(0, 3)) == 0 else None
    return edge(source, verb, target, lever=lever, certainty=certainty, when=when)
