"""Studio profiles: whose role they run with, and who may open another's.

SageMaker AI developer guide, "Execution roles": a profile's own execution role comes before its domain's default.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from partywall.model.edge import Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_identity_center import Assignee
from partywall.model.facts_studio import StudioDomain, StudioSpace, UserProfile
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, Thing
from partywall.resolve.data.asking import request_on, where
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.ways import Way, identity_ways, surest
from partywall.resolve.identity_center.people import people

PRESIGN = "sagemaker:createpresigneddomainurl"
SCRIPT = "sagemaker:createstudiolifecycleconfig"
Takeover: TypeAlias = tuple[tuple[str, str], ...]
Able: TypeAlias = tuple[Takeover, list[Rights]]
# What takes a profile over: each action with the resource that it is asked on. A start-up script, or another image, runs in the apps of the
# profile with its role, and `iam:PassRole` is not asked, since the role stays as it is (SageMaker API, "UpdateUserProfile").
TAKEOVERS: tuple[Takeover, ...] = (
    ((PRESIGN, "user-profile/{domain}/{name}"),),
    ((SCRIPT, "studio-lifecycle-config/*"), ("sagemaker:updateuserprofile", "user-profile/{domain}/{name}")),
    ((SCRIPT, "studio-lifecycle-config/*"), ("sagemaker:updatedomain", "domain/{domain}")),
    (("sagemaker:createapp", "app/{domain}/{name}/*"), ("sagemaker:updateuserprofile", "user-profile/{domain}/{name}")),
)
SPACE_TAKEOVERS: tuple[Takeover, ...] = (
    ((SCRIPT, "studio-lifecycle-config/*"), ("sagemaker:updatespace", "space/{domain}/{name}")),
    (("sagemaker:startsession", "space/{domain}/{name}"),),
)


def profile_node(profile: UserProfile) -> Node:
    """Return the node of a profile."""
    return Node(Kind.USER_PROFILE, f"{profile.account}/{profile.region}", f"{profile.domain}/{profile.name}")


def domains(facts: Facts) -> Mapping[tuple[str, str], StudioDomain]:
    """Return the domains by account and id."""
    return {(domain.account, domain.id): domain for domain in facts.of(StudioDomain)}


def profiles(facts: Facts) -> list[UserProfile]:
    """Return each profile once; its description says more than a listing."""
    found: dict[tuple[str, str, str], UserProfile] = {}
    for profile in facts.of(UserProfile):
        key = (profile.account, profile.domain, profile.name)
        if profile.described or key not in found:
            found[key] = profile
    return list(found.values())


def role_of(profile: UserProfile, known: Mapping[tuple[str, str], StudioDomain]) -> str:
    """Return the ARN of the role that a profile runs with, or an empty text where that is not known."""
    domain = known.get((profile.account, profile.domain))
    if not profile.described:
        return ""
    return profile.execution_role or (domain.execution_role if domain else "")


def profile_things(facts: Facts) -> Iterator[Thing]:
    """Yield domains, which are places, and profiles, which are their role's owner's."""
    for domain in facts.of(StudioDomain):
        yield Thing(Node(Kind.STUDIO_DOMAIN, f"{domain.account}/{domain.region}", domain.id), domain.at, standing=Standing.PLACE)
    known = domains(facts)
    for profile in profiles(facts):
        role = role_of(profile, known)
        yield Thing(profile_node(profile), profile.at, parent=role_node(role) if role else None)


def profile_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who signs in to a profile, what it runs as, and who may take it over."""
    known = domains(facts)
    persons = people(facts)
    by_name = {user.name: user.id for user in persons.users.values()}
    able = _able(estate, TAKEOVERS)
    for profile in profiles(facts):
        node, role = profile_node(profile), role_of(profile, known)
        if role:
            yield _runs_as(profile, node, role, known)
        if profile.sign_in:
            person = persons.node(Assignee.USER, by_name.get(profile.sign_in, profile.sign_in))
            yield Edge(person, "signs in as", node, (profile.at,), _sign_in_lever(profile))
        yield from _takers(able, profile, node, role)
    yield from _space_takers(facts, estate)


