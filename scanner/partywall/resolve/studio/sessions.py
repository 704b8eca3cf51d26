"""Sessions and commands on nodes through Systems Manager.

SageMaker AI developer guide, "Accessing your SageMaker HyperPod cluster nodes": the target is `sagemaker-cluster:CLUSTER-ID_GROUP-
INSTANCE`, which
policies name as a managed instance or as the cluster. Systems Manager user guide, "Turn on Run As support": the caller's tag
`SSMSessionRunAs`
names the OS user, else the document's default does; without either the session does not start. Commands always run as root.
"""

from collections.abc import Iterator
from dataclasses import replace

from partywall.model.atom import Atom, Control
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Change, Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster, NodeGroup
from partywall.model.facts_iam import HolderKind
from partywall.model.facts_kubernetes import ClusterNode
from partywall.model.facts_studio import HyperPodCluster, SessionPreferences
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Orchestrator
from partywall.model.verbs import Lane
from partywall.resolve.data.asking import request_on, where
from partywall.resolve.iam.context import Chosen, Open, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.globs import arn_meets
from partywall.resolve.iam.naming import SSO_PATH
from partywall.resolve.iam.rewriting import is_editable
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.trust import on_role
from partywall.resolve.iam.ways import Way, identity_ways

START = "ssm:startsession"
SEND = "ssm:sendcommand"
RESUME = "ssm:resumesession"
_TAG = "SSMSessionRunAs"
# Users of the machine images that are in the sudo group, and root itself.
_SUDOERS = frozenset({"root", "ubuntu", "ec2-user", "ssm-user"})


def nodes_of(cluster: HyperPodCluster) -> Node:
    """Return the node that stands for all nodes of a cluster."""
    return Node(Kind.NODES, cluster.scope, "*")


def session_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who gets onto the nodes of which cluster, and as whom."""
    preferences = {(found.account, found.region): found for found in facts.of(SessionPreferences)}
    for cluster in facts.of(HyperPodCluster):
        for rights in estate.askers():
            for way in _ways(rights, cluster, SEND):
                yield edge(rights.node, "send command to", nodes_of(cluster), way, also=(cluster.at,))
            for way in _ways(rights, cluster, START):
                yield from _session(rights, cluster, way, preferences.get((cluster.account, cluster.region)))
            yield from _resumed(rights, cluster)
    yield from _instances(facts, estate)


def _ways(rights: Rights, cluster: HyperPodCluster, action: str) -> list[Way]:
    if rights.account != cluster.account or not rights.allows(action):
        return []
    keys: dict[str, Value] = {
        **where(cluster.account, cluster.region),
        "ssm:resourcetag/sagemaker:cluster-name": (cluster.name,),
        "aws:resourcetag/sagemaker:cluster-name": (cluster.name,),
        "ssm:sessiondocumentaccesscheck": ("true",),
    }
    place = f"{cluster.region}:{cluster.account}"
    regions = (
        f"arn:aws:ssm:{place}:managed-instance/sagemaker-cluster:{cluster.id}_*",
        cluster.arn,
        f"arn:aws:sagemaker:{place}:cluster/{cluster.name}",
    )
    found: dict[tuple[int, ...], Way] = {}
    for region in regions:
        for way in identity_ways(rights, request_on(rights, action, region, keys)):
            found.setdefault(tuple(id(grant) for grant in way.grants), way)
    return list(found.values())


def _resumed(rights: Rights, cluster: HyperPodCluster) -> Iterator[Edge]:
    """Yield who may take up a session that somebody else left; whether there is one is not in the input.

    Systems Manager user guide, "Session Manager sample IAM policies": a session's name starts with the name of whoever began it.
    """
    if rights.account != cluster.account or not rights.allows(RESUME):
        return
    region = f"arn:aws:ssm:{cluster.region}:{cluster.account}:session/somebody-else-0"
    # A statement about the caller's own sessions, by `${aws:username}` or `${aws:userid}`, is none about somebody else's.
    keys: dict[str, Value] = {**where(cluster.account, cluster.region), "aws:userid": ("itself",), "aws:username": ("itself",)}
    for way in identity_ways(rights, request_on(rights, RESUME, region, keys)):
        unknown = way.unsure("whether somebody has left a session there was not read")
        yield edge(rights.node, "open session on", nodes_of(cluster), unknown, note=RESUME, also=(cluster.at,))


def _session(rights: Rights, cluster: HyperPodCluster, way: Way, preferences: SessionPreferences | None) -> Iterator[Edge]:
    if cluster.orchestrator is Orchestrator.EKS:
        yield edge(rights.node, "open session on", nodes_of(cluster), way, also=(cluster.at,))
        return
    if preferences is None:
        unknown = way.unsure("the Session Manager preferences (Run As) are not in the input")
        yield edge(rights.node, "open session on", nodes_of(cluster), unknown, also=(cluster.at,))
        return
    if not preferences.run_as:
        moves = _preferences_lever(preferences)
        yield edge(
            rights.node, "open session on", nodes_of(cluster), way, note="Run As is off", also=(cluster.at, preferences.at), moves=moves
        )
        return
    user = (rights.principal.tags or {}).get(_TAG) or preferences.default_user
    if user:
        login = _login(rights, cluster, way, preferences, user)
        yield login
        if user in _SUDOERS:
            yield replace(login, verb="open session on", target=nodes_of(cluster), note=f"as {user}, which may become root")
    yield from _retagged(rights, cluster, way, preferences)
    if _other_documents(way, cluster):
        why = "sessions of other documents may not be bound to Run As"
        yield edge(rights.node, "open session on", nodes_of(cluster), way.unsure(why), also=(cluster.at,))


def _retagged(rights: Rights, cluster: HyperPodCluster, way: Way, preferences: SessionPreferences) -> Iterator[Edge]:
    """Yield that whoever sets the tag chooses the OS user, one that may become root too: on itself, or on its session."""
    chosen: dict[str, Value] = {"aws:tagkeys": (_TAG,), f"aws:requesttag/{_TAG.lower()}": Chosen("*")}
    action = "iam:tagrole" if rights.principal.holder.kind is HolderKind.ROLE else "iam:taguser"
    tagging = identity_ways(rights, on_role(rights, rights.principal, action, chosen)) if is_editable(rights.principal) else []
    for tagged in tagging:
        note = f"by {action} {_TAG} on itself"
        yield edge(rights.node, "open session on", nodes_of(cluster), way.joined(tagged), note=note, also=(cluster.at, preferences.at))
    value = rights.context.value(f"aws:PrincipalTag/{_TAG}")
    if isinstance(value, Open) and value.control is Control.CALLER and not tagging:
        atom = Atom(f"aws:PrincipalTag/{_TAG}", "StringEquals", tuple(sorted(_SUDOERS - {"root"})), Control.CALLER)
        free = way.also(atom)
        yield edge(rights.node, "open session on", nodes_of(cluster), free, note="by a session tag", also=(cluster.at, preferences.at))


def _login(rights: Rights, cluster: HyperPodCluster, way: Way, preferences: SessionPreferences, user: str) -> Edge:
    target = Node(Kind.OS_USER, cluster.scope, user)
    tags = rights.principal.tags or {}
    if _TAG not in tags:
        return edge(
            rights.node,
            "logs in as",
            target,
            way,
            note="the default user of Run As",
            also=(cluster.at, preferences.at),
            moves=_default_lever(preferences),
        )
    at = rights.principal.at.below("Tags")
    without = replace(rights.principal, tags={key: value for key, value in tags.items() if key != _TAG})
    text = f"tag role {rights.principal.holder.name} with {_TAG} of an OS user of its own team"
    lever = Lever(
        Move.SET,
        "IAM role tag",
        rights.account,
        f"role {rights.principal.holder.name} / {_TAG}",
        (at,),
        text,
        user,
        Change(gone=(rights.principal,), come=(without,)),
    )
    return edge(rights.node, "logs in as", target, way, note=f"tag {_TAG}", also=(at, cluster.at, preferences.at), moves=lever)


def _preferences_lever(preferences: SessionPreferences) -> Lever:
    scope = f"{preferences.account}/{preferences.region}"
    text = "turn on Run As in the Session Manager preferences"
    change = Change(gone=(preferences,), come=(replace(preferences, run_as=True),))
    return Lever(Move.SET, "Session Manager preferences", scope, "runAsEnabled", (preferences.at,), text, "true", change)


def _default_lever(preferences: SessionPreferences) -> Lever:
    scope = f"{preferences.account}/{preferences.region}"
    text = "take the default user out of the Session Manager preferences"
    change = Change(gone=(preferences,), come=(replace(preferences, default_user=""),))
    return Lever(Move.SET, "Session Manager preferences", scope, "runAsDefaultUser", (preferences.at,), text, "", change)


def _other_documents(way: Way, cluster: HyperPodCluster) -> bool:
    """Tell whether a way's statement lets other session documents be used than the preferences."""
    other = f"arn:aws:ssm:{cluster.region}::document/AWS-StartInteractiveCommand"
    statement = way.grants[0].statement
    checked = any(comparison.key.lower() == "ssm:sessiondocumentaccesscheck" for comparison in statement.comparisons)
    return not checked and any(
        arn_meets(resource, other) for resource in statement.resources if ":document/" in resource or resource == "*"
    )


