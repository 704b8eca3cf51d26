"""Which things the keys of the tenancy files mean, as canonical nodes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from partywall.model.node import Kind
from partywall.model.tenancy import ClusterRecord, Selector

_ECR_URI = re.compile(
    r"(?P<account>\d{12})\.dkr\.ecr(?:-fips)?\.(?P<region>[a-z0-9-]+)\.amazonaws\.com(?P<china>\.cn)?/(?P<name>[^:@]+)(?:[:@].*)?"
)
_KIND_OF_ARN = ((":user/", Kind.IAM_USER), (":group/", Kind.IAM_GROUP))


def _plain(*kinds: Kind) -> Callable[[str], Iterator[Selector]]:
    def select(text: str) -> Iterator[Selector]:
        yield Selector(kinds, text)

    return select


def _principal(text: str) -> Iterator[Selector]:
    kind = next((kind for mark, kind in _KIND_OF_ARN if mark in text), Kind.ROLE)
    yield Selector((kind,), text)


def _user(text: str) -> Iterator[Selector]:
    yield Selector((Kind.IAM_USER if text.startswith("arn:") else Kind.OS_USER,), text)


def _bucket(text: str) -> Iterator[Selector]:
    path = text.removeprefix("s3://")
    if path.startswith("arn:"):
        path = path.split(":", 5)[-1]
    bucket, _, prefix = path.partition("/")
    if prefix in ("", "*"):
        yield Selector((Kind.BUCKET,), bucket)
        return
    yield Selector(
        (Kind.PREFIX,),
        f"{bucket}/{prefix.removesuffix('*').removesuffix('/')}/" if prefix.endswith("/*") else f"{bucket}/{prefix.removesuffix('/')}/",
    )


def _repository(text: str) -> Iterator[Selector]:
    uri = _ECR_URI.fullmatch(text)
    if uri is None:
        yield Selector((Kind.REPOSITORY,), text)
        return
    partition = "aws-cn" if uri["china"] else "aws"
    yield Selector((Kind.REPOSITORY,), f"arn:{partition}:ecr:{uri['region']}:{uri['account']}:repository/{uri['name']}")


def _file_system(text: str) -> Iterator[Selector]:
    home, found, path = text.partition(":/") if not text.startswith("arn:") else (text, "", "")
    if not found or not path.strip("/"):
        yield Selector((Kind.FILE_SYSTEM,), home.rsplit("/", 1)[-1] if home.startswith("arn:") else home.removesuffix(":"))
        return
    yield Selector((Kind.DIRECTORY,), f"{home}:/{path.strip('/')}")


SELECTS: Mapping[str, Callable[[str], Iterator[Selector]]] = {
    "accounts": _plain(Kind.ACCOUNT),
    "namespaces": _plain(Kind.NAMESPACE),
    "kubernetes_groups": _plain(Kind.GROUP),
    "identity_groups": _plain(Kind.IDENTITY_GROUP),
    "roles": _principal,
    "human_roles": _principal,
    "workload_roles": _principal,
    "studio_roles": _principal,
    "projects": _plain(Kind.PROJECT),
    "buckets": _bucket,
    "keys": _plain(Kind.KEY),
    "secrets": _plain(Kind.SECRET),
    "repositories": _repository,
    "file_systems": _file_system,
    "slurm_accounts": _plain(Kind.SLURM_ACCOUNT),
    "slurm_partitions": _plain(Kind.PARTITION),
    "slurm_qos": _plain(Kind.QOS),
    "users": _user,
}

CLUSTERED = frozenset({"namespaces", "slurm_accounts", "slurm_partitions", "slurm_qos", "users", "kubernetes_groups"})


def selectors(key: str, text: str, clusters: Sequence[ClusterRecord], home: str = "") -> Iterator[Selector]:
    """Yield what one entry of a key selects. `home` is the scope of the contract that says so; without one, it holds on every cluster."""
    if key not in CLUSTERED or text.startswith("arn:"):
        yield from SELECTS[key](text)
        return
    name, scope = text, home
    if key == "namespaces" and "/" in text:
        cluster, _, name = text.rpartition("/")
        scope = cluster_scope(cluster, clusters)
    for each in SELECTS[key](name):
        yield Selector(each.kinds, each.name, scope)


def cluster_scope(name: str, clusters: Sequence[ClusterRecord], account: str = "", region: str = "") -> str:
    """Return the scope of a cluster: by its name alone while only one bears it, so that a record with a wrong account still means it."""
    scopes = {each.scope for each in clusters if each.name == name}
    if len(scopes) < 2 or not account:
        return f"*/{name}"
    return f"{account}/{region or '*'}/{name}"
