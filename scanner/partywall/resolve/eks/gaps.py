"""Doors that were named and not opened: entries without their description or their access policies, and an unread `aws-auth`."""

from collections.abc import Iterator

from partywall.model.document import Direction, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import (
    AccessEntry,
    AccessEntryName,
    AssociationsRead,
    AuthenticationMode,
    EksCluster,
    IdentityProvider,
    MappedPrincipal,
    principal_node,
)
from partywall.model.facts_kubernetes import ConfigMap, OtherObject
from partywall.model.node import Node, cluster_name
from partywall.model.thing import Thing
from partywall.model.verbs import Lane
from partywall.resolve.eks.principals import Principals
from partywall.resolve.rbac.places import admin, place

_LANES = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.COMPUTE, Lane.IDENTITY)
_MAPPED = (AuthenticationMode.CONFIG_MAP, AuthenticationMode.API_AND_CONFIG_MAP)


def gaps(facts: Facts, principals: Principals) -> Iterator[Gap | Thing]:
    """Yield what is unread of each cluster's doors."""
    described = {(entry.cluster, entry.principal): entry for entry in facts.of(AccessEntry)}
    read = {(one.cluster, one.principal) for one in facts.of(AssociationsRead)}
    off = {cluster.cluster for cluster in facts.of(EksCluster) if cluster.mode is AuthenticationMode.CONFIG_MAP}
    named: dict[tuple[str, str], Evidence] = {(name.cluster, name.principal): name.at for name in facts.of(AccessEntryName)}
    for key, entry in described.items():
        named.setdefault(key, entry.at)
    for (cluster, arn), at in named.items():
        if cluster in off or principals.is_gone(arn):
            continue
        node = principal_node(principals.canonical(arn))
        if (cluster, arn) not in described and not principals.is_read(arn):
            yield Thing(node, at, starts=True)  # who may assume it is unread too
        if (cluster, arn) not in described:
            yield _gap(cluster, arn, node, at, "describe-access-entry", "user name and groups")
        if (cluster, arn) not in read and not _is_node(described.get((cluster, arn))):
            yield _gap(cluster, arn, node, at, "list-associated-access-policies", "access policies")
    yield from _unread_maps(facts)


def _is_node(entry: AccessEntry | None) -> bool:
    return entry is not None and entry.type != "STANDARD"


def _gap(cluster: str, arn: str, node: Node, at: Evidence, command: str, lacking: str) -> Gap:
    name = cluster_name(cluster)
    key = arn.rsplit("/", 1)[-1]
    remedy = f"aws eks {command} --cluster-name {name} --principal-arn {arn} --output json > aws-eks-{command}--{key}.json"
    what = f"the {lacking} of the access entry of {arn} on {name}"
    return Gap(f"eks:{command}", what, Reason.ABSENT, Direction.OUTGOING, (node,), _LANES, remedy, at)


def has_read_map(facts: Facts, cluster: str) -> bool:
    """Tell whether what `aws-auth` says of a cluster is known, its absence from a complete list included."""
    given = any(one.cluster == cluster and one.name == "aws-auth" for one in facts.of(ConfigMap))
    return given or _lists_no_map(facts, cluster) or any(row.cluster == cluster for row in facts.of(MappedPrincipal))


def _lists_no_map(facts: Facts, cluster: str) -> bool:
    """Tell whether a list of ConfigMaps shows that there is none; one of another namespace alone does not."""
    if not facts.listed("ConfigMap", cluster):
        return False
    maps: list[ConfigMap | OtherObject] = [*facts.of(ConfigMap), *(one for one in facts.of(OtherObject) if one.kind == "ConfigMap")]
    homes = {one.namespace for one in maps if one.cluster == cluster}
    return not homes or "kube-system" in homes


def _unread_maps(facts: Facts) -> Iterator[Gap]:
    for cluster in facts.of(EksCluster):
        if cluster.mode in _MAPPED and not has_read_map(facts, cluster.cluster):
            what = f"the ConfigMap aws-auth of {cluster_name(cluster.cluster)}, which counts in mode {cluster.mode}"
            remedy = "kubectl get configmap aws-auth -n kube-system -o json > kubectl-get-configmap-aws-auth.json"
            at = cluster.at.below("accessConfig", "authenticationMode")
            nodes = (admin(cluster.cluster), place(cluster.cluster, ""))
            yield Gap("kubernetes:configmaps", what, Reason.ABSENT, Direction.INCOMING, nodes, _LANES, remedy, at)


def are_complete(facts: Facts, cluster: str) -> bool:
    """Tell whether everybody who can come in is known, so that a group that nobody enters is empty."""
    if not facts.listed("AccessEntry", cluster) or any(provider.cluster == cluster for provider in facts.of(IdentityProvider)):
        return False
    described = {entry.principal for entry in facts.of(AccessEntry) if entry.cluster == cluster}
    if any(name.principal not in described for name in facts.of(AccessEntryName) if name.cluster == cluster):
        return False
    modes = [one.mode for one in facts.of(EksCluster) if one.cluster == cluster]
    return bool(modes) and (modes[0] is AuthenticationMode.API or (modes[0] is not None and has_read_map(facts, cluster)))
