"""Scope differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(
    id="PW705",
    name="scope-differs",
    severity=Severity.MEDIUM,
    asks=Differences("scope.namespaces", "scope.slurm_accounts", "scope.slurm_partitions", "scope.slurm_qos", "scope.users"),
)
def scope_differs(difference: Difference) -> str:
    """A tenant's namespaces or Slurm scope differ from its contract.

    Why it matters: what is outside the contract was never approved and is nobody's to review.

    Fix: add it to the contract, give it to its owner, or remove it.

    Blind spots: a scope that is only partly listed is not compared.
    """
    return difference.text
