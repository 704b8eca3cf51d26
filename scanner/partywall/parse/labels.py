"""Label selectors as the API server accepts them."""

from collections.abc import Mapping

from partywall.model.evidence import Json
from partywall.model.facts_kubernetes import LabelSelector
from partywall.parse.kubernetes_objects import Object
from partywall.parse.strict import RefusedError as RefusedError
from partywall.parse.strict import array, word, words

OPERATORS = frozenset({"In", "NotIn", "Exists", "DoesNotExist"})


def selector(value: Json) -> LabelSelector:
    """Read a label selector; an empty one selects everything (Kubernetes API reference, LabelSelector)."""
    if value is None:
        return LabelSelector()
    if not isinstance(value, Mapping):
        raise RefusedError("a selector that is not an object")
    if unknown := sorted(set(value) - {"matchLabels", "matchExpressions"}):
        # Read as an empty selector it would select everything, which is the one thing that its author did not mean.
        raise RefusedError(f"a selector with the unknown field {unknown[0]}")
    return LabelSelector(_labels(value.get("matchLabels")), tuple(_expression(item) for item in array(value, "matchExpressions")))


def optional_selector(obj: Object, key: str) -> LabelSelector | None:
    """Read a selector where its absence says something else than an empty one; null is absence."""
    value = obj.get(key)
    return None if value is None else selector(value)


def _labels(value: Json) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise RefusedError("matchLabels that is not an object")
    return tuple((key, _word(item)) for key, item in value.items())


def _word(value: Json) -> str:
    """Return a label's value; YAML makes booleans and numbers of some."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise RefusedError("a label that is not a string")


def _expression(item: Json) -> tuple[str, str, tuple[str, ...]]:
    if not isinstance(item, Mapping) or not word(item, "key"):
        raise RefusedError("a requirement without a key")
    if unknown := sorted(set(item) - {"key", "operator", "values"}):
        raise RefusedError(f"a requirement with the unknown field {unknown[0]}")
    operator, values = word(item, "operator"), words(item, "values")
    if operator not in OPERATORS:
        raise RefusedError(f"the unknown operator {operator or 'none'}")
    if (operator in ("In", "NotIn")) != bool(values):
        raise RefusedError(f"{operator} {'without' if not values else 'with'} values")
    return (word(item, "key"), operator, values)
