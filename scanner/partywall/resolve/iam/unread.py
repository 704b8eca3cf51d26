"""Roles that the input leads into and whose policies nobody read."""

from collections.abc import Iterator

from partywall.model.arn import account_of
from partywall.model.document import Direction, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import AccessEntry
from partywall.model.facts_studio import HyperPodCluster, StudioDomain, UserProfile
from partywall.resolve.iam.estate import POLICY_LANES
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate


def unread_roles(facts: Facts, estate: Estate) -> Iterator[Gap]:
    """Yield a gap for each role that a profile, connection or instance group names in an account whose details are not in the input."""
    for arn, at in _referred(facts).items():
        if arn in estate.rights or estate.knows(account_of(arn)):
            continue
        what = f"what role {arn} may do was not read"
        remedy = f"aws iam get-account-authorization-details (account {account_of(arn)})"
        yield Gap("iam", what, Reason.ABSENT, Direction.OUTGOING, (role_node(arn),), POLICY_LANES, remedy, at)


def _referred(facts: Facts) -> dict[str, Evidence]:
    """Return role ARNs that things outside IAM name; associations are the business of the Kubernetes side."""
    found: dict[str, Evidence] = {}
    for profile in facts.of(UserProfile):
        found.setdefault(profile.execution_role, profile.at)
    for domain in facts.of(StudioDomain):
        found.setdefault(domain.execution_role, domain.at)
    for connection in facts.of(ProjectConnection):
        found.setdefault(connection.access_role, connection.at)
    for entry in facts.of(AccessEntry):
        if entry.type == "STANDARD":
            found.setdefault(entry.principal, entry.at)
    for cluster in facts.of(HyperPodCluster):
        for group in cluster.groups:
            found.setdefault(group.role, group.at)
    return {arn: at for arn, at in found.items() if ":role/" in arn}
