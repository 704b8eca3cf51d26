"""Writing `aws-auth`: whoever may change the ConfigMap maps any principal to `system:masters`, where the cluster reads it."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.model.facts_eks import AuthenticationMode, EksCluster
from partywall.model.facts_kubernetes import Rule
from partywall.resolve.rbac.escalation import EVERYTHING
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rbac.places import admin

_HOME, _NAME = "kube-system", "aws-auth"
_EVERYTHING = frozenset(EVERYTHING)


def mappers(facts: Facts, grants: Iterable[Grant]) -> Iterator[Edge]:
    """Yield an edge from each source that may write the ConfigMap, on clusters of EKS that read it."""
    modes: Mapping[str, AuthenticationMode | None] = {cluster.cluster: cluster.mode for cluster in facts.of(EksCluster)}
    for grant in grants:
        if grant.namespace not in ("", _HOME) or grant.cluster not in modes or modes[grant.cluster] is AuthenticationMode.API:
            continue
        if grant.is_wide and _EVERYTHING.intersection(grant.rules):
            continue  # an administrator already
        rule = next(filter(_writes, grant.rules), None)
        if rule is not None:
            doubt = Certainty.UNKNOWN if modes[grant.cluster] is None else Certainty.SURE
            note = f"may map anybody to system:masters in ConfigMap {_NAME} ({grant.role})"
            certainty = max(grant.certainty, doubt)
            target = admin(grant.cluster)
            yield Edge(grant.source, "becomes administrator of", target, grant.shown(rule), grant.lever, certainty, grant.condition, note)


def _writes(rule: Rule) -> bool:
    return any(allows(rule, verb, "", "configmaps", _NAME) for verb in ("update", "patch"))