def _instances(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield sessions on EC2 nodes of EKS clusters that are no HyperPod clusters, where the input shows nodes."""
    covered = {cluster.scope for cluster in facts.of(HyperPodCluster)}
    shown = {group.cluster: group.at for group in facts.of(NodeGroup)} | {node.cluster: node.at for node in facts.of(ClusterNode)}
    for cluster in facts.of(EksCluster):
        if cluster.cluster in covered or cluster.cluster not in shown:
            continue
        account, region, _ = cluster.cluster.split("/", 2)
        target = Node(Kind.NODES, cluster.cluster, "*")
        for action, verb in ((START, "open session on"), (SEND, "send command to")):
            for rights in estate.of_account(account):
                request = request_on(rights, action, f"arn:aws:ec2:{region}:{account}:instance/*", where(account, region))
                for way in identity_ways(rights, request):
                    yield edge(rights.node, verb, target, way, also=(shown[cluster.cluster],))


def session_gaps(facts: Facts, estate: Estate) -> Iterator[Gap]:
    """Yield that nobody can tell the OS user of people whose session tags come from Identity Center or its provider."""
    preferences = {(found.account, found.region): found for found in facts.of(SessionPreferences)}
    for cluster in facts.of(HyperPodCluster):
        found = preferences.get((cluster.account, cluster.region))
        if cluster.orchestrator is not Orchestrator.SLURM or found is None or not found.run_as:
            continue
        for rights in estate.askers():
            if SSO_PATH in rights.principal.arn and _TAG not in (rights.principal.tags or {}) and _ways(rights, cluster, START):
                what = f"the OS user of sessions of {rights.principal.holder.name}: the tag {_TAG} comes from Identity Center's attributes"
                lanes = (Lane.ACT, Lane.IDENTITY)
                remedy = "aws sso-admin describe-instance-access-control-attribute-configuration"
                yield Gap("ssm", what, Reason.UNEVALUABLE, Direction.OUTGOING, (rights.node,), lanes, remedy, rights.principal.at)
