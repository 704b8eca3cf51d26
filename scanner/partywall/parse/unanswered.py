"""What was listed and never asked about: a bucket whose policy nobody read may let anybody in.

A listing names things; one answer a thing says who gets in. Where the input holds such answers for some things of an account and not for
one that a listing names, that thing is in question. An account of which the input holds no answer of the kind at all is not assessed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from partywall.model.arn import account_of, resource_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_data import Bucket, FileSystem, Key, KeyAlias, Repository, ResourcePolicy, Secret, Store
from partywall.model.facts_iam import Principal
from partywall.model.facts_identity_center import Assignment, Membership, PermissionSet, StoreGroup
from partywall.model.facts_studio import HyperPodCluster, HyperPodName, StudioDomain, UserProfile
from partywall.model.node import Kind, Node, label
from partywall.model.verbs import Lane


@dataclass(frozen=True, slots=True)
class Listing:
    """One thing that a listing names: what is in question, its account ("" where any counts), and all names that mean it."""

    node: Node
    account: str
    names: frozenset[str]
    at: Evidence


@dataclass(frozen=True, slots=True)
class Question:
    """One command that has to be asked once for each thing of a kind. `option` says how it names the thing."""

    command: str
    what: str
    things: Callable[[Facts], Iterator[Listing]]
    answered: Callable[[Facts], Iterator[str]]
    lanes: tuple[Lane, ...]
    option: str
    direction: Direction = Direction.INCOMING


def unanswered(documents: Sequence[Document], facts: Facts, gaps: Iterable[Gap]) -> Iterator[Gap]:
    """Yield a gap for everything listed that one of its questions was not asked for, unless another gap says so already."""
    known = {(gap.direction, node) for gap in gaps for node in gap.nodes}
    for question in QUESTIONS:
        kind = f"aws:{question.command.replace(' ', ':')}"
        answers = [document for document in documents if document.kind == kind]
        asked = {document.origin.account for document in answers}
        names = {name for document in answers for name in (document.origin.subject, document.key) if name} | set(question.answered(facts))
        for thing in {thing.node: thing for thing in question.things(facts) if thing.names}.values():
            if asked and thing.account in (*asked, "") and (question.direction, thing.node) not in known and not thing.names & names:
                yield _gap(question, thing)


def _gap(question: Question, thing: Listing) -> Gap:
    plain = [name for name in thing.names if not name.startswith("arn:")]
    name = max(plain, key=lambda name: ("/" in name, len(name), name), default=min(thing.names))
    first, _, rest = name.partition("/")
    arn = next((name for name in sorted(thing.names) if name.startswith("arn:")), name)
    return Gap(
        source=question.command.replace(" ", ":"),
        what=f"{question.what} {label(thing.node)} not read, unlike those of others",
        reason=Reason.ABSENT,
        direction=question.direction,
        nodes=(thing.node,),
        lanes=question.lanes,
        remedy=f"aws {question.command} {question.option.format(name=name, first=first, rest=rest, arn=arn)} --output json",
        at=thing.at,
    )


def _names(arn: str) -> frozenset[str]:
    """Return the ways in which a file may mean a thing: its ARN, its name, and its name with dashes for slashes."""
    name = resource_of(arn).partition("/")[2] or resource_of(arn).rpartition(":")[2]
    return frozenset({arn, name, name.replace("/", "-")} - {""})


def _buckets(facts: Facts) -> Iterator[Listing]:
    return (
        Listing(Node(Kind.BUCKET, "", b.name), b.account, frozenset({b.name, f"arn:aws:s3:::{b.name}"}), b.at) for b in facts.of(Bucket)
    )


def _keys(facts: Facts) -> Iterator[Listing]:
    """Yield the customer's keys. Only AWS's own aliases begin with `alias/aws/` (KMS developer guide, "Aliases")."""
    own = {alias.key for alias in facts.of(KeyAlias) if alias.alias.startswith("alias/aws/")}
    for key in facts.of(Key):
        if not key.aws_managed and resource_of(key.arn).removeprefix("key/") not in own:
            yield Listing(Node(Kind.KEY, key.account, key.arn), key.account, _names(key.arn), key.at)


def _secrets(facts: Facts) -> Iterator[Listing]:
    return (Listing(Node(Kind.SECRET, s.account, s.arn), s.account, _names(s.arn), s.at) for s in facts.of(Secret))


def _repositories(facts: Facts) -> Iterator[Listing]:
    return (Listing(Node(Kind.REPOSITORY, r.account, r.arn), r.account, _names(r.arn), r.at) for r in facts.of(Repository))


def _file_systems(facts: Facts) -> Iterator[Listing]:
    for system in facts.of(FileSystem):
        if system.service == "elasticfilesystem":
            scope = f"{system.account}/{system.region}" if system.account and system.region else ""
            yield Listing(Node(Kind.FILE_SYSTEM, scope, system.id), system.account, frozenset({system.id}), system.at)


def _groups(facts: Facts) -> Iterator[Listing]:
    for group in facts.of(StoreGroup):
        node = Node(Kind.IDENTITY_GROUP, group.store, group.name or group.id)
        yield Listing(node, "", frozenset({group.id, group.name} - {""}), group.at)


def _provisioned(facts: Facts) -> Iterator[Listing]:
    """Yield the roles that Identity Center made for permission sets: each has an assignment (IAM Identity Center user guide)."""
    arns = {permission_set.name: permission_set.arn for permission_set in facts.of(PermissionSet) if permission_set.name}
    for principal in facts.of(Principal):
        name = resource_of(principal.arn).rpartition("/")[2]
        permission_set = name.removeprefix(RESERVED).rpartition("_")[0]
        if name.startswith(RESERVED) and permission_set in arns:
            yield Listing(
                Node(Kind.ROLE, account_of(principal.arn), principal.arn),
                "",
                frozenset({permission_set, arns[permission_set]}),
                principal.at,
            )


def _profiles(facts: Facts) -> Iterator[Listing]:
    """Yield the profiles of Studio, whose names are often those of their domains: a file is known by what it says."""
    for profile in facts.of(UserProfile):
        yield Listing(_profile_node(profile), profile.account, frozenset({f"{profile.domain}/{profile.name}"}), profile.at)


def _profiles_by_domain(facts: Facts) -> Iterator[Listing]:
    """Yield the profiles that fall back to the role of their domain."""
    for profile in facts.of(UserProfile):
        if not profile.execution_role:
            yield Listing(_profile_node(profile), profile.account, frozenset({profile.domain}), profile.at)


def _profile_node(profile: UserProfile) -> Node:
    return Node(Kind.USER_PROFILE, f"{profile.account}/{profile.region}", f"{profile.domain}/{profile.name}")


def _described_domains(facts: Facts) -> Iterator[str]:
    return (domain.id for domain in facts.of(StudioDomain))


def _described_profiles(facts: Facts) -> Iterator[str]:
    return (f"{profile.domain}/{profile.name}" for profile in facts.of(UserProfile) if profile.described)


def _clusters(facts: Facts) -> Iterator[Listing]:
    """Yield the nodes of HyperPod's clusters: their role, and the scripts that they run as root."""
    for cluster in facts.of(HyperPodName):
        node = Node(Kind.NODES, f"{cluster.account}/{cluster.region}/{cluster.name}", "*")
        yield Listing(node, cluster.account, frozenset({cluster.name}), cluster.at)


