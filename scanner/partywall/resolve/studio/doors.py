"""Rights on an EKS cluster's doors: who may let themselves in, or open its network.

EKS user guide, "Create access entries" and "Associate access policies with access entries"; the condition keys are those of the service
authorization reference. A principal names itself, any group but `system:` ones, and any access policy.
"""

from collections.abc import Iterator, Mapping

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import AccessEntry, AccessEntryName, EksCluster
from partywall.model.facts_kubernetes import Binding, SubjectKind
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Kind, Node
from partywall.resolve.data.asking import request_on, where
from partywall.resolve.iam.context import Chosen, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.ways import Way, identity_ways

CREATE = "eks:createaccessentry"
UPDATE = "eks:updateaccessentry"
ASSOCIATE = "eks:associateaccesspolicy"
PROVIDER = "eks:associateidentityproviderconfig"
_POLICY = "arn:aws:eks::aws:cluster-access-policy/"
_IN_NAMESPACE = (
    "AmazonEKSAdminPolicy",
    "AmazonEKSEditPolicy",
    "AmazonSagemakerHyperpodTrainingPolicy",
    "AmazonSagemakerHyperpodInferencePolicy",
)
_NETWORK = ("eks:updateaddon", "eks:deleteaddon", "eks:updateclusterconfig")


