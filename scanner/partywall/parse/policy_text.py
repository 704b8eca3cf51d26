"""Policy documents as they are handed over: an object, JSON text, or URL-encoded JSON text."""

import json
import re
from urllib.parse import unquote

from partywall.model.evidence import Json

# No policy that IAM takes is nested deeper than its grammar: document, statement, Condition, operator, key, list.
DEEPEST = 16
TOO_DEEP = "the policy document is nested too deeply"
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


class PolicyTextError(ValueError):
    """A text that holds no policy document; its message says why."""


def document(value: Json) -> Json:
    """Return a policy document as an object: the CLI prints it as one, the API as URL-encoded or plain JSON text.

    Raises PolicyTextError where a text is no JSON, holds a member twice or half a character.
    """
    if not isinstance(value, str):
        return value
    source = unquote(value) if value.lstrip()[:1] == "%" else value
    try:
        loaded: Json = json.loads(source, object_pairs_hook=_object)
    except RecursionError as error:
        raise PolicyTextError(TOO_DEEP) from error
    except PolicyTextError:
        raise
    except ValueError as error:
        raise PolicyTextError(f"the policy document is no JSON: {error}") from error
    if _SURROGATE.search(source) and not _is_writable(loaded):
        raise PolicyTextError("the policy document holds half of a surrogate pair")
    return loaded


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise PolicyTextError(f"the policy document holds the member {twice!r} twice in one object")
    return found


def is_deep(value: Json) -> bool:
    """Tell whether a value is nested deeper than a policy can be; it looks level by level, so that no depth is too much for it."""
    layer: list[Json] = [value]
    for _ in range(DEEPEST):
        layer = [child for held in layer for child in _children(held)]
        if not layer:
            return False
    return True


def _children(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _is_writable(value: Json) -> bool:
    """Tell whether all texts of a value can be written as UTF-8."""
    if is_deep(value):
        return True
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
