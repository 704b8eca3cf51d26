"""What access policies give to the principals of access entries: a grant like any binding's, without any object in the cluster."""

from collections.abc import Iterator
from dataclasses import replace

from partywall.model.edge import Certainty, Change, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessPolicy, AuthenticationMode, EksCluster, principal_node
from partywall.model.node import cluster_name
from partywall.resolve.eks.policies import POLICIES, UNKNOWN_CONTENT
from partywall.resolve.eks.principals import Principals, stable
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.twins import distinct


def policy_grants(facts: Facts, principals: Principals) -> Iterator[Grant]:
    """Yield one grant for each namespace (or the whole cluster) of each associated policy; an unknown name grants something unknown."""
    off = {cluster.cluster for cluster in facts.of(EksCluster) if cluster.mode is AuthenticationMode.CONFIG_MAP}
    for policy, copies in distinct(facts.of(AccessPolicy), _content):
        if policy.cluster in off or principals.is_gone(policy.principal):
            continue
        rules = POLICIES.get(policy.policy)
        certainty = Certainty.UNKNOWN if rules is None else Certainty.SURE
        source = principal_node(principals.canonical(policy.principal))
        role = policy.policy if rules is not None else f"{policy.policy}, whose content is not known"
        for number, namespace in enumerate(("",) if policy.cluster_wide else policy.namespaces):
            place = policy.at.below("accessScope") if policy.cluster_wide else policy.at.below("accessScope", "namespaces", number)
            yield Grant(
                source,
                policy.cluster,
                "" if namespace == "*" else namespace,
                rules or UNKNOWN_CONTENT,
                (place,),
                _lever(policy, number, copies),
                role,
                certainty,
            )


def _content(policy: AccessPolicy) -> tuple[str | bool | tuple[str, ...], ...]:
    return (policy.cluster, policy.principal, policy.policy, policy.cluster_wide, policy.namespaces)


def _lever(policy: AccessPolicy, number: int, copies: tuple[AccessPolicy, ...]) -> Lever:
    where = f"{cluster_name(policy.cluster)}"
    name = f"{stable(policy.principal)} {policy.policy}"
    if policy.cluster_wide:
        place = policy.at.below("accessScope")
        text = f"associate {policy.policy} with {policy.principal} on {where} for its own namespaces only, or take it away"
        return Lever(Move.REMOVE, "AccessPolicy", policy.cluster, name, (place,), text, "cluster", Change(copies))
    namespace = policy.namespaces[number]
    place = policy.at.below("accessScope", "namespaces", number)
    rest = replace(policy, namespaces=tuple(item for index, item in enumerate(policy.namespaces) if index != number))
    text = f"take namespace {namespace} out of the scope of {policy.policy} for {policy.principal} on {where}"
    return Lever(Move.REMOVE, "AccessPolicy", policy.cluster, name, (place,), text, f"namespace {namespace}", Change(copies, (rest,)))
