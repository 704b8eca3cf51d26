"""Rows of pairs: an edge, and those who cross by it times those whom it touches."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import LITTLE, Flags, Numbers, Wide, Words, any_bit, as_number, as_row, has, heads, row_of, set_bits
from partywall.graph.columns import NONE, Columns, granted

Product = tuple[int, int]  # froms and tos, each a set of bits in one integer


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The pairs of a row are froms x tos minus the diagonal."""

    edge: Numbers
    walk: Numbers
    entry: Numbers  # the lever by which a guest came in, where the row tells of an approval that gives more than it says
    froms: Words
    tos: Words

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.edge)

    def take(self, at: Wide | Flags | Numbers) -> "Rows":
        """Some of the rows."""
        return Rows(self.edge[at], self.walk[at], self.entry[at], self.froms[at], self.tos[at])


def rows_of(edge: Numbers, walk: int, froms: Words, tos: Words, entry: int = NONE) -> Rows:
    """Rows of one walk."""
    return Rows(edge, np.full(len(edge), walk, np.int32), np.full(len(edge), entry, np.int32), froms, tos)


def joined(parts: list[Rows], words: int) -> Rows:
    """Rows one after another."""
    nothing, empty = np.zeros(0, np.int32), np.zeros((0, words), LITTLE)
    parts = [Rows(nothing, nothing, nothing, empty, empty), *parts]
    return Rows(
        edge=np.concatenate([part.edge for part in parts]),
        walk=np.concatenate([part.walk for part in parts]),
        entry=np.concatenate([part.entry for part in parts]),
        froms=np.concatenate([part.froms for part in parts]),
        tos=np.concatenate([part.tos for part in parts]),
    )


def telling(rows: Rows) -> Rows:
    """The rows that hold a pair at all."""
    empty = ~any_bit(rows.froms) | ~any_bit(rows.tos)
    alone = (np.bitwise_count(rows.froms).sum(axis=1) == 1) & ~any_bit(rows.froms ^ rows.tos)
    return rows.take(~(empty | alone))


def lever_of(columns: Columns, rows: Rows) -> Numbers:
    """The cause of each row: the entry where there is one, else the lever of the edge."""
    return np.where(rows.entry == NONE, columns.lever[rows.edge], rows.entry).astype(np.int32)


def spare_platform(columns: Columns, rows: Rows) -> Rows:
    """Looking at or using the platform's own things is no crossing, except from outside."""
    looks = columns.light[rows.edge] & has(rows.tos, columns.platform)
    if not looks.any():
        return rows
    platform, outside = (row_of([bit], columns.words) for bit in (columns.platform, columns.outside))
    tos = np.where(looks[:, None], rows.tos & ~platform, rows.tos)
    harmless = Rows(rows.edge, rows.walk, rows.entry, rows.froms, tos)
    strangers = rows.take(looks & has(rows.froms, columns.outside))
    some = np.ones_like(strangers.froms)
    return joined([harmless, Rows(strangers.edge, strangers.walk, strangers.entry, some * outside, some * platform)], columns.words)


def spare_approved(columns: Columns, rows: Rows) -> Rows:
    """Take away the pairs that an approval of this very edge covers."""
    approvals = columns.approvals
    covered = approvals.covers[rows.edge]
    if not covered.any():
        return rows
    one = covered & (np.bitwise_count(rows.tos).sum(axis=1) == 1)
    covered &= ~one
    owner = set_bits(rows.tos[one])[1]
    froms = rows.froms.copy()
    froms[one] &= ~granted(columns, rows.edge[one], owner)
    rows = Rows(rows.edge, rows.walk, rows.entry, froms, rows.tos)
    products = []
    for at in np.flatnonzero(covered).tolist():
        begin, end = np.searchsorted(approvals.edge, [rows.edge[at], rows.edge[at] + 1])
        grants = [(1 << int(approvals.tenant[i]), as_number(approvals.granters[i])) for i in range(begin, end)]
        products.append(less([_product(rows, at)], grants))
    parts = [rows.take(~covered), _spread(rows, np.flatnonzero(covered).astype(np.int32), products)]
    return joined(parts, columns.words)


def less(products: list[Product], taken: Iterable[Product]) -> list[Product]:
    """The pairs of some products without those of others, again as products."""
    for froms, tos in taken:
        if not any(f & froms and t & tos for f, t in products):
            continue
        halves = [half for f, t in products for half in ((f & ~froms, t), (f & froms, t & ~tos))]
        products = [(f, t) for f, t in halves if f and t]
    by_tos: dict[int, int] = {}
    for f, t in products:
        by_tos[t] = by_tos.get(t, 0) | f
    return [(f, t) for t, f in by_tos.items()]


