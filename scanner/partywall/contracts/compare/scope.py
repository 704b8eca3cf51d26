"""Where a tenant is and which data it brings, beside the contract."""

from collections.abc import Iterator, Sequence

from partywall.contracts.compare.case import Case
from partywall.contracts.containers import containers
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import part, record_of, texts
from partywall.contracts.things import selectors
from partywall.model.document import Gap
from partywall.model.facts_data import Bucket
from partywall.model.facts_kubernetes import Namespace
from partywall.model.node import Kind, Node
from partywall.model.tenancy import ClaimSource, Selector, Status

_DATA = ("buckets", "keys", "secrets", "repositories", "file_systems")


def compare_namespaces(case: Case) -> Iterator[Difference | Gap]:
    """Yield namespaces of the contract that are not there, and those of the tenant that the contract does not name."""
    approved = case.names("scope", "namespaces")
    if approved is None:
        return
    real = case.reality.namespaces.get(case.cluster, {})
    listed = case.listing("Namespace")
    is_left_out = case.is_left_out("Namespace") and not any(each.cluster == case.cluster for each in case.facts.of(Namespace))
    if is_left_out:
        what = f"the namespaces of cluster {case.cluster_word} were not listed, and other kinds were"
        yield case.unjudged("scope.namespaces", what, "kubectl get namespaces -o json")
    wanted = [next(selectors("namespaces", each, case.reality.tenancy.clusters, case.cluster)) for each in approved]
    for number, selector in enumerate(() if is_left_out else wanted):
        if any(selector.matches(Node(Kind.NAMESPACE, case.cluster, name)) for name in real):
            continue
        if listed is not None:
            message = (
                f"namespace {selector.name}, which the contract of {case.tenant} approves, does not exist in cluster {case.cluster_word}"
            )
            yield case.differs(
                "scope.namespaces",
                selector.name,
                Drift.NOT_REAL,
                selector.name,
                "no such namespace",
                message,
                (listed,),
                f"scope.namespaces.{number}",
            )
        else:
            yield case.unjudged(
                "scope.namespaces", f"the namespaces of cluster {case.cluster_word} were not listed", "kubectl get namespaces -o json"
            )
            break
    for name, at in real.items():
        node = Node(Kind.NAMESPACE, case.cluster, name)
        if case.owns(node) and not any(selector.matches(node) for selector in wanted):
            message = f"namespace {name} of {case.tenant} is in cluster {case.cluster_word}, and its contract does not name it"
            yield case.differs("scope.namespaces", name, Drift.NOT_APPROVED, ", ".join(approved) or "none", name, message, (at,))


def compare_data(case: Case) -> Iterator[Difference]:
    """Yield what tenants.yaml says is the tenant's and none of its contracts names, and buckets that are not there."""
    for key in _DATA:
        approved = case.names("data", key)
        if approved is not None:
            yield from _unnamed(case, "data", key)
            yield from _absent_buckets(case, approved) if key == "buckets" else ()


def compare_slurm_scope(case: Case) -> Iterator[Difference]:
    """Yield the Slurm accounts, partitions, QOS and users that tenants.yaml gives the tenant and none of its contracts names."""
    for key in ("slurm_accounts", "slurm_partitions", "slurm_qos", "users"):
        if case.names("scope", key) is not None:
            yield from _unnamed(case, "scope", key)


def _unnamed(case: Case, section: str, key: str) -> Iterator[Difference]:
    named = list(_selected(case, section, key))
    for claim in case.reality.tenancy.claims:
        if claim.source is not ClaimSource.TENANTS or claim.field != key or claim.owners != (case.tenant,) or not claim.selector.is_exact:
            continue
        if any(_within(claim.selector, each) for each in named):
            continue
        name = claim.selector.name
        message = f"{name} belongs to {case.tenant} by {claim.at.document}, and its contract does not name it"
        yield case.differs(
            f"{section}.{key}", name, Drift.NOT_APPROVED, ", ".join(case.names(section, key) or ()) or "none", name, message, (claim.at,)
        )


def _selected(case: Case, section: str, key: str) -> Iterator[Selector]:
    """Yield what all contracts of the tenant name under one key: a second cluster has a second contract."""
    for contract in case.reality.tenancy.contracts:
        if contract.tenant == case.tenant and contract.status is Status.APPROVED:
            for each in texts(part(record_of(contract), section), key):
                yield from selectors(key, each, case.reality.tenancy.clusters)


def _within(inner: Selector, outer: Selector) -> bool:
    """Tell whether an exact name is meant by a selector, itself or as a part of it (`bucket/prefix/` of `bucket`)."""
    node = Node(inner.kinds[0], "", inner.name)
    if Selector(outer.kinds, outer.name).matches(node) or outer.name in _short_forms(node):
        return True
    return outer.kinds != inner.kinds and any(Selector(outer.kinds, outer.name).matches(each) for each in containers(node, {}))


def _short_forms(node: Node) -> Sequence[str]:
    return (node.name.rsplit("/", 1)[-1], node.name.rsplit(":", 1)[-1])


def _absent_buckets(case: Case, approved: Sequence[str]) -> Iterator[Difference]:
    there = {bucket.name for bucket in case.facts.of(Bucket)}
    accounts = {scope for kind, scope in case.reality.listings if kind == "Bucket"}
    if not accounts:
        return
    for number, each in enumerate(approved):
        name = each.removeprefix("s3://").rsplit(":", 1)[-1].split("/")[0]
        at = [case.reality.listings["Bucket", account] for account in sorted(accounts)]
        if "*" not in name and "?" not in name and name not in there and _in_accounts(case, accounts):
            message = (
                f"bucket {name}, which the contract of {case.tenant} names, is not among "
                f"the buckets of account {', '.join(sorted(accounts))}"
            )
            yield case.differs("data.buckets", name, Drift.NOT_REAL, name, "no such bucket", message, at, f"data.buckets.{number}")


def _in_accounts(case: Case, accounts: set[str]) -> bool:
    """Tell whether every account in which the contract's data may lie was listed."""
    project = case.part("project")
    mine = {
        *texts(project, "data_accounts"),
        *(str(project[key]) for key in ("consumer_account",) if project.get(key)),
        str(case.part("cluster").get("account") or case.cluster.split("/")[0]),
        *(claim.selector.name for claim in case.reality.tenancy.claims if claim.field == "accounts" and claim.owners == (case.tenant,)),
    } - {""}
    return bool(mine) and mine <= accounts
