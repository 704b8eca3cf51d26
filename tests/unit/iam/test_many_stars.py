"""Patterns of very many wildcards: what was made to be slow is decided as quickly as anything else."""

from hypothesis import given
from hypothesis import strategies as st

from partywall.resolve.iam.globs import matches
from partywall.resolve.iam.witness import _solved

texts = st.text("ab", max_size=8)


def slowly(pattern: str, value: str) -> bool:
    """Decide by trying every length that a star can have."""
    if not pattern:
        return not value
    if pattern[0] == "*":
        return any(slowly(pattern[1:], value[length:]) for length in range(len(value) + 1))
    return bool(value) and pattern[0] in ("?", value[0]) and slowly(pattern[1:], value[1:])


@given(st.text("ab*?", max_size=8), texts)
def test_a_pattern_fits_what_trying_all_lengths_finds(pattern: str, value: str) -> None:
    assert matches(pattern, value) == slowly(pattern, value)


def test_a_thousand_stars_end() -> None:
    assert not matches("*a" * 1000 + "c", "ab" * 2000)
    assert not matches("?*" * 500 + "c", "ab" * 2000)
    assert list(_solved("${aws:username}" + "*a" * 1000 + "c", "ab" * 2000)) == []


@given(st.text("ab*?", min_size=9, max_size=12).filter(lambda text: text.count("*") > 4), texts)
def test_a_variable_before_many_stars_is_solved_whenever_it_can_be(rest: str, value: str) -> None:
    found = list(_solved(f"${{aws:username}}{rest}", value))

    assert bool(found) == slowly(f"*{rest}", value)
    assert all(slowly(rest, value.removeprefix(piece)) for _, piece in found)
