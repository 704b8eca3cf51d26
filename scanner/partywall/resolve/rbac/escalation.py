"""What the API server lets people grant. It looks at RBAC rules only, never at EKS access policies (aws/containers-roadmap 2682)."""

from collections.abc import Iterable, Iterator, Sequence

from partywall.model.facts_kubernetes import Rule
from partywall.resolve.rbac.matching import ANY, resource_matches, url_matches

EVERYTHING = (Rule(verbs=(ANY,), groups=(ANY,), resources=(ANY,)), Rule(verbs=(ANY,), urls=(ANY,)))


def covers(held: Sequence[Rule], wanted: Iterable[Rule]) -> bool:
    """Tell whether who holds `held` may hand out `wanted`: each right must lie within one rule (pkg/registry/rbac/validation)."""
    return all(any(_covers(rule, single) for rule in held) for rule in wanted for single in _singles(rule))


def _singles(rule: Rule) -> Iterator[Rule]:
    """Break a rule down to one verb, one group, one resource and one name each."""
    for verb in rule.verbs:
        yield from (Rule((verb,), urls=(url,)) for url in rule.urls)
        for group in rule.groups:
            for resource in rule.resources:
                yield from (Rule((verb,), (group,), (resource,), (name,) if name else ()) for name in rule.names or ("",))


def _covers(rule: Rule, single: Rule) -> bool:
    if not _within(rule.verbs, single.verbs[0]):
        return False
    if single.urls:
        return any(url_matches(written, single.urls[0]) for written in rule.urls)
    if not _within(rule.groups, single.groups[0]) or not any(resource_matches(written, single.resources[0]) for written in rule.resources):
        return False
    return not rule.names or (bool(single.names) and single.names[0] in rule.names)


def _within(written: Iterable[str], wanted: str) -> bool:
    return any(word in (ANY, wanted) for word in written)
