"""Pods whose session tags decide what their role lets them do.

EKS user guide, "Grant Pods access to AWS resources based on tags": EKS Pod Identity tags each session with cluster, namespace and
service account, unless the association turns that off; the tags are transitive. What depends on them is a right of the service
account, not of the role.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from partywall.model.atom import Control
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster, PodIdentity
from partywall.model.facts_iam import Effect, Principal, Statement
from partywall.model.node import Kind, Node
from partywall.resolve.iam.context import Context, Open, SessionTags
from partywall.resolve.iam.rights import Rights

_SERVICE = "pods.eks.amazonaws.com"
_TAGS = (
    "kubernetes-namespace",
    "kubernetes-service-account",
    "eks-cluster-arn",
    "eks-cluster-name",
    "kubernetes-pod-name",
    "kubernetes-pod-uid",
)


def pod_rights(facts: Facts, known: Mapping[str, Rights]) -> Iterator[Rights]:
    """Yield the rights of service accounts that differ from those of the role that an association gives them."""
    arns = {cluster.cluster: cluster.arn for cluster in facts.of(EksCluster)}
    for association in facts.of(PodIdentity):
        for arn in dict.fromkeys((association.role_arn, association.target_role_arn)):
            rights = known.get(arn)
            if rights is not None and association.session_tags and depends_on_pods(rights):
                yield _of_pod(rights, association, arns.get(association.cluster, ""))


def bare_rights(facts: Facts, known: Mapping[str, Rights]) -> Iterator[Rights]:
    """Yield the rights of roles that nobody but tagged pods enters, less what asks for a pod's tag.

    On the bare role such a tag would be absent, and `...IfExists` lets pass what is absent; no session of the role ever lacks it.
    """
    untagged = {arn for each in facts.of(PodIdentity) if not each.session_tags for arn in (each.role_arn, each.target_role_arn)}
    for arn in dict.fromkeys(association.role_arn for association in facts.of(PodIdentity)):
        rights = known.get(arn)
        if rights is not None and arn not in untagged and depends_on_pods(rights) and _only_pods_enter(rights.principal):
            kept = tuple(grant for grant in rights.grants if grant.statement.effect is Effect.DENY or not _mentions(grant.statement))
            yield replace(rights, grants=kept, _allows={}, _denies={})


def _only_pods_enter(principal: Principal) -> bool:
    allows = [statement for statement in principal.trust.statements if statement.effect is Effect.ALLOW] if principal.trust else []
    return bool(allows) and all((name.kind, name.name) == ("Service", _SERVICE) for statement in allows for name in statement.principals)


def depends_on_pods(rights: Rights) -> bool:
    """Tell whether some statement that counts for a principal mentions a tag of pods."""
    ceiling = (rights.ceiling.grants or ()) if rights.ceiling else ()
    return any(_mentions(grant.statement) for grant in (*rights.grants, *ceiling))


def _mentions(statement: Statement) -> bool:
    texts = (
        *statement.resources,
        *statement.not_resources,
        *(text for found in statement.comparisons for text in (found.key, *found.values)),
    )
    return any(f"principaltag/{tag}" in text.lower() for text in texts for tag in _TAGS)


def _of_pod(rights: Rights, association: PodIdentity, cluster_arn: str) -> Rights:
    account, region, name = association.cluster.split("/", 2)
    pinned = {
        "kubernetes-namespace": (association.namespace,),
        "kubernetes-service-account": (association.service_account,),
        "eks-cluster-name": (name,),
        "eks-cluster-arn": (cluster_arn or f"arn:aws:eks:{region}:{account}:cluster/{name}",),
    }
    session = SessionTags(rights.context.session.tags, None, pinned)
    node = Node(Kind.SERVICE_ACCOUNT, association.cluster, f"{association.namespace}/{association.service_account}")
    grants = tuple(replace(grant, via=(*grant.via, association.at)) for grant in rights.grants)
    known = {
        **rights.context.known,
        "aws:principaltag/kubernetes-pod-name": Open(Control.CALLER),
        "aws:principaltag/kubernetes-pod-uid": Open(Control.UNKNOWN),
    }
    return replace(rights, node=node, context=Context(known, session), grants=grants, _allows={}, _denies={})
