"""Run workloads in foreign namespaces."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW102",
    name="run-workloads-in-foreign-namespaces",
    severity=Severity.CRITICAL,
    asks=Crossings("create workloads", "patch workloads", "contains", "works on"),
)
def run_workloads_in_foreign_namespaces(crossing: Crossing) -> str:
    """A member of one tenant can start or change workloads in another tenant's namespace.

    Why it matters: whoever may create pods in a namespace may name any of its service accounts,
    and so takes their roles and their data.

    Fix: bind the role in the caller's own namespace only; for an EKS access policy use
    namespace scope and name the namespaces in full.

    Blind spots: whether an operator's own kind lets its author choose the service account is
    taken to be so.
    """
    return f"{crossing.source} can run workloads in {crossing.target}{crossing.if_condition}"
