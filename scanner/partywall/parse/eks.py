"""Answers of `aws eks ...`: clusters, access entries, access policies, Pod Identity, add-ons, identity providers, node groups."""

import json
from collections.abc import Callable, Iterator, Mapping

from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_eks import (
    AccessEntry,
    AccessEntryName,
    AccessPolicy,
    Addon,
    AssociationsRead,
    AuthenticationMode,
    EksCluster,
    IdentityProvider,
    NodeGroup,
    PodIdentity,
    PodIdentityName,
    principal_node,
)
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, flag, mapping, parts, sequence, string_map, strings, text

Parsed = Iterator[Fact | Gap]
_ACCESS = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.COMPUTE, Lane.IDENTITY)


def scope_from(arn: str, name: str = "") -> str:
    """Return `account/region/cluster` from an ARN of a cluster or of what belongs to one."""
    words = arn.split(":", 5)
    if len(words) < 6 or words[2] != "eks":
        return ""
    resource = words[5].split("/")
    return f"{words[4]}/{words[3]}/{name or (resource[1] if len(resource) > 1 else '')}"


def _body(document: Document, key: str) -> tuple[Object, Evidence]:
    value = document.value
    whole: Object = value if isinstance(value, Mapping) else {}
    inner = whole.get(key)
    return (inner, document.at(f"/{key}")) if isinstance(inner, Mapping) else (whole, document.at())


def _scope(document: Document, *arns: str) -> str:
    return document.origin.cluster or next((scope for scope in map(scope_from, arns) if scope), "")


def _whole(document: Document) -> Object:
    return document.value if isinstance(document.value, Mapping) else {}


def _incomplete(document: Document, what: str, scope: str) -> Gap:
    nodes = (Node(Kind.CLUSTER_ADMIN, scope, "*"), Node(Kind.NAMESPACES, scope, "*"))
    return Gap(
        document.name,
        what,
        Reason.UNPARSABLE,
        Direction.INCOMING,
        nodes,
        _ACCESS,
        "give the answer as the AWS CLI prints it",
        document.at(),
    )


def cluster(document: Document) -> Parsed:
    """Read `describe-cluster`."""
    body, at = _body(document, "cluster")
    arn, name = text(body, "arn"), text(body, "name")
    mode = text(mapping(body, "accessConfig"), "authenticationMode")
    network = mapping(body, "resourcesVpcConfig")
    yield EksCluster(
        cluster=_scope(document, arn),
        arn=arn,
        version=text(body, "version"),
        issuer=text(mapping(body, "identity", "oidc"), "issuer").removeprefix("https://"),
        mode=AuthenticationMode(mode) if mode in {member.value for member in AuthenticationMode} else None,
        public=flag(network, "endpointPublicAccess"),
        cidrs=strings(network, "publicAccessCidrs"),
        role_arn=text(body, "roleArn"),
        at=at,
    )
    if not arn and not name:
        yield _incomplete(document, "a cluster without name and ARN", _scope(document))


def access_entries(document: Document) -> Parsed:
    """Read `list-access-entries`: who has an entry at all. A page with `nextToken` is no complete list."""
    scope = _scope(document)
    for number, arn in enumerate(sequence(_whole(document), "accessEntries")):
        if isinstance(arn, str):
            yield AccessEntryName(scope, arn, document.at(f"/accessEntries/{number}"))
    yield from _listed(document, "AccessEntry", scope, "accessEntries")


def _listed(document: Document, kind: str, scope: str, key: str) -> Parsed:
    if text(_whole(document), "nextToken"):
        what = f"the list of {kind} goes on behind a nextToken"
        nodes = (Node(Kind.CLUSTER_ADMIN, scope, "*"), Node(Kind.NAMESPACES, scope, "*"))
        yield Gap(
            document.name,
            what,
            Reason.ABSENT,
            Direction.INCOMING,
            nodes,
            _ACCESS,
            "read all pages; the AWS CLI merges them",
            document.at("/nextToken"),
        )
    else:
        yield Listed(kind, scope, document.at(f"/{key}"))