def _described_clusters(facts: Facts) -> Iterator[str]:
    return (cluster.name for cluster in facts.of(HyperPodCluster))


def _policies(store: Store) -> Callable[[Facts], Iterator[str]]:
    return lambda facts: (policy.resource for policy in facts.of(ResourcePolicy) if policy.store is store)


def _none(_: Facts) -> Iterator[str]:
    return iter(())


def _assigned(facts: Facts) -> Iterator[str]:
    return (assignment.permission_set for assignment in facts.of(Assignment))


def _members(facts: Facts) -> Iterator[str]:
    return (membership.group_id for membership in facts.of(Membership))


RESERVED = "AWSReservedSSO_"
DATA, IDENTITY = (Lane.DATA,), (Lane.IDENTITY,)
QUESTIONS: tuple[Question, ...] = (
    Question("s3api get-bucket-policy", "the policy of", _buckets, _policies(Store.S3), DATA, "--bucket {name}"),
    Question("kms get-key-policy", "the policy of", _keys, _policies(Store.KMS), DATA, "--key-id {arn}"),
    Question("kms list-grants", "the grants of", _keys, _none, DATA, "--key-id {arn}"),
    Question("secretsmanager get-resource-policy", "the policy of", _secrets, _policies(Store.SECRETS), DATA, "--secret-id {arn}"),
    Question("ecr get-repository-policy", "the policy of", _repositories, _policies(Store.ECR), DATA, "--repository-name {name}"),
    Question("efs describe-file-system-policy", "the policy of", _file_systems, _policies(Store.EFS), DATA, "--file-system-id {name}"),
    Question(
        "identitystore list-group-memberships", "the members of", _groups, _members, IDENTITY, "--identity-store-id STORE --group-id {name}"
    ),
    Question(
        "sso-admin list-account-assignments",
        "the assignments behind",
        _provisioned,
        _assigned,
        IDENTITY,
        "--account-id ACCOUNT --instance-arn INSTANCE --permission-set-arn {arn}",
    ),
    Question(
        "sagemaker describe-user-profile",
        "the role of",
        _profiles,
        _described_profiles,
        IDENTITY,
        "--domain-id {first} --user-profile-name {rest}",
        Direction.OUTGOING,
    ),
    Question(
        "sagemaker describe-domain",
        "the domain's role of",
        _profiles_by_domain,
        _described_domains,
        IDENTITY,
        "--domain-id {name}",
        Direction.OUTGOING,
    ),
    Question(
        "sagemaker describe-cluster",
        "the roles and scripts of",
        _clusters,
        _described_clusters,
        (Lane.ACT, Lane.DATA, Lane.IDENTITY),
        "--cluster-name {name}",
        Direction.OUTGOING,
    ),
)
