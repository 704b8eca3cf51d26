"""Which roles act by themselves, because who enters them is not fully known."""

from collections.abc import Iterable, Iterator

from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Facts, Named
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import NodeGroup, PodIdentity
from partywall.model.facts_iam import Effect, HolderKind, Principal, Statement
from partywall.model.facts_identity_center import Assignment, Entitlement, PermissionSet
from partywall.model.facts_studio import HyperPodCluster, StudioDomain, UserProfile
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing
from partywall.model.verbs import Lane
from partywall.resolve.iam.federation import provider_issuer
from partywall.resolve.iam.naming import SERVICE_PATH, SSO_PATH, account_node, permission_set_of
from partywall.resolve.iam.rights import Estate, Rights

_IN_ACCOUNT = (Kind.ROLE, Kind.IAM_USER, Kind.KEY, Kind.SECRET, Kind.REPOSITORY)


def things(facts: Facts, estate: Estate, issuers: Iterable[str], entered: frozenset[Node]) -> Iterator[Thing | Gap]:
    """Yield what stands on each role and account beside its edges. `entered` are the roles that some known thing gets into."""
    known = _known_entries(facts) | entered
    named = {fact.node for fact in facts.of(Named)}
    nodes = _node_roles(facts)
    for rights in estate.rights.values():
        if rights.principal.holder.kind is HolderKind.ROLE:
            yield _role(rights, nodes, starts=rights.node in named or _starts(rights, frozenset(issuers), known))
            yield from _trust_gaps(rights)
        else:
            yield Thing(rights.node, rights.principal.at)
    for account in sorted({rights.account for rights in estate.rights.values()}):
        at = next(rights.principal.at for rights in estate.rights.values() if rights.account == account)
        covers = tuple(Cover(kind, account) for kind in _IN_ACCOUNT)
        yield Thing(account_node(account), at, standing=Standing.SCOPE, starts=False, covers=covers)


def _role(rights: Rights, nodes: frozenset[str], *, starts: bool) -> Thing:
    platform = SERVICE_PATH in rights.principal.arn or rights.principal.arn in nodes
    return Thing(rights.node, rights.principal.at, standing=Standing.PLATFORM if platform else None, starts=starts)


def _node_roles(facts: Facts) -> frozenset[str]:
    of_instances = (group.role for cluster in facts.of(HyperPodCluster) for group in cluster.groups)
    return frozenset(role for role in (*of_instances, *(group.role_arn for group in facts.of(NodeGroup))) if role)


def _known_entries(facts: Facts) -> frozenset[Node]:
    """Return the roles that associations, profiles, instance groups, connections and assignments lead into."""
    arns = [association.role_arn for association in facts.of(PodIdentity)]
    arns += [association.target_role_arn for association in facts.of(PodIdentity)]
    arns += [profile.execution_role for profile in facts.of(UserProfile)]
    arns += [role for domain in facts.of(StudioDomain) for role in (domain.execution_role, domain.space_role)]
    arns += [group.role for cluster in facts.of(HyperPodCluster) for group in cluster.groups]
    arns += [role for connection in facts.of(ProjectConnection) for role in (connection.access_role, connection.project_role)]
    arns += [entitlement.role_arn for entitlement in facts.of(Entitlement)]
    entered = set(arns)
    names = {permission_set.arn: permission_set.name for permission_set in facts.of(PermissionSet) if permission_set.name}
    assigned = {(assignment.account, names.get(assignment.permission_set, "")) for assignment in facts.of(Assignment)}
    return frozenset(
        Node(Kind.ROLE, principal.holder.account, principal.arn)
        for principal in facts.of(Principal)
        if principal.arn in entered or (principal.holder.account, permission_set_of(principal.holder.name) or "-") in assigned
    )


def _starts(rights: Rights, issuers: frozenset[str], known: frozenset[Node]) -> bool:
    """Tell whether somebody unknown may enter: nobody known does, or the trust names what is not modelled here."""
    trust = rights.principal.trust
    if trust is None or SERVICE_PATH in rights.principal.arn:
        return trust is None
    if rights.node not in known:
        return True
    return any(_is_unmodelled(statement, rights, issuers) for statement in trust.statements if statement.effect is Effect.ALLOW)


_MODELLED = frozenset(
    {
        "ec2.amazonaws.com",
        "sagemaker.amazonaws.com",
        "pods.eks.amazonaws.com",
        "eks.amazonaws.com",
        "datazone.amazonaws.com",
        "hyperpod.sagemaker.amazonaws.com",
    }
)


def _is_unmodelled(statement: Statement, rights: Rights, issuers: frozenset[str]) -> bool:
    services = {name.name for name in statement.principals if name.kind == "Service"}
    if services - _MODELLED:
        return True
    providers = [name for name in statement.principals if name.kind == "Federated"]
    if not providers:
        return False
    return SSO_PATH not in rights.principal.arn and provider_issuer(statement, rights.account) not in issuers


def _trust_gaps(rights: Rights) -> Iterator[Gap]:
    trust = rights.principal.trust
    for statement in trust.statements if trust else ():
        if statement.broken:
            what = f"a statement of the trust policy of role {rights.principal.holder.name} cannot be evaluated: {statement.broken}"
            yield Gap(
                "iam",
                what,
                Reason.UNEVALUABLE,
                Direction.INCOMING,
                (rights.node,),
                (Lane.IDENTITY,),
                "correct the trust policy",
                statement.at,
            )