def access_entry(document: Document) -> Parsed:
    """Read `describe-access-entry`."""
    body, at = _body(document, "accessEntry")
    arn, principal = text(body, "accessEntryArn"), text(body, "principalArn")
    scope = _scope(document, arn)
    if not principal:
        yield _incomplete(document, "an access entry without its principal", scope)
        return
    groups = strings(body, "kubernetesGroups")
    places = tuple(at.below("kubernetesGroups", number) for number in range(len(groups)))
    yield AccessEntry(scope, principal, text(body, "username"), groups, text(body, "type") or "STANDARD", at, places, arn)


def access_policies(document: Document) -> Parsed:
    """Read `list-associated-access-policies`."""
    whole = _whole(document)
    scope, principal = _scope(document), text(whole, "principalArn") or document.origin.subject
    if not principal:
        yield _incomplete(document, "access policies without their principal", scope)
        return
    for number, item in parts(whole, "associatedAccessPolicies"):
        at = document.at(f"/associatedAccessPolicies/{number}")
        reach = mapping(item, "accessScope")
        kind, namespaces = text(reach, "type"), strings(reach, "namespaces")
        # A scope of another type than we know is taken as the widest one.
        yield AccessPolicy(scope, principal, text(item, "policyArn").rsplit("/", 1)[-1], kind != "namespace", namespaces, at)
    if not text(whole, "nextToken"):
        yield AssociationsRead(scope, principal, document.at("/associatedAccessPolicies"))


def pod_identities(document: Document) -> Parsed:
    """Read `list-pod-identity-associations`: which service accounts have a role; the role is not in this answer."""
    scope = _scope(document)
    for number, item in parts(_whole(document), "associations"):
        at = document.at(f"/associations/{number}")
        home = scope or scope_from(text(item, "associationArn"))
        yield PodIdentityName(home, text(item, "namespace"), text(item, "serviceAccount"), text(item, "associationId"), at)
    yield from _listed(document, "PodIdentity", scope, "associations")


def pod_identity(document: Document) -> Parsed:
    """Read `describe-pod-identity-association`."""
    body, at = _body(document, "association")
    scope = _scope(document, text(body, "associationArn"))
    if not text(body, "namespace") or not text(body, "serviceAccount") or not text(body, "roleArn"):
        yield _incomplete(document, "a Pod Identity association without its namespace, service account or role", scope)
        return
    yield PodIdentity(
        cluster=scope,
        namespace=text(body, "namespace"),
        service_account=text(body, "serviceAccount"),
        association=text(body, "associationId"),
        role_arn=text(body, "roleArn"),
        target_role_arn=text(body, "targetRoleArn"),
        policy=text(body, "policy"),
        session_tags=flag(body, "disableSessionTags") is not True,
        external_id=text(body, "externalId"),
        at=at,
    )


def addon(document: Document) -> Parsed:
    """Read `describe-addon`; its configuration is JSON or YAML in a string."""
    body, at = _body(document, "addon")
    scope = _scope(document, text(body, "addonArn"))
    written = body.get("configurationValues")
    values: Mapping[str, Json] | None = {}
    if isinstance(written, str) and written.strip():
        values = _configuration(written)
        if values is None:
            nodes = (Node(Kind.NAMESPACES, scope, "*"),)
            what = f"the configuration of add-on {text(body, 'addonName')} is no JSON object"
            yield Gap(
                document.name, what, Reason.UNPARSABLE, Direction.INCOMING, nodes, (Lane.NETWORK,), "", at.below("configurationValues")
            )
    elif isinstance(written, Mapping):
        values = written
    yield Addon(scope, text(body, "addonName"), text(body, "addonVersion"), values, text(body, "serviceAccountRoleArn"), at)


def _configuration(written: str) -> Mapping[str, Json] | None:
    import yaml  # heavy: where it is used

    try:
        value: Json = json.loads(written)
    except json.JSONDecodeError:
        try:
            value = yaml.safe_load(written)
        except yaml.YAMLError:
            return None
    return value if isinstance(value, Mapping) else None


