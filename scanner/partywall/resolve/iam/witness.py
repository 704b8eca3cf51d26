"""Contexts that make a residual condition hold, and contexts that make it fail: none of the one kind means it is no condition at all.

A residual speaks of a few keys, and its atoms tell few values of a key apart: each key is tried with one value for each way in which its
atoms can come out together. Keys that a policy variable ties together are tried together. Only where all of that was tried is "never" or
"always" said; else the residual stays as it is.
"""

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import TypeAlias

from partywall.model.atom import Atom
from partywall.model.residual import FALSE, TRUE, Residual, Shape, decided
from partywall.resolve.iam.comparing import FITS, holds, keys_of
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, is_wild, matches, shared_text
from partywall.resolve.iam.operators import moment, number
from partywall.resolve.iam.variables import VARIABLE

Values: TypeAlias = tuple[str, ...]
MOST_TRIES = 4096
_FRESH = "zz-another-value"
_OTHERS = (_FRESH, "another-value", "0-another-value")
# A search with so many stars is quick whatever it tries; with more, it must not try all.
_MANY_STARS = 4


@dataclass(frozen=True, slots=True)
class Witnesses:
    """A context under which a residual holds, and one under which it does not; None where none was found. `complete`: all was tried."""

    holds: Mapping[str, Values] | None
    fails: Mapping[str, Values] | None
    complete: bool


def settled(residual: Residual, context: Context) -> Residual:
    """Return a residual, or the constant that it amounts to."""
    if residual.shape in (Shape.TRUE, Shape.FALSE):
        return residual
    found = witnesses(residual, context)
    if not found.complete or (found.holds is not None and found.fails is not None):
        return residual
    return FALSE if found.holds is None else TRUE


def witnesses(residual: Residual, context: Context) -> Witnesses:
    """Look for a context in which a residual holds and for one in which it fails; keys have their lower-case names, absent ones no values.

    What could not be evaluated may come out either way, each by itself.
    """
    keys = tuple(sorted({key for atom in residual.atoms for key in keys_of(atom)}))
    return _witnesses(residual, tuple((key, context.value(key)) for key in keys))


@lru_cache(maxsize=65536)
def _witnesses(residual: Residual, known: tuple[tuple[str, Value], ...]) -> Witnesses:
    fixed: dict[str, Value] = {key: value for key, value in known if isinstance(value, tuple)}
    open_ = {key: value for key, value in known if not isinstance(value, tuple)}
    pools = _pools(residual.atoms, open_, fixed)
    search = _Search(residual, pools, fixed)
    search.run()
    return Witnesses(search.found.get(True), search.found.get(False), search.tries < MOST_TRIES and pools.complete)


@dataclass(slots=True)
class _Pools:
    """The values to try of each key, and whether they tell apart all that the atoms can."""

    of: dict[str, list[Values]]
    tied: frozenset[str]
    complete: bool


class _Search:
    """Assign key after key; a branch ends where the formula is decided."""

    def __init__(self, residual: Residual, pools: _Pools, fixed: Mapping[str, Value]) -> None:
        self.residual, self.pools, self.fixed = residual, pools, fixed
        self.found: dict[bool, dict[str, Values]] = {}
        self.tries = 0

    def run(self) -> None:
        self._step(self.residual, {})

    def _step(self, left: Residual, chosen: dict[str, Values]) -> None:
        if left.shape in (Shape.TRUE, Shape.FALSE):
            self.found.setdefault(left is TRUE, {**dict.fromkeys(self.pools.of, ()), **chosen})
            return
        if len(self.found) == 2 or self.tries >= MOST_TRIES:
            return
        key = next((key for atom in left.atoms for key in keys_of(atom) if key in self.pools.of and key not in chosen), None)
        if key is None:
            self._branch(left, chosen)
            return
        seen: set[int] = set()
        for values in self.pools.of[key]:
            self.tries += 1
            now = {**chosen, key: values}
            after = self._decided(left, now)
            if key not in self.pools.tied:
                if id(after) in seen:
                    continue
                seen.add(id(after))
            self._step(after, now)

    def _branch(self, left: Residual, chosen: dict[str, Values]) -> None:
        """Let an atom that no context decides come out either way."""
        atom = left.atoms[0]
        for truth in (True, False):
            self.tries += 1
            self._step(decided(left, {atom: truth}.get), chosen)

    def _decided(self, left: Residual, chosen: Mapping[str, Values]) -> Residual:
        ready = self.fixed.keys() | chosen.keys()
        context = Context({**self.fixed, **chosen})
        return decided(left, lambda atom: holds(atom, context) if ready >= set(keys_of(atom)) else None)