def _runs_as(profile: UserProfile, node: Node, role: str, known: Mapping[tuple[str, str], StudioDomain]) -> Edge:
    domain = known.get((profile.account, profile.domain))
    if profile.execution_role or domain is None:
        at = profile.at.below("UserSettings", "ExecutionRole")
        text = f"give user profile {profile.name} of {profile.domain} a role of its own team"
        lever = Lever(Move.SET, "Studio user profile", node.scope, f"{node.name} / execution role", (at,), text, role)
        return Edge(node, "runs as", role_node(role), (at,), lever)
    at = domain.at.below("DefaultUserSettings", "ExecutionRole")
    text = f"give the user profiles of {domain.id} roles of their own teams instead of the default role"
    lever = Lever(Move.SET, "Studio domain", node.scope, f"{domain.id} / default execution role", (at,), text, role)
    return Edge(node, "runs as", role_node(role), (profile.at, at), lever, note="the domain's default role")


def _sign_in_lever(profile: UserProfile) -> Lever:
    scope = f"{profile.account}/{profile.region}"
    text = f"give {profile.sign_in} a user profile whose role is that of the own team"
    return Lever(Move.SET, "Studio user profile", scope, f"{profile.domain}/{profile.name} / user", (profile.at,), text)


def _takers(able: Sequence[Able], profile: UserProfile, node: Node, role: str) -> Iterator[Edge]:
    for takeover, askers in able:
        for source, way in _ways(askers, profile, takeover, role):
            yield edge(source, "takes the profile of", node, way, note=takeover[-1][0], also=(profile.at,))


def _space_takers(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who gets into the space of another: it runs with the role of the profile that owns it, a shared one with the domain's."""
    known = domains(facts)
    owners = {(profile.account, profile.domain, profile.name): profile for profile in profiles(facts)}
    able = _able(estate, SPACE_TAKEOVERS)
    for space in facts.of(StudioSpace):
        owner, domain = owners.get((space.account, space.domain, space.owner)), known.get((space.account, space.domain))
        role = (role_of(owner, known) if owner else "") or (domain.space_role or domain.execution_role if domain else "")
        for takeover, askers in able:
            for source, way in _ways(askers, space, takeover, role):
                note = f"{takeover[-1][0]} on space {space.name}"
                if owner is not None:
                    yield edge(source, "takes the profile of", profile_node(owner), way, note=note, also=(space.at, owner.at))
                elif role:
                    yield edge(source, "reads credential of", role_node(role), way, note=note, also=(space.at,))


def _able(estate: Estate, takeovers: Iterable[Takeover]) -> list[Able]:
    """Return for each takeover whose policies name all of its actions."""
    askers = list(estate.askers())
    return [(takeover, [rights for rights in askers if all(rights.allows(action) for action, _ in takeover)]) for takeover in takeovers]


def _ways(askers: Iterable[Rights], place: UserProfile | StudioSpace, takeover: Takeover, role: str) -> Iterator[tuple[Node, Way]]:
    """Yield who may do all of a takeover, with the ways of its last action: those of a profile's own role take nothing over."""
    home = f"arn:aws:sagemaker:{place.region or '*'}:{place.account or '*'}"
    arns = [(action, f"{home}:{resource.format(domain=place.domain, name=place.name)}") for action, resource in takeover]
    for rights in askers:
        if rights.principal.arn == role or place.account not in ("", rights.account):
            continue
        each = [identity_ways(rights, request_on(rights, action, arn, where(place.account, place.region))) for action, arn in arns]
        if all(each):
            yield from ((rights.node, reduce(Way.joined, map(surest, each[:-1]), way)) for way in each[-1])
