"""Wildcards of IAM: `*` and `?` only, and what two patterns have in common.

A `LITERAL_STAR` or `LITERAL_MARK` is a star or question mark that is not a wildcard: `${*}` in a policy, or one that a variable's value
brought in (IAM user guide, "IAM policy elements: Variables and tags"). A `PART_STAR` or `PART_MARK` is a wildcard that stays in its part of
an ARN: it stands for anything but a colon.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

LITERAL_STAR = "\ue000"
LITERAL_MARK = "\ue001"
PART_STAR = "\ue002"
PART_MARK = "\ue003"
_WILD = re.compile("[*?\ue002\ue003]")
_STARS = frozenset({"*", PART_STAR})
_MARKS = frozenset({"?", PART_MARK})
_COLON_FREE = frozenset({PART_STAR, PART_MARK})
_SPECIAL = re.compile(f"[*?{LITERAL_STAR}{LITERAL_MARK}{PART_STAR}{PART_MARK}]")


def literal(value: str) -> str:
    """Protect the wildcards of a value that is meant as it is written."""
    return value.replace("*", LITERAL_STAR).replace("?", LITERAL_MARK)


@lru_cache(maxsize=65536)
def glob(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose `*` runs over everything.

    Each text between two stars is taken where it first fits and never tried elsewhere (an atomic group): that decides the same, and no
    pattern takes more than its length times the value's.
    """
    first, *others = ("".join(map(_piece, text)) for text in pattern.split("*"))
    if not others:
        return re.compile(first, re.DOTALL)
    middle = "".join(f"(?>.*?{text})" for text in others[:-1] if text)
    return re.compile(f"{first}{middle}.*{others[-1]}", re.DOTALL)


def _piece(char: str) -> str:
    match char:
        case "?":
            return "."
        case "\ue000":
            return r"\*"
        case "\ue001":
            return r"\?"
        case "\ue002":
            return "[^:]*"
        case "\ue003":
            return "[^:]"
        case _:
            return re.escape(char)


def is_wild(pattern: str) -> bool:
    """Tell whether a pattern holds a wildcard."""
    return _WILD.search(pattern) is not None


def matches(pattern: str, value: str) -> bool:
    """Tell whether a plain value fits a pattern."""
    first = _SPECIAL.search(pattern)
    if first is None:
        return pattern == value
    # Most patterns end in their only wildcard: no expression needs to be made for those.
    if first.end() == len(pattern) and pattern[-1] == "*":
        return value.startswith(pattern[:-1])
    return glob(pattern).fullmatch(value) is not None


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
    found: list[tuple[int, int]] = []
    if mine in _STARS:
        found.append((here + 1, there))
    if yours in _STARS:
        found.append((here, there + 1))
    if mine and yours and _share(mine, yours):
        found.append((here if mine in _STARS else here + 1, there if yours in _STARS else there + 1))
    return found


def _share(mine: str, yours: str) -> bool:
    """Tell whether one character may stand at both places."""
    if mine in _STARS or mine in _MARKS:
        return not (mine in _COLON_FREE and yours == ":")
    if yours in _STARS or yours in _MARKS:
        return not (yours in _COLON_FREE and mine == ":")
    return mine == yours


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
        while place < len(pattern) and pattern[place] in _STARS:
            place += 1
            found.add(place)
    return found


def _after(pattern: str, places: set[int], char: str) -> set[int]:
    found: set[int] = set()
    for place in places:
        if place == len(pattern):
            continue
        mine = pattern[place]
        if mine in _STARS and _takes(mine, char):
            found.add(place)
        elif char not in _STARS and (mine == char or (mine in _MARKS and _takes(mine, char))):
            found.add(place + 1)
    return found


def _takes(mine: str, char: str) -> bool:
    """Tell whether a wildcard takes all that a character of a region stands for."""
    return mine not in _COLON_FREE or (char != ":" and (char in _COLON_FREE or char not in ("*", "?")))


@lru_cache(maxsize=262144)
def arn_pattern(pattern: str) -> str | None:
    """Return a resource pattern with the wildcards that stay in their part marked; None for one that IAM does not take.

    IAM user guide, "IAM JSON policy elements: Resource": a wildcard inside a part stays there, a `*` at the end of one runs on over colons,
    the sixth part is one whatever it holds, and the service has no wildcard.
    """
    if not pattern.strip("*"):
        return "*"
    parts = pattern.split(":", 5)
    if len(parts) < 3 or parts[0] != "arn" or _WILD.search(parts[2]):
        return None
    return ":".join([*map(_kept_inside, parts[:5]), *parts[5:]])


def _kept_inside(part: str) -> str:
    inside = part.replace("*", PART_STAR).replace("?", PART_MARK)
    return inside[:-1] + "*" if part.endswith("*") else inside


@lru_cache(maxsize=262144)
def arn_meets(pattern: str, region: str) -> bool:
    """Tell whether an ARN pattern and a region of ARNs have something in common."""
    mine = arn_pattern(pattern)
    return mine is not None and meets(mine, region)


@lru_cache(maxsize=262144)
def arn_covers(pattern: str, region: str) -> bool:
    """Tell whether an ARN pattern takes in a whole region of ARNs."""
    mine = arn_pattern(pattern)
    return mine is not None and covers(mine, region)


def shared_text(left: str, right: str) -> str | None:
    """Return a text that fits both patterns, or None."""
    todo: list[tuple[int, int, str]] = [(0, 0, "")]
    seen = {(0, 0)}
    while todo:
        here, there, text = todo.pop(0)
        if here == len(left) and there == len(right):
            return text
        for after, other, char in _together(left, here, right, there):
            if (after, other) not in seen:
                seen.add((after, other))
                todo.append((after, other, text + char))
    return None


def _together(left: str, here: int, right: str, there: int) -> Iterator[tuple[int, int, str]]:
    mine = left[here] if here < len(left) else ""
    yours = right[there] if there < len(right) else ""
    if mine == "*":
        yield here + 1, there, ""
    if yours == "*":
        yield here, there + 1, ""
    if mine == "*" and yours and yours != "*":
        yield here, there + 1, "z" if yours == "?" else yours
    if yours == "*" and mine and mine != "*":
        yield here + 1, there, "z" if mine == "?" else mine
    if mine and yours and "*" not in (mine, yours) and (mine == yours or "?" in (mine, yours)):
        yield here + 1, there + 1, ("z" if mine == "?" and yours == "?" else yours if mine == "?" else mine)
