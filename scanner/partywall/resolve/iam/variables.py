"""Policy variables: `${key}` and `${key, 'default'}` in resources and values.

IAM user guide, "IAM policy elements: Variables and tags".
"""

import re
from dataclasses import dataclass

from partywall.model.edge import Atom, Control
from partywall.resolve.iam.context import Chosen, Context, Open
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, literal

_VARIABLE = re.compile(r"\$\{\s*([^},\s]+)\s*(?:,\s*'([^']*)'\s*)?\}")
_ESCAPES = {"*": LITERAL_STAR, "?": LITERAL_MARK, "$": "$"}


@dataclass(frozen=True, slots=True)
class Text:
    """A pattern with its variables filled in.

    `atoms` are the unknown ones, whose places hold a wildcard; `void`: one has no value, so that nothing fits.
    """

    pattern: str
    atoms: tuple[Atom, ...] = ()
    void: bool = False


def expand(pattern: str, context: Context, *, variables: bool) -> Text:
    """Fill in the variables of a pattern."""
    if "${" not in pattern:
        return Text(pattern)
    if not variables:
        return Text(pattern.replace("${*}", literal("${*}")).replace("${?}", literal("${?}")))
    pieces: list[str] = []
    atoms: list[Atom] = []
    start = 0
    for found in _VARIABLE.finditer(pattern):
        pieces.append(pattern[start : found.start()])
        start = found.end()
        piece = _value(found.group(1), found.group(2), context, pattern)
        if piece is None:
            return Text(pattern, void=True)
        if isinstance(piece, Atom):
            atoms.append(piece)
        pieces.append("*" if isinstance(piece, Atom) else piece)
    return Text("".join((*pieces, pattern[start:])), tuple(atoms))


def _value(key: str, default: str | None, context: Context, pattern: str) -> str | Atom | None:
    if key in _ESCAPES:
        return _ESCAPES[key]
    match context.value(key):
        case Open(control):
            return Atom(key, "fits", (pattern,), control)
        case Chosen():
            return Atom(key, "fits", (pattern,), Control.CALLER)
        case (value,):
            return literal(value)
        case _:
            return None if default is None else literal(default)