def _spread(rows: Rows, at: Numbers, products: list[list[Product]]) -> Rows:
    """Each row `at[i]` as several with the same edge, walk and entry, one for each of `products[i]`."""
    words = rows.froms.shape[1]
    flat = [product for some in products for product in some]
    froms = np.array([as_row(f, words) for f, _ in flat], LITTLE).reshape(len(flat), words)
    tos = np.array([as_row(t, words) for _, t in flat], LITTLE).reshape(len(flat), words)
    row = np.repeat(at, [len(some) for some in products])
    return Rows(rows.edge[row], rows.walk[row], rows.entry[row], froms, tos)


def _product(rows: Rows, at: int) -> Product:
    return as_number(rows.froms[at]), as_number(rows.tos[at])


def _kinds(rows: Rows, keys: Wide) -> tuple[Wide, Wide]:
    """(one row of each kind, kind of each row): rows of a kind share key, froms and tos, and few kinds stand for very many rows."""
    order = np.lexsort((*rows.tos.T, *rows.froms.T, keys))
    if not len(order):
        return order, order
    whole = np.concatenate((keys[:, None].view(np.uint64), rows.froms, rows.tos), axis=1)[order]
    new = np.concatenate(([True], (whole[1:] != whole[:-1]).any(axis=1)))
    kind = np.empty(len(order), np.int64)
    kind[order] = np.cumsum(new) - 1
    return order[new], kind


def examples(columns: Columns, rows: Rows) -> Rows:
    """The first edge for each lane, family, lightness, froms and tos.

    A guest who gets more than the approval says gets it by every edge among the host's things; the finding needs each kind once.
    """
    edge = rows.edge
    keys = (columns.lane[edge].astype(np.int64) * 2 + columns.light[edge]) * 2 + columns.becomes[edge]
    return rows.take(np.sort(_kinds(rows, keys)[0]))


def first_told(rows: Rows, keys: Wide, told: Rows, told_keys: Wide) -> Rows:
    """The pairs of `rows` that no row of the same key in `told` holds already."""
    again = np.isin(keys, told_keys)
    if not again.any():
        return rows
    known: dict[int, dict[int, int]] = {}
    heard = np.flatnonzero(np.isin(told_keys, keys[again]))
    for at in heard[_kinds(told.take(heard), told_keys[heard])[0]]:
        _remember(known.setdefault(int(told_keys[at]), {}), _product(told, at))
    repeated = rows.take(again)
    first, kind = _kinds(repeated, keys[again])
    left = [_unknown(known[int(key)], _product(repeated, at)) for at, key in zip(first, keys[again][first], strict=True)]
    spread = _spread(repeated, np.arange(len(repeated), dtype=np.int32), [left[k] for k in kind])
    return joined([rows.take(~again), spread], rows.froms.shape[1])


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low
        number ^= low


def _remember(known: dict[int, int], product: Product) -> None:
    """What each `from` is told to touch."""
    froms, tos = product
    for a in _bits(froms):
        known[a] = known.get(a, 0) | tos


def _unknown(known: dict[int, int], product: Product) -> list[Product]:
    """The part of a product that is not yet told, by what is left to touch."""
    froms, tos = product
    left: dict[int, int] = {}
    for a in _bits(froms):
        rest = tos & ~known.get(a, 0)
        if rest:
            left[rest] = left.get(rest, 0) | a
    return [(f, t) for t, f in left.items()]


def once_an_edge(rows: Rows, keys: Wide) -> Rows:
    """Each pair of an edge once: the first walk that tells it keeps it."""
    first = np.sort(_kinds(rows, keys)[0])
    rows, keys = rows.take(first), keys[first]
    twice = _overlapping(rows, keys)
    if not twice.any():
        return rows
    at = np.flatnonzero(twice).astype(np.int32)
    known: dict[int, dict[int, int]] = {}
    products = []
    for row in at.tolist():
        before = known.setdefault(int(keys[row]), {})
        products.append(_unknown(before, _product(rows, row)))
        _remember(before, _product(rows, row))
    return joined([rows.take(~twice), _spread(rows, at, products)], rows.froms.shape[1])


def _overlapping(rows: Rows, keys: Wide) -> Flags:
    """The rows whose key has rows with a `from` in common: the only ones that need a closer look."""
    order = np.argsort(keys, kind="stable")
    begin = heads(keys[order])
    if not len(begin):
        return np.zeros(0, np.bool_)
    froms = rows.froms[order]
    total = np.add.reduceat(np.bitwise_count(froms).sum(axis=1, dtype=np.int64), begin)
    union = np.bitwise_count(np.bitwise_or.reduceat(froms, begin, axis=0)).sum(axis=1, dtype=np.int64)
    out = np.zeros(len(rows), np.bool_)
    out[order] = np.repeat(total != union, np.diff(np.append(begin, len(order))))
    return out
