"""Does one rule allow one request? As the API server's RBAC authorizer compares (Kubernetes, pkg/apis/rbac/v1/evaluation_helpers.go)."""

from collections.abc import Iterable

from partywall.model.facts_kubernetes import Rule

ANY = "*"


def allows(rule: Rule, verb: str, group: str, resource: str, name: str = "") -> bool:
    """Tell whether a rule allows a verb on a resource; a subresource is written `pods/exec`. Everything is case-sensitive."""
    return (
        _has(rule.verbs, verb)
        and _has(rule.groups, group)
        and any(resource_matches(written, resource) for written in rule.resources)
        and (not rule.names or name in rule.names)
    )


def allows_url(rule: Rule, verb: str, url: str) -> bool:
    """Tell whether a rule allows a verb on a path outside the resources."""
    return _has(rule.verbs, verb) and any(url_matches(written, url) for written in rule.urls)


def resource_matches(written: str, resource: str) -> bool:
    """Compare a resource: `*` is everything, `*/scale` that subresource of everything, and `pods/*` nothing at all."""
    if written in (ANY, resource):
        return True
    _, slash, sub = resource.partition("/")
    return bool(slash) and written == f"*/{sub}"


def url_matches(written: str, url: str) -> bool:
    """Compare a path: `/apis/*` holds what is below `/apis/`, not `/apis`."""
    return written in (ANY, url) or (written.endswith(ANY) and url.startswith(written.rstrip(ANY)))


def _has(written: Iterable[str], wanted: str) -> bool:
    return any(word in (ANY, wanted) for word in written)
