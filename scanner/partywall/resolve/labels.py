"""Label selectors: what they select, and which labels somebody who is free to choose would choose."""

from collections.abc import Iterable, Mapping, Sequence

from partywall.model.facts_kubernetes import LabelSelector

NAME_LABEL = "kubernetes.io/metadata.name"
FRESH = "any-other"

# One demand on a label: the key, whether it may be absent, the values it may have (None: any), the values it may not have.
Demand = tuple[str, bool, frozenset[str] | None, frozenset[str]]


def selects(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    """Tell whether a selector selects labels; `NotIn` also selects what lacks the key (Kubernetes, "Labels and selectors")."""
    return all(labels.get(key) == value for key, value in selector.labels) and all(_holds(part, labels) for part in selector.expressions)


def _holds(part: tuple[str, str, tuple[str, ...]], labels: Mapping[str, str]) -> bool:
    key, operator, values = part
    match operator:
        case "In":
            return key in labels and labels[key] in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case _:
            return key not in labels


def keys_of(selector: LabelSelector) -> tuple[str, ...]:
    """Return the keys that a selector asks about."""
    return (*(key for key, _ in selector.labels), *(key for key, _, _ in selector.expressions))


def named(names: Iterable[str]) -> LabelSelector:
    """Select namespaces by name, by the label that the API server sets and guards (Kubernetes, "Namespaces", automatic labelling)."""
    return LabelSelector(expressions=((NAME_LABEL, "In", tuple(names)),))


def text_of(selector: LabelSelector) -> str:
    """Print a selector as kubectl would take it."""
    words = [f"{key}={value}" for key, value in selector.labels]
    for key, operator, values in selector.expressions:
        match operator:
            case "In" | "NotIn":
                words.append(f"{key} {operator.lower()} ({','.join(values)})")
            case "Exists":
                words.append(key)
            case _:
                words.append(f"!{key}")
    return ",".join(words) or "everything"


def chosen(
    wanted: Sequence[LabelSelector], avoided: Sequence[LabelSelector], fixed: Mapping[str, str] | None = None
) -> Mapping[str, str] | None:
    """Choose labels that all of `wanted` select and none of `avoided` does; None where nobody can. `fixed` labels are not free.

    Every avoided selector must fail in one of its demands: the search tries them in turn, so that the answer is exact.
    """
    demands: dict[str, Demand] = {}
    for key, value in (fixed or {}).items():
        demands[key] = (key, False, frozenset({value}), frozenset())
    for selector in wanted:
        for demand in _demands(selector):
            joined = _joined(demands.get(demand[0]), demand)
            if joined is None:
                return None
            demands[demand[0]] = joined
    found = _avoiding(demands, avoided)
    return None if found is None else {key: _value(demand) for key, demand in found.items() if not demand[1]}


def _avoiding(demands: dict[str, Demand], avoided: Sequence[LabelSelector]) -> dict[str, Demand] | None:
    if not avoided:
        return demands
    for demand in _demands(avoided[0]):
        for opposite in _opposites(demand):
            joined = _joined(demands.get(demand[0]), opposite)
            if joined is None:
                continue
            found = _avoiding({**demands, demand[0]: joined}, avoided[1:])
            if found is not None:
                return found
    return None


def _demands(selector: LabelSelector) -> list[Demand]:
    demands: list[Demand] = [(key, False, frozenset({value}), frozenset()) for key, value in selector.labels]
    for key, operator, values in selector.expressions:
        match operator:
            case "In":
                demands.append((key, False, frozenset(values), frozenset()))
            case "NotIn":
                demands.append((key, True, None, frozenset(values)))
            case "Exists":
                demands.append((key, False, None, frozenset()))
            case _:
                demands.append((key, True, frozenset(), frozenset()))
    return demands


def _opposites(demand: Demand) -> list[Demand]:
    """Return the ways in which a demand fails, the label's absence first."""
    key, optional, allowed, forbidden = demand
    ways: list[Demand] = [] if optional else [(key, True, frozenset(), frozenset())]
    if allowed is not None:
        ways.append((key, False, None, allowed))
    if forbidden:
        ways.append((key, False, forbidden, frozenset()))
    return ways


def _joined(one: Demand | None, other: Demand) -> Demand | None:
    if one is None:
        return other
    allowed = one[2] if other[2] is None else other[2] if one[2] is None else one[2] & other[2]
    forbidden = one[3] | other[3]
    if allowed is not None:
        allowed = allowed - forbidden
    optional = one[1] and other[1]
    return None if not optional and allowed is not None and not allowed else (one[0], optional, allowed, forbidden)


def _value(demand: Demand) -> str:
    _, _, allowed, forbidden = demand
    if allowed is not None:
        return min(allowed)
    value = FRESH
    while value in forbidden:
        value += "-"
    return value
