"""The index of claims agrees with trying every claim on every node."""

from hypothesis import given
from hypothesis import strategies as st

from partywall.contracts.index import ClaimIndex
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Claim, ClaimSource, Selector

AT = Evidence("tenants.yaml", "")
PIECES = st.sampled_from(["a", "b", "ab", "*", "?", "/", "-", ":role/", "arn:aws:iam::1:role/", "role"])
NAMES = st.lists(PIECES, min_size=1, max_size=5).map("".join)
KINDS = st.sampled_from([Kind.ROLE, Kind.NAMESPACE])


def plain(name: str) -> str:
    return name.replace("*", "x").replace("?", "y")


@given(
    st.lists(st.tuples(KINDS, NAMES, st.sampled_from(["", "1", "*2"])), max_size=8),
    st.tuples(KINDS, NAMES.map(plain), st.sampled_from(["1", "12"])),
)
def test_the_index_finds_what_a_search_finds(written: list[tuple[Kind, str, str]], looked_for: tuple[Kind, str, str]) -> None:
    claims = [
        Claim((str(number),), Selector((kind,), name, scope), AT, ClaimSource.TENANTS) for number, (kind, name, scope) in enumerate(written)
    ]
    kind, name, scope = looked_for
    node = Node(kind, scope, name)

    found = ClaimIndex(claims).of(node)

    assert {claim.owners for claim in found} == {claim.owners for claim in claims if claim.selector.matches(node)}


def test_an_alias_is_one_more_name() -> None:
    claim = Claim(("a",), Selector((Kind.IDENTITY_GROUP,), "1111"), AT, ClaimSource.TENANTS)

    assert ClaimIndex([claim]).of(Node(Kind.IDENTITY_GROUP, "d-1", "team"), ("1111",)) == [claim]
