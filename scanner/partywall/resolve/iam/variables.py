"""Policy variables: `${key}` and `${key, 'default'}` in resources and values.

IAM user guide, "IAM policy elements: Variables and tags".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from partywall.resolve.iam.context import Chosen, Context, Open
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, literal

VARIABLE = re.compile(r"\$\{\s*([^},\s]+)\s*(?:,\s*'([^']*)'\s*)?\}")
_BARE = re.compile(r"\$\{(?:([*?])\})?")
ESCAPES = {"*": LITERAL_STAR, "?": LITERAL_MARK, "$": "$"}


@dataclass(frozen=True, slots=True)
class Text:
    """A pattern with its variables filled in.

    `unknown` are the keys that nobody knows, whose places hold a wildcard; `void`: one has no value, so that nothing fits.
    """

    pattern: str
    unknown: tuple[str, ...] = ()
    void: bool = False


def expand(pattern: str, context: Context, *, variables: bool) -> Text:
    """Fill in the variables of a pattern."""
    if "${" not in pattern:
        return Text(pattern)
    if not variables:
        return Text(pattern.replace("${*}", literal("${*}")).replace("${?}", literal("${?}")))
    pieces: list[str] = []
    unknown: list[str] = []
    start = 0
    for found in VARIABLE.finditer(pattern):
        pieces.append(pattern[start : found.start()])
        start = found.end()
        value = ESCAPES.get(found.group(1)) or _value(found.group(1), found.group(2), context)
        if value is None:
            return Text(pattern, void=True)
        if isinstance(value, Open | Chosen):
            unknown.append(found.group(1))
        pieces.append("*" if isinstance(value, Open | Chosen) else value)
    return Text("".join((*pieces, pattern[start:])), tuple(unknown))


def keys_in(pattern: str) -> Iterator[str]:
    """Yield the context keys that the variables of a pattern ask for."""
    return (found.group(1) for found in VARIABLE.finditer(pattern) if found.group(1) not in ESCAPES)


def shielded(pattern: str) -> str:
    """Return a pattern that reads the same once variables are filled in: a policy without them takes `${` as it stands."""
    return _BARE.sub(lambda found: "${$}{" + (f"${{{found.group(1)}}}}}" if found.group(1) else ""), pattern)


def _value(key: str, default: str | None, context: Context) -> str | Open | Chosen | None:
    """Return the text for a variable, what is known of one that is not settled, None where it has no value."""
    match context.value(key):
        case (value,):
            return literal(value)
        case Open() | Chosen() as unsettled:
            return unsettled
        case _:
            return None if default is None else literal(default)
