"""The nodes of a Slurm cluster."""

from partywall.model.node import Kind, Node


def account(scope: str, name: str) -> Node:
    """Return an account."""
    return Node(Kind.SLURM_ACCOUNT, scope, name)


def user(scope: str, name: str) -> Node:
    """Return a login, which is Slurm's user and the system's."""
    return Node(Kind.OS_USER, scope, name)


def partition(scope: str, name: str) -> Node:
    """Return a partition."""
    return Node(Kind.PARTITION, scope, name)


def everybody(scope: str) -> Node:
    """Return the place where all users of the cluster are."""
    return Node(Kind.LOGIN_NODE, scope, "*")


def jobs(scope: str) -> Node:
    """Return the jobs of all accounts."""
    return Node(Kind.SLURM_JOBS, scope, "*")


def accounting(scope: str) -> Node:
    """Return what accounting keeps of the jobs of all accounts."""
    return Node(Kind.SLURM_JOBS, scope, "accounting")


def usage(scope: str) -> Node:
    """Return how much all accounts used."""
    return Node(Kind.SLURM_JOBS, scope, "usage")


def accounts(scope: str) -> Node:
    """Return all accounts."""
    return Node(Kind.SLURM_ACCOUNTS, scope, "*")


def reservation(scope: str, name: str) -> Node:
    """Return a reservation."""
    return Node(Kind.RESERVATION, scope, name)


def capacity(scope: str) -> Node:
    """Return the capacity that all accounts share."""
    return Node(Kind.CAPACITY, scope, "*")


def administrator(scope: str) -> Node:
    """Return the power over all of Slurm."""
    return Node(Kind.SLURM_ADMIN, scope, "*")
