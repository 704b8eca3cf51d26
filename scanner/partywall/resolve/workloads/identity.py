"""Pod Identity and IRSA: which role the pods of a service account get. An association counts by name: the account may be made later."""

from collections.abc import Iterator

from partywall.model.atom import Atom, Control
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Certainty, Change, Condition, Edge, Lever, Move, when
from partywall.model.facts import Facts
from partywall.model.facts_eks import PodIdentity, PodIdentityName
from partywall.model.facts_kubernetes import ServiceAccount
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.residual import that
from partywall.model.verbs import Lane
from partywall.resolve.eks.principals import Principals, account_of, principal_node, principals, stable
from partywall.resolve.twins import distinct
from partywall.resolve.workloads.trust import taken

_LANES = (Lane.DATA, Lane.IDENTITY, Lane.ACT)


def account_node(cluster: str, namespace: str, name: str) -> Node:
    """Return the node of a service account."""
    return Node(Kind.SERVICE_ACCOUNT, cluster, f"{namespace}/{name}")


def identities(facts: Facts) -> Iterator[Edge | Gap]:
    """Yield the roles that service accounts get, and what is unread of them."""
    known = principals(facts)
    asked: set[str] = set()
    for identity, copies in distinct(facts.of(PodIdentity), _content):
        for arn, is_target in ((identity.role_arn, False), (identity.target_role_arn, True)):
            if arn:
                yield from _edge(identity, copies, arn, is_target, known)
                if arn not in asked:
                    asked.add(arn)
                    yield from _unread(arn, identity, known)
    yield from _undescribed(facts)
    yield from _annotated(facts, known)


def _content(identity: PodIdentity) -> tuple[str, ...]:
    names = (identity.cluster, identity.namespace, identity.service_account, identity.association)
    return (*names, identity.role_arn, identity.target_role_arn, identity.policy)


def _edge(identity: PodIdentity, copies: tuple[PodIdentity, ...], arn: str, is_target: bool, known: Principals) -> Iterator[Edge]:
    if known.is_gone(arn):
        return
    role = known.described.get(known.canonical(arn))
    condition: Condition | None = None
    because = [identity.at.below("targetRoleArn" if is_target else "roleArn")]
    if role is not None:
        answer = taken(role, identity, target=is_target)
        if answer is None:
            return
        condition = answer.condition
        because.append(role.trust.at if role.trust else role.at)
    if identity.policy and condition is None:
        atom = Atom("eks:session-policy", "Allows", (identity.association,), Control.UNKNOWN)
        condition = when(that(atom), f"the session policy of association {identity.association} allows what follows")
    source = account_node(identity.cluster, identity.namespace, identity.service_account)
    certainty = Certainty.CONDITIONAL if condition else Certainty.SURE
    note = f"association {identity.association}" + (" (target role)" if is_target else "")
    yield Edge(
        source,
        "runs as",
        principal_node(known.canonical(arn)),
        tuple(because),
        _lever(identity, copies, arn, is_target),
        certainty,
        condition,
        note,
    )


def _lever(identity: PodIdentity, copies: tuple[PodIdentity, ...], arn: str, is_target: bool) -> Lever:
    name = f"{identity.namespace}/{identity.service_account}"
    where = cluster_name(identity.cluster)
    text = f"give service account {name} on {where} another role than {arn}, or delete association {identity.association}"
    place = identity.at.below("targetRoleArn" if is_target else "roleArn")
    return Lever(Move.REMOVE, "PodIdentityAssociation", identity.cluster, name, (place,), text, stable(arn), Change(copies))


def _unread(arn: str, identity: PodIdentity, known: Principals) -> Iterator[Gap]:
    if known.canonical(arn) in known.described or account_of(arn) in known.listed:
        return
    yield role_gap(arn, f"the policies of {arn}, the role of association {identity.association}", identity)


def role_gap(arn: str, what: str, because: PodIdentity | ServiceAccount, holder: Node | None = None) -> Gap:
    """Return the gap of a role whose rights were not read."""
    account = account_of(arn)
    command = "get-account-authorization-details"
    remedy = f"aws iam {command} --output json > aws-iam-{command}--{account}.json (in account {account})"
    nodes = (holder or principal_node(arn),)
    return Gap("iam:get-account-authorization-details", what, Reason.ABSENT, Direction.OUTGOING, nodes, _LANES, remedy, because.at)


def _undescribed(facts: Facts) -> Iterator[Gap]:
    described = {(one.cluster, one.namespace, one.service_account) for one in facts.of(PodIdentity)}
    for name in facts.of(PodIdentityName):
        if (name.cluster, name.namespace, name.service_account) in described:
            continue
        command = "describe-pod-identity-association"
        asked = f"--cluster-name {cluster_name(name.cluster)} --association-id {name.association}"
        remedy = f"aws eks {command} {asked} --output json > aws-eks-{command}--{name.association}.json"
        what = f"the role of association {name.association} of service account {name.namespace}/{name.service_account}"
        nodes = (account_node(name.cluster, name.namespace, name.service_account),)
        yield Gap(f"eks:{command}", what, Reason.ABSENT, Direction.OUTGOING, nodes, _LANES, remedy, name.at)


def _annotated(facts: Facts, known: Principals) -> Iterator[Gap]:
    """An IRSA annotation grants nothing; the role's trust does, and where that is unread nobody knows."""
    for account in facts.of(ServiceAccount):
        arn = account.role_arn
        if arn and not known.is_read(arn) and not known.is_gone(arn):
            what = f"the trust policy of {arn}, which service account {account.namespace}/{account.name} asks for"
            yield role_gap(arn, what, account, account_node(account.cluster, account.namespace, account.name))
