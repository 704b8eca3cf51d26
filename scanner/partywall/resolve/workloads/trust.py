"""Whether a role's trust policy takes the pods of one service account, as far as the association decides it.

EKS user guide, "Create IAM role with trust policy required by EKS Pod Identity" and "Access AWS resources using EKS Pod Identity target
IAM roles": the trust policy must allow `sts:AssumeRole`, and `sts:TagSession` too unless the association turns session tags off.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from partywall.model.arn import account_of, last_name
from partywall.model.atom import Control
from partywall.model.edge import Condition, when
from partywall.model.facts_eks import PodIdentity
from partywall.model.facts_iam import Effect, Holder, HolderKind, Principal, Statement
from partywall.model.node import cluster_name
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of, negated, phrase
from partywall.resolve.iam.context import Context, Open, Value
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import caller_of, named_by
from partywall.resolve.iam.statements import Request, applies
from partywall.resolve.iam.trust import ASSUME, trust_grants
from partywall.resolve.iam.witness import settled

SERVICE = "pods.eks.amazonaws.com"
TAG = "sts:tagsession"


@dataclass(frozen=True, slots=True)
class Taken:
    """The trust policy takes the pods; `condition` is what is left to be decided."""

    condition: Condition | None


def session(identity: PodIdentity) -> Mapping[str, Value]:
    """Return what EKS says of a pod's session (EKS user guide, "Grant Pods access to AWS resources based on tags"); keys are lower case."""
    account, region, name = identity.cluster.split("/") if identity.cluster.count("/") == 2 else ("", "", cluster_name(identity.cluster))
    arn = f"arn:aws:eks:{region}:{account}:cluster/{name}"
    tags: dict[str, Value] = {
        "eks-cluster-arn": (arn,),
        "eks-cluster-name": (name,),
        "kubernetes-namespace": (identity.namespace,),
        "kubernetes-service-account": (identity.service_account,),
        "kubernetes-pod-name": Open(Control.CALLER),
        "kubernetes-pod-uid": Open(Control.UNKNOWN),
    }
    carried = {tag: value if identity.session_tags else () for tag, value in tags.items()}
    keys = tuple(tags) if identity.session_tags else ()
    return {
        "aws:sourceaccount": (account,),
        "aws:sourcearn": (arn,),
        "aws:sourceorgid": Open(Control.UNKNOWN),
        "aws:sourceorgpaths": Open(Control.UNKNOWN),
        "aws:tagkeys": keys,
        "sts:transitivetagkeys": keys,
        **{f"aws:{kind}/{tag}": value for kind in ("requesttag", "principaltag") for tag, value in carried.items()},
    }


def taken(role: Principal, identity: PodIdentity, *, target: bool = False) -> Taken | None:
    """Tell whether a described role takes the pods: from the Pod Identity service, or (a target role) from the role of the association."""
    if role.trust is None:
        return Taken(None)
    context = Context(_target_keys(identity) if target else _service_keys(identity))
    actions = (ASSUME, TAG) if identity.session_tags else (ASSUME,)
    left = settled(all_of(_left(role, identity, Request(action, role.arn, context), target=target) for action in actions), context)
    return None if left is FALSE else Taken(when(left, f"the trust policy of {role.holder.name} says {phrase(left)}"))


def _left(role: Principal, identity: PodIdentity, request: Request, *, target: bool) -> Residual:
    """Return under which condition the trust policy allows an action; a statement that is not understood neither gives nor takes."""
    grants = [(grant, named) for grant in trust_grants(role) if (named := _names(grant.statement, identity, target)) is not FALSE]
    allows = (all_of((named, applies(grant.statement, request))) for grant, named in grants if grant.statement.effect is Effect.ALLOW)
    against = any_of(all_of((named, applies(grant.statement, request))) for grant, named in grants if _denies(grant))
    return all_of((any_of(allows), negated(against)))


def _denies(grant: Grant) -> bool:
    return grant.statement.effect is Effect.DENY


def _service_keys(identity: PodIdentity) -> dict[str, Value]:
    return {**session(identity), "aws:principalisawsservice": ("true",), "aws:principalservicename": (SERVICE,)}


def _target_keys(identity: PodIdentity) -> dict[str, Value]:
    return {
        **session(identity),
        "aws:principalarn": (identity.role_arn,),
        "aws:principalaccount": (account_of(identity.role_arn),),
        "sts:externalid": (identity.external_id,) if identity.external_id else Open(Control.UNKNOWN),
    }


def _names(statement: Statement, identity: PodIdentity, target: bool) -> Residual:
    """Return under which condition a statement names who asks for the role."""
    if statement.broken:
        return TRUE
    if target:
        naming = named_by(statement, caller_of(_source(identity)))
        return FALSE if naming.how is None else naming.residual
    if statement.not_principals:
        return FALSE if any((name.kind, name.name) == ("Service", SERVICE) for name in statement.not_principals) else TRUE
    named = any((name.kind == "Service" and name.name == SERVICE) or name.kind == "*" for name in statement.principals)
    return TRUE if named else FALSE


def _source(identity: PodIdentity) -> Principal:
    arn = identity.role_arn
    return Principal(Holder(HolderKind.ROLE, account_of(arn), last_name(arn)), arn, identity.at)
