"""Slurm's host lists: `gpu-[1-3,7],login` (man scontrol, hostnames)."""

import re
from collections.abc import Iterator
from itertools import product

_PART = re.compile(r"\[([^\]]*)\]")
MOST = 100_000


def hosts(text: str) -> tuple[str, ...]:
    """Return the names of a host list, or the text itself where it is none."""
    if text.strip() in ("", "(null)", "N/A"):
        return ()
    return tuple(name for piece in _pieces(text) for name in _expanded(piece))


def _pieces(text: str) -> Iterator[str]:
    depth, begin = 0, 0
    for at, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    yield text[begin:].strip()


def _expanded(piece: str) -> Iterator[str]:
    parts = _PART.split(piece)
    if any(_width(part) > MOST for part in parts[1::2]):
        yield piece
        return
    choices = [tuple(_numbers(part)) if at % 2 else (part,) for at, part in enumerate(parts)]
    size = 1
    for choice in choices:
        size *= len(choice)
    if not piece or not size or size > MOST:
        yield from (piece,) if piece else ()
        return
    yield from ("".join(chosen) for chosen in product(*choices))


def _numbers(text: str) -> Iterator[str]:
    for piece in text.split(","):
        low, _, high = piece.partition("-")
        if high and low.isdecimal() and high.isdecimal():
            yield from (str(number).zfill(len(low)) for number in range(int(low), int(high) + 1))
        else:
            yield piece


def _width(text: str) -> int:
    """Return how many names a bracket stands for."""
    ends = (piece.partition("-") for piece in text.split(","))
    return sum(int(high) - int(low) + 1 if low.isdecimal() and high.isdecimal() else 1 for low, _, high in ends)