def addons(document: Document) -> Parsed:
    """Read `list-addons`: an add-on that is named without its description has an unknown configuration."""
    scope = _scope(document)
    for number, name in enumerate(sequence(_whole(document), "addons")):
        if isinstance(name, str):
            yield Addon(scope, name, "", None, "", document.at(f"/addons/{number}"))
    yield from _listed(document, "Addon", scope, "addons")


def identity_provider(document: Document) -> Parsed:
    """Read `describe-identity-provider-config`."""
    body, _ = _body(document, "identityProviderConfig")
    oidc, at = mapping(body, "oidc"), document.at("/identityProviderConfig/oidc")
    name, issuer = text(oidc, "identityProviderConfigName"), text(oidc, "issuerUrl").removeprefix("https://")
    prefixes = (text(oidc, "groupsClaim"), text(oidc, "groupsPrefix"), text(oidc, "usernamePrefix"))
    yield IdentityProvider(_scope(document, text(oidc, "identityProviderConfigArn")), name, issuer, *prefixes, at)


def identity_providers(document: Document) -> Parsed:
    """Read `list-identity-provider-configs`: names only."""
    for number, item in parts(_whole(document), "identityProviderConfigs"):
        at = document.at(f"/identityProviderConfigs/{number}")
        yield IdentityProvider(_scope(document), text(item, "name"), "", "", "", "", at)
    yield from _listed(document, "IdentityProvider", _scope(document), "identityProviderConfigs")


def node_group(document: Document) -> Parsed:
    """Read `describe-nodegroup`."""
    body, at = _body(document, "nodegroup")
    yield NodeGroup(
        _scope(document, text(body, "nodegroupArn")), text(body, "nodegroupName"), text(body, "nodeRole"), at, string_map(body, "labels")
    )


def node_groups(document: Document) -> Parsed:
    """Read `list-nodegroups`: that there are nodes; their role is in the answer of `describe-nodegroup`."""
    for number, name in enumerate(sequence(_whole(document), "nodegroups")):
        if isinstance(name, str):
            yield NodeGroup(_scope(document), name, "", document.at(f"/nodegroups/{number}"))


def capability(document: Document) -> Parsed:
    """Read `describe-capability`: a controller acts with a role of its own for whoever writes its objects; that is not evaluated."""
    body, at = _body(document, "capability")
    if text(body, "roleArn"):
        what = (
            f"what EKS capability {text(body, 'capabilityName')} ({text(body, 'type')}) does with its role for those who write its objects"
        )
        nodes = (principal_node(text(body, "roleArn")),)
        lanes = (Lane.ACT, Lane.DATA, Lane.IDENTITY)
        yield Gap(document.name, what, Reason.UNEVALUABLE, Direction.INCOMING, nodes, lanes, "judge its role and its scope by hand", at)


def inventory(_: Document) -> Parsed:
    """Read nothing: names that grant and limit nothing, whose descriptions count where they are given."""
    return iter(())


PARSERS: Mapping[str, Callable[[Document], Parsed]] = {
    "aws:eks:describe-cluster": cluster,
    "aws:eks:list-access-entries": access_entries,
    "aws:eks:describe-access-entry": access_entry,
    "aws:eks:list-associated-access-policies": access_policies,
    "aws:eks:list-pod-identity-associations": pod_identities,
    "aws:eks:describe-pod-identity-association": pod_identity,
    "aws:eks:describe-addon": addon,
    "aws:eks:list-addons": addons,
    "aws:eks:describe-identity-provider-config": identity_provider,
    "aws:eks:list-identity-provider-configs": identity_providers,
    "aws:eks:describe-nodegroup": node_group,
    "aws:eks:list-nodegroups": node_groups,
    "aws:eks:describe-capability": capability,
    "aws:eks:list-capabilities": inventory,
    "aws:eks:list-clusters": inventory,
    "aws:eks:list-access-policies": inventory,
    "aws:eks:list-fargate-profiles": inventory,
    "aws:eks:describe-fargate-profile": inventory,
}