def door_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who may let themselves into which cluster."""
    for cluster in clusters_of(facts):
        account = cluster.cluster.split("/", 1)[0]
        entered = {entry.principal for entry in facts.of(AccessEntry) if entry.cluster == cluster.cluster}
        for rights in estate.of_account(account):
            yield from _entries(facts, rights, cluster, has_entry=rights.principal.arn in entered)
            yield from _provider(facts, rights, cluster)
            yield from _network(rights, cluster)


def clusters_of(facts: Facts) -> Iterator[EksCluster]:
    """Yield the clusters that were described, and those that other answers only mention: their doors are there all the same."""
    yield from facts.of(EksCluster)
    seen = {cluster.cluster for cluster in facts.of(EksCluster)}
    mentioned = [
        *((cluster.scope, cluster.eks_arn, cluster.at) for cluster in facts.of(HyperPodCluster) if cluster.eks_arn),
        *((entry.cluster, "", entry.at) for entry in facts.of(AccessEntryName)),
        *((entry.cluster, "", entry.at) for entry in facts.of(AccessEntry)),
    ]
    for scope, arn, at in mentioned:
        account, _, rest = scope.partition("/")
        region, _, name = rest.partition("/")
        if scope not in seen and account and region:
            seen.add(scope)
            yield EksCluster(scope, arn or f"arn:aws:eks:{region}:{account}:cluster/{name}", "", "", None, None, (), "", at)


def _keys(rights: Rights, cluster: EksCluster, more: Mapping[str, Value]) -> dict[str, Value]:
    account, region, _ = cluster.cluster.split("/", 2)
    return {
        **where(account, region),
        "eks:principalarn": (rights.principal.arn,),
        "eks:accessentrytype": ("STANDARD",),
        "eks:username": Chosen("*"),
        **more,
    }


def _ways(rights: Rights, cluster: EksCluster, action: str, more: Mapping[str, Value]) -> list[Way]:
    if not rights.allows(action):
        return []
    region = cluster.arn if action == CREATE else f"{cluster.arn.replace(':cluster/', ':access-entry/')}/*"
    return identity_ways(rights, request_on(rights, action, region, _keys(rights, cluster, more)))


def _entries(facts: Facts, rights: Rights, cluster: EksCluster, *, has_entry: bool) -> Iterator[Edge]:
    no_groups: dict[str, Value] = {"eks:kubernetesgroups": ()}
    start = [Way(())] if has_entry else _ways(rights, cluster, CREATE, no_groups)
    whole: dict[str, Value] = {
        "eks:policyarn": (f"{_POLICY}AmazonEKSClusterAdminPolicy",),
        "eks:accessscope": ("cluster",),
        "eks:namespaces": (),
    }
    admin = _ways(rights, cluster, ASSOCIATE, whole) if start else []
    target = Node(Kind.CLUSTER_ADMIN, cluster.cluster, "*")
    for way in admin:
        yield edge(
            rights.node, "becomes administrator of", target, way.joined(start[0]), note="by an access policy of its own", also=(cluster.at,)
        )
    if admin:
        return
    if start:
        yield from _namespaces(facts, rights, cluster, start[0])
    yield from _groups(facts, rights, cluster, has_entry=has_entry)


def _namespaces(facts: Facts, rights: Rights, cluster: EksCluster, start: Way) -> Iterator[Edge]:
    if not rights.allows(ASSOCIATE):
        return
    for namespace, at in _known_namespaces(facts, cluster).items():
        for policy in _IN_NAMESPACE:
            keys: dict[str, Value] = {
                "eks:policyarn": (_POLICY + policy,),
                "eks:accessscope": ("namespace",),
                "eks:namespaces": (namespace.name,),
            }
            for way in _ways(rights, cluster, ASSOCIATE, keys):
                yield edge(
                    rights.node, "becomes administrator of", namespace, way.joined(start), note=f"by {policy}", also=(at, cluster.at)
                )


def _known_namespaces(facts: Facts, cluster: EksCluster) -> dict[Node, Evidence]:
    return {named.node: named.at for named in facts.of(Named) if named.node.kind is Kind.NAMESPACE and named.node.scope == cluster.cluster}


def _groups(facts: Facts, rights: Rights, cluster: EksCluster, *, has_entry: bool) -> Iterator[Edge]:
    """Yield the groups that a principal may give itself: those that some entry or binding of the cluster knows."""
    actions = [action for action in ((UPDATE,) if has_entry else (CREATE,)) if rights.allows(action)]
    for action in actions:
        for group, at in _known_groups(facts, cluster).items():
            for way in _ways(rights, cluster, action, {"eks:kubernetesgroups": (group,)}):
                target = Node(Kind.GROUP, cluster.cluster, group)
                yield edge(rights.node, "creates access entry for", target, way, note=action, also=(at, cluster.at))


def _provider(facts: Facts, rights: Rights, cluster: EksCluster) -> Iterator[Edge]:
    """Yield the groups into which an OIDC provider of a principal's own may put whom it likes.

    EKS user guide, "Grant users access to Kubernetes with an external OIDC provider": whoever associates it chooses the prefix of groups.
    """
    keys = {**where(*cluster.cluster.split("/", 2)[:2]), "eks:issuerurl": Chosen("*"), "eks:clientid": Chosen("*")}
    for way in identity_ways(rights, request_on(rights, PROVIDER, cluster.arn, keys)) if rights.allows(PROVIDER) else ():
        for group, at in _known_groups(facts, cluster).items():
            target = Node(Kind.GROUP, cluster.cluster, group)
            yield edge(rights.node, "creates access entry for", target, way, note=PROVIDER, also=(at, cluster.at))


def _known_groups(facts: Facts, cluster: EksCluster) -> dict[str, Evidence]:
    found: dict[str, Evidence] = {}
    for entry in facts.of(AccessEntry):
        if entry.cluster == cluster.cluster:
            for group in entry.groups:
                found.setdefault(group, entry.at)
    for binding in facts.of(Binding):
        if binding.cluster == cluster.cluster:
            for subject in binding.subjects:
                if subject.kind is SubjectKind.GROUP and not subject.name.startswith("system:"):
                    found.setdefault(subject.name, binding.at)
    return found


def _network(rights: Rights, cluster: EksCluster) -> Iterator[Edge]:
    for action in _NETWORK:
        region = cluster.arn if action == "eks:updateclusterconfig" else f"{cluster.arn.replace(':cluster/', ':addon/')}/*"
        for way in identity_ways(rights, request_on(rights, action, region, _keys(rights, cluster, {}))) if rights.allows(action) else ():
            yield edge(
                rights.node, "change network rules of", Node(Kind.NAMESPACES, cluster.cluster, "*"), way, note=action, also=(cluster.at,)
            )