def _pools(atoms: Iterable[Atom], open_: Mapping[str, Value], fixed: Mapping[str, Value]) -> _Pools:
    atoms = tuple(atoms)
    singles: dict[str, dict[str, None]] = {key: {} for key in open_}
    tied: set[str] = set()
    for atom in atoms:
        keys = [key for key in keys_of(atom) if key in open_]
        if len(keys) > 1:
            tied.update(keys)
        for key in keys:
            singles[key].update(dict.fromkeys(_suggested(atom, key)))
    for _ in range(2):
        _exchange(atoms, singles, fixed)
    multi = {atom.key.lower() for atom in atoms if atom.operator.lower().startswith("for")}
    complete = True
    of: dict[str, list[Values]] = {}
    for key, found in singles.items():
        asking = [atom for atom in atoms if atom.key.lower() == key]
        wild = [value for atom in asking for value in atom.values if is_wild(value)]
        fresh = () if any(map(_is_typed, asking)) else _OTHERS
        merged = list(dict.fromkeys((*found, *_between(asking, found), *_common(wild), *fresh)))
        # Two atoms on a set of values need two values at most; more of them could need a set that is not among those tried.
        complete = complete and len(wild) <= 3 and (key not in multi or len(asking) <= 2) and (key not in tied or len(atoms) <= 4)
        of[key] = _choices(key, open_[key], merged, many=key in multi)
    return _Pools(of, frozenset(tied), complete)


def _between(asking: Iterable[Atom], found: Iterable[str]) -> Iterator[str]:
    """Yield a number or moment between each two that are compared with."""
    operators = [atom.operator.lower().rpartition(":")[2] for atom in asking]
    if not any(name.startswith(("numeric", "date")) for name in operators):
        return
    read = moment if any(name.startswith("date") for name in operators) else number
    known = sorted({value for text in found if (value := read(text)) is not None})
    yield from (f"{(left + right) / 2:f}" for left, right in pairwise(known))


_TYPED = ("numeric", "date", "bool", "binary", "ipaddress", "notipaddress")


def _is_typed(atom: Atom) -> bool:
    """Tell whether an atom compares anything but texts, so that not every text is a value of its key."""
    return atom.operator.lower().rpartition(":")[2].startswith(_TYPED)


def _choices(key: str, value: Value, singles: list[str], *, many: bool) -> list[Values]:
    fitting = [single for single in singles if matches(value.region, single)] if isinstance(value, Chosen) else singles
    always = isinstance(value, Chosen) or (isinstance(value, Open) and value.always)
    found: list[Values] = [] if always else [()]
    found += [(single,) for single in fitting]
    if many:
        found += combinations(fitting, 2)
        found += [tuple(fitting)] if len(fitting) > 2 else []
    return found


def _suggested(atom: Atom, key: str) -> Iterator[str]:
    """Yield values on either side of what an atom asks of a key."""
    if atom.key.lower() != key or atom.operator == FITS:
        return
    base = atom.operator.lower().rpartition(":")[2].removesuffix("ifexists").replace("not", "", 1)
    for value in atom.values:
        yield from _around(base, value)


def _around(base: str, value: str) -> Iterator[str]:
    if base == "null":
        yield _FRESH
    elif base == "bool":
        yield from ("true", "false")
    elif base.startswith("numeric"):
        yield from _numbers(value)
    elif base.startswith("date"):
        yield from _moments(value)
    elif base == "ipaddress":
        yield from _addresses(value)
    elif base == "stringequalsignorecase":
        yield from (text for whole in _filled(value) for text in (whole, whole.swapcase()))
    elif base.startswith("binary"):
        yield from (value, "QQ==", "Qg==")
    else:
        yield from _filled(value)


def _filled(pattern: str) -> Iterator[str]:
    """Yield texts that fit a pattern, or the text itself."""
    plain = pattern.replace("${*}", LITERAL_STAR).replace("${?}", LITERAL_MARK).replace("${$}", "$")
    if "${" in plain:
        return
    for star in ("", "zz"):
        yield plain.replace("*", star).replace("?", "z").replace(LITERAL_STAR, "*").replace(LITERAL_MARK, "?")
    yield plain.replace(LITERAL_STAR, "*").replace(LITERAL_MARK, "?")
    # An ARN is compared segment by segment: a star that has to stand for a segment of its own.
    yield plain.replace("*", "z/z").replace("?", "z").replace(LITERAL_STAR, "*").replace(LITERAL_MARK, "?")


