"""Which thing an answer speaks of, where only its caller knew."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from partywall.files.policies import bucket_of, statements_of, words
from partywall.model.document import Document, Origin
from partywall.model.evidence import Json

_KEY_ID = re.compile(r"(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_ACCESS_POINT = re.compile(r"arn:aws[\w-]*:s3:[\w-]*:\d*:accesspoint/([\w.-]+)")
# Answers that do not name their subject; without one they say nothing.
NEEDED: Mapping[str, str] = {
    "aws:s3api:get-bucket-policy": "bucket",
    "aws:s3api:get-bucket-policy-status": "bucket",
    "aws:s3api:get-public-access-block": "bucket",
    "aws:s3api:get-bucket-encryption": "bucket",
    "aws:s3api:get-bucket-ownership-controls": "bucket",
    "aws:s3api:get-bucket-acl": "bucket",
    "aws:s3api:get-bucket-tagging": "bucket",
    "aws:s3control:get-access-point-policy": "access point",
    "aws:kms:get-key-policy": "key",
    "aws:kms:list-grants": "key",
    "aws:iam:list-attached-role-policies": "role",
    "aws:iam:list-attached-user-policies": "user",
    "aws:iam:list-attached-group-policies": "group",
    "aws:iam:list-role-policies": "role",
    "aws:iam:list-user-policies": "user",
    "aws:iam:list-group-policies": "group",
    "aws:iam:list-groups-for-user": "user",
    "aws:sso-admin:get-inline-policy-for-permission-set": "permission set",
    "aws:sso-admin:list-managed-policies-in-permission-set": "permission set",
    "aws:sso-admin:list-customer-managed-policy-references-in-permission-set": "permission set",
    "aws:sso-admin:get-permissions-boundary-for-permission-set": "permission set",
}
# These help to know their subject, and say something without it too.
_HELPED = frozenset(
    {
        "aws:secretsmanager:get-resource-policy",
        "aws:ecr:get-repository-policy",
        "aws:efs:describe-file-system-policy",
        "aws:iam:policy",
        "aws:iam:list-role-tags",
        "aws:organizations:list-targets-for-policy",
        "aws:organizations:list-policies",
        "aws:organizations:list-policies-for-target",
        "aws:organizations:list-parents",
        "aws:sso-admin:list-accounts-for-provisioned-permission-set",
        "aws:sso-admin:list-account-assignments",
        "aws:sso-admin:list-account-assignments-for-principal",
        "aws:identitystore:list-group-memberships",
        "aws:s3api:get-bucket-location",
        "aws:kms:list-resource-tags",
        "aws:datazone:list-project-memberships",
    }
)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What else the input says that can tell a subject: KMS aliases, names of listed things, the only bucket or key."""

    aliases: Mapping[str, str]
    permission_sets: Mapping[str, str]
    loosely: Mapping[tuple[str, str], str]
    only: Mapping[str, str]


def neighbours_of(documents: Sequence[Document]) -> Neighbours:
    """Return the aliases and the only candidates of an input."""
    aliases: dict[str, str] = {}
    permission_sets: dict[str, str] = {}
    loosely: dict[tuple[str, str], str] = {}
    claimed: set[str] = set()
    found: dict[str, set[str]] = {"bucket": set(), "key": set()}
    for document in documents:
        for alias in _items(document, "aws:kms:list-aliases", "Aliases"):
            if isinstance(alias.get("TargetKeyId"), str):
                aliases[str(alias.get("AliasName")).removeprefix("alias/")] = str(alias["TargetKeyId"])
        for secret in _items(document, "aws:secretsmanager:list-secrets", "SecretList"):
            loosely["secretsmanager", _loose(str(secret.get("Name")))] = str(secret.get("ARN"))
        for repository in _items(document, "aws:ecr:describe-repositories", "repositories"):
            loosely["ecr", _loose(str(repository.get("repositoryName")))] = str(repository.get("repositoryArn"))
        permission_sets.update(_permission_set(document))
        claimed |= set(_claimed_keys(document))
        found["bucket"] |= {str(bucket.get("Name")) for bucket in _items(document, "aws:s3api:list-buckets", "Buckets")}
        found["key"] |= {str(key.get("KeyArn")) for key in _items(document, "aws:kms:list-keys", "Keys")}
        if document.kind == "aws:kms:describe-key" and isinstance(document.value, dict) and isinstance(document.value["KeyMetadata"], dict):
            metadata = document.value["KeyMetadata"]
            found["key"].add(str(metadata.get("Arn") or metadata.get("KeyId")))
    # A key that the tenancy names by an ARN is one that a file may be named after.
    for key in sorted(claimed):
        aliases.setdefault(key.rsplit("/", 1)[-1], key)
    if not found["key"]:
        found["key"] = claimed
    return Neighbours(aliases, permission_sets, loosely, {what: next(iter(names)) for what, names in found.items() if len(names) == 1})


