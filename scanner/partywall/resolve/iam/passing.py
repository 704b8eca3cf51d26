"""Roles that a principal may hand to a service which then works for it.

IAM user guide, "Grant a user permissions to pass a role to an AWS service": `iam:PassRole` is asked on the role that is passed, of the
caller's own account, and the role's trust policy must admit the service.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from partywall.model.atom import Control
from partywall.model.edge import Certainty, Edge
from partywall.model.facts_iam import Principal
from partywall.model.node import Node
from partywall.resolve.iam.abilities import Able
from partywall.resolve.iam.catalogue import PASS_ROLE, Path, catalogue
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.heads import speaks_of
from partywall.resolve.iam.naming import SERVICE_PATH, SSO_PATH
from partywall.resolve.iam.rights import Estate, Rights, denials
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import ASSUME, on_role, trust_grants
from partywall.resolve.iam.ways import Way, identity_ways, opened, surest

PODS = "pods.eks.amazonaws.com"


def trusting(role: Principal, service: str, keys: Mapping[str, Value], action: str = ASSUME) -> list[Way]:
    """Return the trust statements by which a service may take a role, for a request with these keys."""
    context = Context({"aws:principalisawsservice": ("true",), "aws:principalservicename": (service,), **keys})
    request = Request(action, role.arn, context)
    grants = [
        grant for grant in trust_grants(role) if any(name.kind == "Service" and name.name == service for name in grant.statement.principals)
    ]
    return [way for grant in grants if (way := opened(grant, denials(grants), request)) is not None]


def service_keys(service: str, account: str, clusters: Iterable[str]) -> dict[str, Value]:
    """Return the keys of a service's own request for a role.

    EKS user guide, "Create IAM role with trust policy required by EKS Pod Identity": the association's namespace and service account
    are request tags. Whoever may associate chooses them, but gets to pods of foreign namespaces no better than before: what is pinned
    to one is no way in.
    """
    arns = tuple(clusters)
    if service != PODS:
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


class Takers:
    """The roles of each account that each service may take, with the surest trust statement; asked once for each role and service."""

    def __init__(self, estate: Estate, clusters: Mapping[str, tuple[str, ...]]) -> None:
        """Sort the roles by account and by the services that they name; provisioned and service-linked roles cannot be passed."""
        self.clusters = clusters
        self._roles: dict[tuple[str, str], list[Rights]] = {}
        self._found: dict[tuple[str, str], list[tuple[Rights, Way]]] = {}
        self._spoken: dict[tuple[str, str, tuple[str, ...]], list[tuple[Rights, Way]]] = {}
        for rights in estate.rights.values():
            if rights.principal.trust is None or SSO_PATH in rights.principal.arn or SERVICE_PATH in rights.principal.arn:
                continue
            names = {name for statement in rights.principal.trust.statements for name in statement.principals if name.kind == "Service"}
            for service in sorted({name.name for name in names}):
                self._roles.setdefault((rights.account, service), []).append(rights)

    def of(self, account: str, service: str) -> Sequence[tuple[Rights, Way]]:
        """Return the roles of an account that a service may take."""
        place = (account, service)
        if place not in self._found:
            keys = service_keys(service, account, self.clusters.get(account, ()))
            each = ((role, trusting(role.principal, service, keys)) for role in self._roles.get(place, ()))
            self._found[place] = [(role, surest(ways)) for role, ways in each if ways]
        return self._found[place]

    def spoken_of(self, rights: Rights, service: str) -> Sequence[tuple[Rights, Way]]:
        """Return those of the roles of which a principal's statements about passing could speak; many principals' say the same."""
        found: dict[str, tuple[Rights, Way]] = {}
        for grant in rights.allows(PASS_ROLE):
            resources = grant.statement.resources
            place = (rights.account, service, resources)
            if place not in self._spoken:
                roles = self.of(rights.account, service)
                self._spoken[place] = [taker for taker in roles if speaks_of(grant.statement, taker[0].principal.arn)]
            found.update((role.principal.arn, (role, trust)) for role, trust in self._spoken[place])
        return list(found.values())


def passing_edges(able: Iterable[Able], takers: Takers, administrators: frozenset[Node]) -> Iterator[Edge]:
    """Yield who may pass which role to what. Administrators have everything anyway."""
    services = sorted({path.service for path in catalogue().by("passing")})
    for each in able:
        if each.rights.node in administrators or not each.rights.allows(PASS_ROLE):
            continue
        spoken_of = {service: takers.spoken_of(each.rights, service) for service in services}
        paths = [path for path in catalogue().by("passing") if spoken_of[path.service]]
        for path, start in launches(each, paths, takers.clusters.get(each.rights.account, ())):
            for role, trust in spoken_of[path.service]:
                if role is not each.rights and not (path.profile and without_profile(role)):
                    yield from _passed(each.rights, path, start, trust, role)


def launches(able: Able, paths: Iterable[Path], clusters: tuple[str, ...]) -> Iterator[tuple[Path, Way]]:
    """Yield the surest launch of each service and verb: the role that is passed, not the launch, is what others lose."""
    best: dict[tuple[str, str], tuple[Path, Way]] = {}
    for path in paths:
        key = (path.service, path.verb)
        if key in best and best[key][1].certainty is Certainty.SURE:
            continue
        start = able.start(path, clusters) if able.may(path) else None
        if start is not None and (key not in best or start.certainty < best[key][1].certainty):
            best[key] = (path, start)
    yield from best.values()


def without_profile(role: Rights) -> bool:
    """Tell whether an instance cannot have a role, because it stands in no instance profile."""
    return role.principal.policies_read and not role.principal.profiles


def pass_request(rights: Rights, role: Rights, service: str) -> Request:
    """Return the request to pass a role to a service."""
    return on_role(rights, role.principal, PASS_ROLE, {"iam:passedtoservice": (service,), "iam:associatedresourcearn": Chosen("*")})


def _passed(rights: Rights, path: Path, start: Way, trust: Way, role: Rights) -> Iterator[Edge]:
    for way in identity_ways(rights, pass_request(rights, role, path.service)):
        yield edge(rights.node, path.verb, role.node, way.joined(start).joined(trust), note=f"with {' and '.join(path.actions)}")
