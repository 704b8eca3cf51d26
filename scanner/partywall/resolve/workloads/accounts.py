"""The service accounts of each namespace: whoever makes pods there may run as any of them."""

from collections.abc import Iterator, Mapping

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import PodIdentity, PodIdentityName
from partywall.model.facts_kubernetes import Binding, ServiceAccount, SubjectKind, TokenSecret, Workload, subject_node
from partywall.model.node import Kind, Node
from partywall.model.thing import Thing
from partywall.resolve.rbac.places import by_nature, namespaces, place


def accounts(facts: Facts) -> Iterator[Edge | Thing]:
    """Yield each namespace, each service account that is known by anything, and that the one has the other."""
    for cluster, names in namespaces(facts).items():
        yield from (Thing(place(cluster, name), at) for name, at in names.items())
    for account, at in _known(facts).items():
        home = place(account.scope, account.name.partition("/")[0])
        yield Thing(account, at, parent=home)
        yield Edge(home, "has service account", account, (at,), by_nature(account, at))


def _known(facts: Facts) -> Mapping[Node, Evidence]:
    found: dict[Node, Evidence] = {}
    for node, at in _mentions(facts):
        found.setdefault(node, at)
    return found


def _mentions(facts: Facts) -> Iterator[tuple[Node, Evidence]]:
    for account in facts.of(ServiceAccount):
        yield _node(account.cluster, account.namespace, account.name), account.at
    for identity in facts.of(PodIdentity):
        yield _node(identity.cluster, identity.namespace, identity.service_account), identity.at
    for name in facts.of(PodIdentityName):
        yield _node(name.cluster, name.namespace, name.service_account), name.at
    for binding in facts.of(Binding):
        for number, subject in enumerate(binding.subjects):
            node = subject_node(binding.cluster, subject)
            if subject.kind is not SubjectKind.GROUP and node.kind is Kind.SERVICE_ACCOUNT:
                yield node, binding.places[number] if binding.places else binding.at
    for work in facts.of(Workload):
        yield _node(work.cluster, work.namespace, work.service_account), work.spec_at if work.spec_at.document else work.at
    for token in facts.of(TokenSecret):
        yield _node(token.cluster, token.namespace, token.service_account), token.at
    for named in facts.of(Named):
        if named.node.kind is Kind.SERVICE_ACCOUNT:
            yield named.node, named.at
    # The control plane makes `default` in every namespace (Kubernetes, "Service accounts").
    for cluster, names in namespaces(facts).items():
        yield from ((_node(cluster, name, "default"), at) for name, at in names.items())


def _node(cluster: str, namespace: str, name: str) -> Node:
    return Node(Kind.SERVICE_ACCOUNT, cluster, f"{namespace}/{name}")
