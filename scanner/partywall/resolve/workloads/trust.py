"""Whether a role's trust policy takes the pods of one service account, as far as the association decides it."""

from collections.abc import Mapping
from dataclasses import dataclass

from partywall.model.atom import Atom, Control
from partywall.model.edge import Condition, when
from partywall.model.facts_eks import PodIdentity
from partywall.model.facts_iam import Comparison, Effect, Principal, Statement
from partywall.model.node import cluster_name
from partywall.model.residual import all_of, that
from partywall.model.thing import glob_matches

SERVICE = "pods.eks.amazonaws.com"
_EQUAL = frozenset({"stringequals", "arnequals", "stringequalsignorecase"})
_LIKE = frozenset({"stringlike", "arnlike"})


@dataclass(frozen=True, slots=True)
class Taken:
    """The trust policy takes the pods; `condition` is what is left to be decided."""

    condition: Condition | None


def session(identity: PodIdentity) -> Mapping[str, str]:
    """Return what EKS says of a pod's session (EKS user guide, "Grant Pods access to AWS resources based on tags"); keys are lower case."""
    account, region, name = identity.cluster.split("/") if identity.cluster.count("/") == 2 else ("", "", cluster_name(identity.cluster))
    arn = f"arn:aws:eks:{region}:{account}:cluster/{name}"
    known = {
        "aws:sourceaccount": account,
        "aws:sourcearn": arn,
        "aws:principalarn": identity.role_arn,
        "sts:externalid": identity.external_id,
    }
    if not identity.session_tags:
        return known
    tags = {
        "eks-cluster-arn": arn,
        "eks-cluster-name": name,
        "kubernetes-namespace": identity.namespace,
        "kubernetes-service-account": identity.service_account,
    }
    return {**known, **{f"aws:{kind}/{tag}": value for kind in ("requesttag", "principaltag") for tag, value in tags.items()}}


def taken(role: Principal, identity: PodIdentity, *, target: bool = False) -> Taken | None:
    """Tell whether a described role takes the pods: from the Pod Identity service, or (a target role) from the role of the association."""
    if role.trust is None:
        return Taken(None)
    best: Taken | None = None
    for statement in role.trust.statements:
        if statement.effect is not Effect.ALLOW or not _names(statement, identity, target) or not _assumes(statement):
            continue
        left = _left(statement.comparisons, session(identity))
        if left is not None:
            found = Taken(when(all_of(map(that, left)), f"the trust policy of {role.holder.name} says {_words(left)}"))
            if found.condition is None:
                return found
            best = best or found
    return best


def _assumes(statement: Statement) -> bool:
    if statement.not_actions:
        return not _any_like(tuple(action.lower() for action in statement.not_actions), "sts:assumerole")
    return bool(statement.broken) or _any_like(tuple(action.lower() for action in statement.actions), "sts:assumerole")


def _names(statement: Statement, identity: PodIdentity, target: bool) -> bool:
    if statement.broken or statement.not_principals:
        return True  # not understood, so not denied
    if not target:
        return any((name.kind == "Service" and name.name == SERVICE) or name.kind == "*" for name in statement.principals)
    account = identity.role_arn.split(":")[4] if identity.role_arn.count(":") > 4 else ""
    takers = {identity.role_arn, account, f"arn:aws:iam::{account}:root", "*"}
    return any(name.kind in ("AWS", "*") and name.name in takers for name in statement.principals)


def _left(comparisons: tuple[Comparison, ...], known: Mapping[str, str]) -> tuple[Atom, ...] | None:
    """Return what the session does not decide; None where it decides against."""
    left: list[Atom] = []
    for one in comparisons:
        operator = one.operator.lower().removesuffix("ifexists")
        value = known.get(one.key.lower())
        if value is None or operator not in _EQUAL | _LIKE:
            left.append(Atom(one.key, one.operator, one.values, Control.UNKNOWN))
        elif (operator in _EQUAL and value not in one.values and not (operator == "arnequals" and _any_like(one.values, value))) or (
            operator in _LIKE and not _any_like(one.values, value)
        ):
            return None
    return tuple(left)


def _any_like(values: tuple[str, ...], value: str) -> bool:
    return any(glob_matches(pattern, value) for pattern in values)


def _words(atoms: tuple[Atom, ...]) -> str:
    return " and ".join(f"{atom.key} {atom.operator} {', '.join(atom.values)}" for atom in atoms)
