"""Roles that a principal may hand to a service which then works for it."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.atom import Control
from partywall.model.edge import Edge
from partywall.model.facts_iam import Principal
from partywall.model.node import Node
from partywall.resolve.iam.catalogue import ASSOCIATE, LAUNCHES, PASS_ROLE, Launch
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import SERVICE_PATH, SSO_PATH
from partywall.resolve.iam.rights import Estate, Rights, denials
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import ASSUME, on_role, trust_grants
from partywall.resolve.iam.ways import Way, identity_ways, opened, surest


def trusting(role: Principal, service: str, keys: Mapping[str, Value]) -> list[Way]:
    """Return the trust statements by which a service may take a role, for a request with these keys."""
    context = Context({"aws:principalisawsservice": ("true",), "aws:principalservicename": (service,), **keys})
    request = Request(ASSUME, role.arn, context)
    grants = [
        grant for grant in trust_grants(role) if any(name.kind == "Service" and name.name == service for name in grant.statement.principals)
    ]
    return [way for grant in grants if (way := opened(grant, denials(grants), request)) is not None]


def service_keys(launch: Launch, account: str, clusters: Iterable[str]) -> dict[str, Value]:
    """Return the keys of a service's own request for a role.

    EKS user guide, "Create IAM role with trust policy required by EKS Pod Identity": the association's namespace and service account
    are request
    tags. Whoever may associate chooses them, but gets to pods of foreign namespaces no better than before: what is pinned to one is no
    way in.
    """
    arns = tuple(clusters)
    if launch not in ASSOCIATE:
        return {"aws:sourceaccount": (account,), "aws:sourcearn": Chosen("*")}
    names = tuple(arn.rsplit("/", 1)[-1] for arn in arns)
    return {
        "aws:sourceaccount": (account,),
        "aws:sourcearn": arns if len(arns) == 1 else Chosen(f"arn:aws:eks:*:{account}:cluster/*"),
        "aws:requesttag/eks-cluster-arn": arns if len(arns) == 1 else Open(Control.CALLER),
        "aws:requesttag/eks-cluster-name": names if len(names) == 1 else Open(Control.CALLER),
        "aws:requesttag/kubernetes-namespace": (),
        "aws:requesttag/kubernetes-service-account": (),
    }


def passing_edges(estate: Estate, clusters: Mapping[str, tuple[str, ...]], administrators: frozenset[Node]) -> Iterator[Edge]:
    """Yield who may pass which role to what; `clusters` are the ARNs of known EKS clusters by account.

    Administrators have everything anyway.
    """
    roles = _passable(estate)
    trusts: dict[tuple[str, str], list[Way]] = {}
    for rights in estate.askers():
        if rights.node in administrators or not rights.allows(PASS_ROLE):
            continue
        known = clusters.get(rights.account, ())
        for launch, start in _launches(rights, known):
            keys = service_keys(launch, rights.account, known)
            for role in roles.get((rights.account, launch.service), ()):
                place = (role.principal.arn, launch.service)
                if place not in trusts:
                    trusts[place] = trusting(role.principal, launch.service, keys)
                if role is not rights and trusts[place]:
                    yield from _passed(rights, launch, start.joined(surest(trusts[place])), role)


def _launches(rights: Rights, clusters: tuple[str, ...]) -> Iterator[tuple[Launch, Way]]:
    """Yield the surest launch of each service and verb: the role that is passed, not the launch, is what others lose."""
    best: dict[tuple[str, str], tuple[Launch, Way]] = {}
    for launch in (*ASSOCIATE, *LAUNCHES):
        start = _launch_way(rights, launch, clusters)
        key = (launch.service, launch.verb)
        if start is not None and (key not in best or start.certainty < best[key][1].certainty):
            best[key] = (launch, start)
    yield from best.values()


def _passable(estate: Estate) -> dict[tuple[str, str], list[Rights]]:
    """Sort the roles by account and by the services that they name; provisioned and service-linked roles cannot be passed."""
    found: dict[tuple[str, str], list[Rights]] = {}
    for rights in estate.rights.values():
        if rights.principal.trust is None or SSO_PATH in rights.principal.arn or SERVICE_PATH in rights.principal.arn:
            continue
        services = {name.name for statement in rights.principal.trust.statements for name in statement.principals if name.kind == "Service"}
        for service in sorted(services):
            found.setdefault((rights.account, service), []).append(rights)
    return found


def _launch_way(rights: Rights, launch: Launch, clusters: tuple[str, ...]) -> Way | None:
    """Return the surest way to do all of a launch's actions on something of the account."""
    joined: Way | None = None
    for action in launch.actions:
        way = _any_region(rights, action, clusters)
        if way is None:
            return None
        joined = way if joined is None else joined.joined(way)
    return joined


def _any_region(rights: Rights, action: str, clusters: tuple[str, ...]) -> Way | None:
    service = action.split(":", 1)[0]
    regions = clusters if service == "eks" and clusters else (f"arn:aws:{service}:*:{rights.account}:*",)
    found = [way for region in regions for way in identity_ways(rights, Request(action, region, rights.context))]
    return surest(found) if found else None


def _passed(rights: Rights, launch: Launch, start: Way, role: Rights) -> Iterator[Edge]:
    if launch.needs_profile and role.principal.policies_read and not role.principal.profiles:
        return
    request = on_role(
        rights, role.principal, PASS_ROLE, {"iam:passedtoservice": (launch.service,), "iam:associatedresourcearn": Chosen("*")}
    )
    for way in identity_ways(rights, request):
        yield edge(rights.node, launch.verb, role.node, way.joined(start), note=f"with {' and '.join(launch.actions)}")
