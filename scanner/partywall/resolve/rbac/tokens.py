"""Long-lived tokens that lie in Secrets: who reads the Secret is the service account."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import TokenSecret
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches
from partywall.resolve.rbac.capabilities import Held, capabilities
from partywall.resolve.rbac.edges import edge
from partywall.resolve.rbac.grants import Grant


def token_edges(facts: Facts, grants: Iterable[Grant]) -> Iterator[Edge]:
    """Yield an edge to the service account of each token Secret that a grant lets its source read."""
    tokens = facts.of(TokenSecret)
    if not tokens:
        return
    for grant in grants:
        held = _reading(grant)
        if held is None:
            continue
        for token in tokens:
            if token.cluster == grant.cluster and _holds_in(grant, token.namespace) and (not held.names or token.name in held.names):
                target = Node(Kind.SERVICE_ACCOUNT, token.cluster, f"{token.namespace}/{token.service_account}")
                made = edge(grant, held, target, "reads credential of", f"token in Secret {token.namespace}/{token.name}")
                if target != grant.source:
                    yield made


def _reading(grant: Grant) -> Held | None:
    for number, rule in enumerate(grant.rules):
        for held in capabilities(rule):
            if held.capability.verb == "read secrets" and held.capability.resources == (("", "secrets"),):
                return replace(held, number=number)
    return None


def _holds_in(grant: Grant, namespace: str) -> bool:
    return grant.is_wide or glob_matches(grant.namespace, namespace)
