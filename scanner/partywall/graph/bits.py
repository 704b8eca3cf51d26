"""Sets of owners as bits, packed in words of 64."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

LITTLE = np.dtype("<u8")
Words = NDArray[np.uint64]
Numbers = NDArray[np.signedinteger]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]
Wide = NDArray[np.int64]

WORD = 64


def words_for(width: int) -> int:
    """How many words hold `width` bits; never none, so that arrays keep their shape."""
    return max(1, (width + WORD - 1) // WORD)


def packed(rows: Sequence[Iterable[int]], width: int) -> Words:
    """One row of words for each set of bit numbers."""
    flat = [(number, bit) for number, row in enumerate(rows) for bit in row]
    return packed_pairs(np.array([n for n, _ in flat], np.int64), np.array([b for _, b in flat], np.int64), len(rows), width)


def packed_pairs(rows: Numbers, bits: Numbers, count: int, width: int) -> Words:
    """The same from two arrays: bit `bits[i]` is set in row `rows[i]`."""
    words = words_for(width)
    out = np.zeros(count * words, LITTLE)
    np.bitwise_or.at(out, rows * words + bits // WORD, np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64)))
    return out.reshape(count, words)


def row_of(bits: Iterable[int], words: int) -> Words:
    """One row of words."""
    row: Words = packed([bits], words * WORD)[0]
    return row


def members(row: Words) -> list[int]:
    """The bit numbers in one row, ascending."""
    return [int(b) for b in np.flatnonzero(unpacked(row[None, :])[0])]


def unpacked(words: Words) -> NDArray[np.uint8]:
    """A column of 0 and 1 for each bit."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")


def set_bits(words: Words) -> tuple[Wide, Wide]:
    """(row, bit) of all bits that are set, by row and then by bit."""
    rows, bits = np.nonzero(unpacked(words))
    return rows, bits


def has(words: Words, bit: int) -> Flags:
    """Which rows hold the bit."""
    held: Flags = (words[:, bit // WORD] >> np.uint64(bit % WORD)) & np.uint64(1) != 0
    return held


def any_bit(words: Words) -> Flags:
    """Which rows hold any bit at all."""
    out: Flags = words[:, 0] != 0
    for column in range(1, words.shape[1]):
        out |= words[:, column] != 0
    return out


def as_number(row: Words) -> int:
    """One row as one Python integer, whose `&` and `~` do not care about words."""
    return int.from_bytes(np.ascontiguousarray(row, LITTLE).tobytes(), "little")


def as_row(number: int, words: int) -> Words:
    """The way back from `as_number`."""
    return np.frombuffer(number.to_bytes(words * WORD // 8, "little"), LITTLE).copy()


def spans(first: Numbers, at: Numbers) -> Numbers:
    """The positions first[n] .. first[n + 1] for each n of `at`, one after another."""
    begin = first[at]
    size = first[at + 1] - begin
    ends = np.cumsum(size, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int32) + np.repeat(begin - (ends - size).astype(np.int32), size)


def ordered(keys: NDArray[np.integer]) -> Numbers:
    """The order that sorts keys, ties by position.

    A plain sort of (key, position) in one number is several times faster than a stable argsort; keys too large for that are rare.
    """
    if len(keys) and int(keys.max()) >= 2**31:
        return np.argsort(keys, kind="stable").astype(np.int32)
    both = keys.astype(np.int64) << 32
    both |= np.arange(len(keys), dtype=np.int64)
    both.sort()
    return (both & 0xFFFFFFFF).astype(np.int32)


def heads(keys: NDArray[np.integer]) -> Wide:
    """Where in a sorted array each new key begins."""
    if not len(keys):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