def _items(document: Document, kind: str, key: str) -> list[Mapping[str, Json]]:
    items = document.value.get(key) if document.kind == kind and isinstance(document.value, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _claimed_keys(document: Document) -> Iterator[str]:
    """Yield the keys that a tenancy file names exactly, wherever in it."""
    if document.kind not in {"partywall:tenants", "partywall:contract"}:
        return
    open_parts: list[Json] = [document.value]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, list):
            open_parts += part
        elif isinstance(part, dict):
            keys = part.get("keys")
            yield from (key for key in (keys if isinstance(keys, list) else []) if isinstance(key, str) and not {"*", "?"} & set(key))
            open_parts += part.values()


def _loose(name: str) -> str:
    """Return a name as it looks in a file name, where `/` cannot stand."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).lower()


def _permission_set(document: Document) -> Mapping[str, str]:
    """Return a permission set's ARN by its name and by the end of its ARN."""
    value = (
        document.value.get("PermissionSet")
        if document.kind == "aws:sso-admin:describe-permission-set" and isinstance(document.value, dict)
        else None
    )
    if not isinstance(value, dict) or not isinstance(value.get("PermissionSetArn"), str):
        return {}
    arn = str(value["PermissionSetArn"])
    return {str(value.get("Name")): arn, arn.rsplit("/", 1)[-1]: arn}


def subject_of(document: Document, said: str, origin: Origin, neighbours: Neighbours) -> str:
    """Return the subject: from the content, else from `--KEY`, else from sources.yaml, else the only candidate."""
    if document.kind not in NEEDED and document.kind not in _HELPED:
        return said
    inside = _INSIDE.get(document.kind)
    value = document.value if isinstance(document.value, dict) else {}
    found = (inside(value) if inside else "") or document.key or said or neighbours.only.get(NEEDED.get(document.kind, ""), "")
    if document.kind.startswith("aws:kms:"):
        return key_arn(found, origin, neighbours)
    if NEEDED.get(document.kind) == "permission set":
        return neighbours.permission_sets.get(found, found)
    if found == document.key and not found.startswith("arn:"):
        found = neighbours.loosely.get((document.kind.split(":")[1], _loose(found)), found)
    if document.kind == "aws:ecr:get-repository-policy":
        return _repository_arn(found, value, origin)
    return found


def key_arn(found: str, origin: Origin, neighbours: Neighbours) -> str:
    """Return a key's ARN from its id or its alias, as far as account and Region are known."""
    target = neighbours.aliases.get(found.removeprefix("alias/").removeprefix("alias_"), found)
    if _KEY_ID.fullmatch(target) and origin.account and origin.region:
        return f"arn:aws:kms:{origin.region}:{origin.account}:key/{target}"
    if target and not target.startswith("arn:") and not _KEY_ID.fullmatch(target):
        # A word that is neither an id nor a known alias: people name the file after the only key there is, or after its alias.
        return neighbours.only.get("key", f"alias/{target.removeprefix('alias/')}")
    return target


def _repository_arn(found: str, value: Mapping[str, Json], origin: Origin) -> str:
    account = str(value.get("registryId") or origin.account)
    name = str(value.get("repositoryName") or found)
    return (
        f"arn:aws:ecr:{origin.region}:{account}:repository/{name}"
        if account and origin.region and name and not name.startswith("arn:")
        else name
    )


def _bucket(value: Mapping[str, Json]) -> str:
    return bucket_of(value.get("Policy"))


def _access_point(value: Mapping[str, Json]) -> str:
    names = {
        match[1]
        for statement in statements_of(value.get("Policy"))
        for resource in words(statement.get("Resource"))
        for match in [_ACCESS_POINT.match(resource)]
        if match
    }
    return names.pop() if len(names) == 1 else ""


def _key_in_policy(value: Mapping[str, Json]) -> str:
    resources = [word for statement in statements_of(value.get("Policy")) for word in words(statement.get("Resource"))]
    keys = {word for word in resources if ":key/" in word and "*" not in word}
    return keys.pop() if len(keys) == 1 else ""


def _grants(value: Mapping[str, Json]) -> str:
    grants = value.get("Grants")
    keys = {str(grant.get("KeyId")) for grant in grants if isinstance(grant, dict)} if isinstance(grants, list) else set()
    return keys.pop() if len(keys) == 1 else ""


def _field(*names: str) -> Callable[[Mapping[str, Json]], str]:
    def found(value: Mapping[str, Json]) -> str:
        return next((str(value[name]) for name in names if isinstance(value.get(name), str)), "")

    return found


_INSIDE: Mapping[str, Callable[[Mapping[str, Json]], str]] = {
    "aws:s3api:get-bucket-policy": _bucket,
    "aws:s3control:get-access-point-policy": _access_point,
    "aws:kms:get-key-policy": _key_in_policy,
    "aws:kms:list-grants": _grants,
    "aws:secretsmanager:get-resource-policy": _field("ARN"),
    "aws:ecr:get-repository-policy": _field("repositoryName"),
    "aws:efs:describe-file-system-policy": _field("FileSystemId"),
}
