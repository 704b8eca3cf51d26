"""Wildcards of IAM: `*` and `?` only, and what two patterns have in common.

A `LITERAL_STAR` or `LITERAL_MARK` is a star or question mark that is not a wildcard: `${*}` in a policy, or one that a variable's value
brought in
(IAM user guide, "IAM policy elements: Variables and tags").
"""

import re
from collections.abc import Callable
from functools import lru_cache

LITERAL_STAR = "\ue000"
LITERAL_MARK = "\ue001"
_WILD = re.compile(r"[*?]")


def literal(value: str) -> str:
    """Protect the wildcards of a value that is meant as it is written."""
    return value.replace("*", LITERAL_STAR).replace("?", LITERAL_MARK)


@lru_cache(maxsize=65536)
def glob(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose `*` runs over everything."""
    return re.compile("".join(map(_piece, pattern)), re.DOTALL)


def _piece(char: str) -> str:
    match char:
        case "*":
            return ".*"
        case "?":
            return "."
        case "\ue000":
            return r"\*"
        case "\ue001":
            return r"\?"
        case _:
            return re.escape(char)


def is_wild(pattern: str) -> bool:
    """Tell whether a pattern holds a wildcard."""
    return _WILD.search(pattern) is not None


def matches(pattern: str, value: str) -> bool:
    """Tell whether a plain value fits a pattern."""
    if pattern == "*":
        return True
    return (
        glob(pattern).fullmatch(value) is not None if is_wild(pattern) or "\ue000" in pattern or "\ue001" in pattern else pattern == value
    )


@lru_cache(maxsize=262144)
def meets(pattern: str, region: str) -> bool:
    """Tell whether some text fits both patterns."""
    if not is_wild(region):
        return matches(pattern, region)
    if not is_wild(pattern):
        return matches(region, pattern)
    return _meets(pattern, region)


def _meets(left: str, right: str) -> bool:
    """Walk both patterns at once; a state is a pair of positions."""
    todo, seen = [(0, 0)], {(0, 0)}
    while todo:
        here, there = todo.pop()
        if here == len(left) and there == len(right):
            return True
        for state in _steps(left, here, right, there):
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return False


def _steps(left: str, here: int, right: str, there: int) -> list[tuple[int, int]]:
    mine = left[here] if here < len(left) else ""
    yours = right[there] if there < len(right) else ""
    if mine == "*":
        return [(here + 1, there), *([(here, there + 1)] if yours else [])]
    if yours == "*":
        return [(here, there + 1), *([(here + 1, there)] if mine else [])]
    if mine and yours and (mine == yours or mine == "?" or yours == "?"):
        return [(here + 1, there + 1)]
    return []


@lru_cache(maxsize=262144)
def covers(pattern: str, region: str) -> bool:
    """Tell whether every text that fits `region` fits `pattern`: the region's wildcards can only be met by the pattern's."""
    if not is_wild(region):
        return matches(pattern, region)
    if pattern in ("*", region):
        return True
    reached = {0}
    for char in region:
        reached = _after(pattern, _free(pattern, reached), char)
        if not reached:
            return False
    return len(pattern) in _free(pattern, reached)


def _free(pattern: str, places: set[int]) -> set[int]:
    found = set(places)
    for place in places:
        while place < len(pattern) and pattern[place] == "*":
            place += 1
            found.add(place)
    return found


def _after(pattern: str, places: set[int], char: str) -> set[int]:
    found: set[int] = set()
    for place in places:
        if place == len(pattern):
            continue
        mine = pattern[place]
        if mine == "*":
            found.add(place)
        elif char != "*" and (mine == char or mine == "?"):
            found.add(place + 1)
    return found


def arn_meets(pattern: str, region: str) -> bool:
    """Tell whether an ARN pattern and a region of ARNs have something in common.

    Six segments are compared one by one where both sides have them; a pattern with fewer (`*`, `arn:aws:s3*`) is compared as one text
    (IAM user guide, "IAM JSON policy elements: Resource").
    """
    return _by_segment(pattern, region, meets)


def arn_covers(pattern: str, region: str) -> bool:
    """Tell whether an ARN pattern takes in a whole region of ARNs."""
    return _by_segment(pattern, region, covers)


def _by_segment(pattern: str, region: str, test: Callable[[str, str], bool]) -> bool:
    mine, yours = pattern.split(":", 5), region.split(":", 5)
    if len(mine) == len(yours) == 6:
        return all(test(left, right) for left, right in zip(mine, yours, strict=True))
    return test(pattern, region)