def _numbers(value: str) -> Iterator[str]:
    try:
        number = float(value)
    except ValueError:
        return
    yield value
    yield from (f"{number + step:.6f}".rstrip("0").rstrip(".") for step in (-1, 1))


def _moments(value: str) -> Iterator[str]:
    second = moment(value)
    if second is None:
        return
    yield value
    yield from (f"{int(second + step)}" for step in (-86400, 86400))


def _addresses(value: str) -> Iterator[str]:
    try:
        network = ipaddress.ip_network(value, strict=False)
    except ValueError:
        return
    yield str(network.network_address)
    yield str(network.broadcast_address)
    for address in (int(network.network_address) - 1, int(network.broadcast_address) + 1):
        if 0 <= address < 2**network.max_prefixlen:
            yield str(ipaddress.ip_address(address) if network.version == 4 else ipaddress.IPv6Address(address))
    yield "2001:db8::1" if network.version == 4 else "192.0.2.1"


def _common(patterns: list[str]) -> Iterator[str]:
    """Yield texts that fit two patterns at once, where some do."""
    for left, right in combinations(dict.fromkeys(patterns), 2):
        found = shared_text(left, right)
        if found is not None:
            yield found


def _exchange(atoms: Iterable[Atom], singles: dict[str, dict[str, None]], fixed: Mapping[str, Value]) -> None:
    """Carry values over where a variable ties two keys: what one is compared with is what the other one may be."""
    for atom in atoms:
        targets = _targets(atom, singles, fixed)
        for pattern in atom.values[:1] if atom.operator == FITS else atom.values:
            variables = [(found.group(1).lower(), found.group(2)) for found in VARIABLE.finditer(pattern)]
            for target in targets:
                for variable, piece in _solved(pattern, target):
                    if variable in singles:
                        singles[variable][piece] = None
            if atom.key.lower() in singles and atom.operator != FITS:
                for made in _made(pattern, variables, singles, fixed):
                    singles[atom.key.lower()][made] = None


def _targets(atom: Atom, singles: Mapping[str, Mapping[str, None]], fixed: Mapping[str, Value]) -> list[str]:
    if atom.operator == FITS and len(atom.values) == 2:
        return list(_filled(atom.values[1]))
    key = atom.key.lower()
    value = fixed.get(key)
    return list(value) if isinstance(value, tuple) else [*singles.get(key, {}), _FRESH]


def _solved(pattern: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield what each variable of a pattern must be for the pattern to be a text."""
    names = [found.group(1).lower() for found in VARIABLE.finditer(pattern)]
    if not names:
        return
    pieces: list[str] = []
    start = 0
    for found in VARIABLE.finditer(pattern):
        pieces.append(_as_regex(pattern[start : found.start()]))
        pieces.append("(.*)")
        start = found.end()
    pieces.append(_as_regex(pattern[start:]))
    fits = re.fullmatch(_steady("".join(pieces)), target, re.DOTALL)
    if fits:
        yield from zip(names, fits.groups(), strict=True)


def _as_regex(text: str) -> str:
    return "".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in text)


def _steady(regex: str) -> str:
    """Let each text between two of many stars stand where it first fits, for good: it fits all the same, in far fewer tries."""
    first, *others = re.split(r"(\(\.\*\)|(?<!\\)\.\*)", regex)
    if len(others) <= 2 * _MANY_STARS:
        return regex
    *middle, star, last = others
    held = "".join(f"(?>{gap.replace('*', '*?')}{text})" for gap, text in zip(middle[::2], middle[1::2], strict=True))
    return f"{first}{held}{star}{last}"


def _made(
    pattern: str, variables: list[tuple[str, str | None]], singles: Mapping[str, Mapping[str, None]], fixed: Mapping[str, Value]
) -> Iterator[str]:
    """Yield the texts that a pattern becomes under the values, and the defaults, of its variables."""
    pools = [
        [*([*singles[name], _FRESH] if name in singles else _fixed_values(fixed.get(name))), *((default,) if default is not None else ())]
        for name, default in variables
    ]
    for values in list(product(*pools))[:32]:
        pieces = VARIABLE.split(pattern)[:: VARIABLE.groups + 1]
        yield from _filled("".join(piece + value for piece, value in zip(pieces, (*values, ""), strict=True)))


def _fixed_values(value: Value | None) -> Values:
    return value if isinstance(value, tuple) else ()
