"""The `aws-auth` ConfigMap: YAML inside strings (EKS user guide, "Grant IAM users access to Kubernetes with a ConfigMap")."""

from collections.abc import Iterator, Mapping

import yaml

from partywall.model.document import Direction, Gap, Origin, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_eks import MappedPrincipal
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, mapping, strings, text

_KEYS = {"mapRoles": "rolearn", "mapUsers": "userarn"}
_LANES = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)


def aws_auth(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read who comes in by the ConfigMap; a part that is no YAML list of rows is a gap, as EKS ignores it too."""
    data = mapping(obj, "data")
    for key, name in _KEYS.items():
        here = at.below("data", key)
        rows = _rows(text(data, key))
        if rows is None:
            yield _unreadable(key, here, origin)
            continue
        for row in rows:
            if isinstance(row, Mapping) and text(row, name):
                yield MappedPrincipal(origin.cluster, text(row, name), text(row, "username"), strings(row, "groups"), here)
            else:
                yield _unreadable(key, here, origin)
    for account in _rows(text(data, "mapAccounts")) or ():
        yield MappedPrincipal(origin.cluster, str(account), "", (), at.below("data", "mapAccounts"), account=True)


def _rows(written: str) -> list[Json] | None:
    if not written.strip():
        return []
    try:
        value: Json = yaml.safe_load(written)
    except yaml.YAMLError:
        return None
    return list(value) if isinstance(value, list) else None


def _unreadable(key: str, at: Evidence, origin: Origin) -> Gap:
    nodes = (Node(Kind.CLUSTER_ADMIN, origin.cluster, "*"), Node(Kind.NAMESPACES, origin.cluster, "*"))
    return Gap(
        at.document,
        f"a row of aws-auth {key} that cannot be read",
        Reason.UNPARSABLE,
        Direction.INCOMING,
        nodes,
        _LANES,
        "mend the YAML inside it",
        at,
    )
