"""Studio and HyperPod from the side of AWS: profiles, sessions on nodes, cluster changes, projects and their connections."""

from collections.abc import Iterator

from partywall.model.facts import Facts, Named
from partywall.model.facts_datazone import DataDomain, Project, ProjectConnection, ProjectEnvironment, ProjectMember
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AssociationsRead, MappedPrincipal, NodeGroup
from partywall.model.facts_identity_center import Membership, StoreGroup, StoreUser
from partywall.model.facts_kubernetes import Binding, ClusterNode
from partywall.model.facts_studio import SessionPreferences, StudioDomain, StudioSpace, UserProfile
from partywall.resolve import Resolved, Resolver
from partywall.resolve.iam.edges import distinct
from partywall.resolve.iam.estate import ESTATE_FACTS, estate
from partywall.resolve.rights import RIGHTS_READ
from partywall.resolve.studio.clusters import cluster_edges, cluster_things
from partywall.resolve.studio.doors import door_edges
from partywall.resolve.studio.profiles import profile_edges, profile_things
from partywall.resolve.studio.projects import project_edges, project_things
from partywall.resolve.studio.sessions import session_edges, session_gaps
from partywall.resolve.studio.taskview import task_view_edges
from partywall.resolve.studio.vending import vending_edges


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield what Studio, HyperPod, Session Manager and DataZone let whom do."""
    world = estate(facts)
    yield from profile_things(facts)
    yield from cluster_things(facts)
    yield from project_things(facts)
    yield from distinct(profile_edges(facts, world))
    yield from distinct(session_edges(facts, world))
    yield from distinct(cluster_edges(facts, world))
    yield from distinct(door_edges(facts, world))
    yield from distinct(project_edges(facts, world))
    yield from distinct(task_view_edges(facts, world))
    yield from distinct(vending_edges(facts, world))
    yield from session_gaps(facts, world)


RESOLVER = Resolver(
    "studio",
    (
        *ESTATE_FACTS,
        *RIGHTS_READ,
        AssociationsRead,
        MappedPrincipal,
        StudioDomain,
        UserProfile,
        StudioSpace,
        SessionPreferences,
        DataDomain,
        Project,
        ProjectConnection,
        ProjectEnvironment,
        ProjectMember,
        AccessEntryName,
        AccessEntry,
        NodeGroup,
        ClusterNode,
        Binding,
        StoreUser,
        StoreGroup,
        Membership,
        Named,
    ),
    resolve,
)
