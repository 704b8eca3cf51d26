"""The tree of Slurm accounts, as far as it was read."""

from collections.abc import Iterator, Mapping

from partywall.model.facts import Facts
from partywall.model.facts_slurm import Association

# Slurm, "Accounting and Resource Limits": the account `root` is made with the database, and all others lie below it.
ROOT = "root"

Parents = Mapping[tuple[str, str], str]


def parents_in(facts: Facts) -> Parents:
    """Return the parent of each (cluster, account) that says one."""
    rows = (row for row in facts.of(Association) if not row.user and row.parent and row.account != ROOT)
    return {(row.cluster, row.account): row.parent for row in rows}


def lineage(cluster: str, account: str, parents: Parents) -> Iterator[str]:
    """Yield an account and those above it, without the root. A circle ends it."""
    seen: set[str] = set()
    while account and account != ROOT and account not in seen:
        yield account
        seen.add(account)
        account = parents.get((cluster, account), "")


def top(cluster: str, account: str, parents: Parents) -> str:
    """Return the account right below the root that an account lies in; the root itself has none."""
    return (["", *lineage(cluster, account, parents)])[-1]
