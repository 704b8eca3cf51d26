"""Those who may take a namespace's pod-security label off, and those who may make volumes of a node's own disk."""

from collections.abc import Iterable, Iterator

from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Namespace, Rule
from partywall.resolve.nodes.inside import nodes
from partywall.resolve.nodes.security import LABEL, minor_of, standard_of, way_out
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rights import is_administration, is_of_system, places_of

_VERB = "breaks out to"


def unlocks(facts: Facts, cluster: str, held: Iterable[Grant]) -> Iterator[Edge]:
    """Yield who gets onto the nodes after changing what holds them back."""
    minor = minor_of(facts, cluster)
    guarded = {space.name: space for space in facts.of(Namespace) if space.cluster == cluster and not way_out(standard_of(space), minor)}
    volumes: list[tuple[Grant, Rule]] = []
    makers: set[str] = set()
    for grant in held:
        if grant.cluster != cluster or is_of_system(grant.source) or is_administration(grant):
            continue
        yield from _relabelling(grant, guarded)
        if grant.is_wide:
            rule = next((rule for rule in grant.rules if allows(rule, "create", "", "persistentvolumes")), None)
            if rule:
                volumes.append((grant, rule))
        if any(allows(rule, "create", "", "pods") for rule in grant.rules):
            makers.add(str(grant.source))
    for grant, rule in volumes:
        if str(grant.source) in makers:
            # Pod Security looks at the pod's own hostPath only, not at what a claimed volume is.
            note = "may make a volume of any node's disk, and a pod that claims it"
            yield _edge(grant, rule, cluster, note)


def _relabelling(grant: Grant, guarded: dict[str, Namespace]) -> Iterator[Edge]:
    for name in places_of(grant, guarded):
        if not any(allows(rule, "create", "", "pods") for rule in grant.rules):
            continue
        rule = next((rule for rule in grant.rules if any(allows(rule, verb, "", "namespaces", name) for verb in ("patch", "update"))), None)
        if rule:
            note = f"after taking {LABEL} off namespace/{name}, which role {grant.role} lets it do"
            yield _edge(grant, rule, grant.cluster, note, guarded[name])


def _edge(grant: Grant, rule: Rule, cluster: str, note: str, space: Namespace | None = None) -> Edge:
    label = (space.at.below("metadata", "labels", LABEL),) if space else ()
    because = (*grant.shown(rule), *label)
    return Edge(grant.source, _VERB, nodes(cluster), because, grant.lever, grant.certainty, grant.condition, note)
