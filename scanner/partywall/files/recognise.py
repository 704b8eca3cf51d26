"""What a loaded file is: by its content, and by its name only where the content fits several answers alike."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from partywall.files.aws_shapes import ENVELOPE, KINDS, SHAPES, candidates
from partywall.files.iac_shapes import iac_value
from partywall.files.kubernetes_shapes import inferred, is_object
from partywall.files.names import key_of, said_kind
from partywall.files.policies import policy_kind
from partywall.files.slurm_shapes import slurm_json, slurm_text
from partywall.model.evidence import Json

UNKNOWN = "unknown"
POLICY_DOCUMENT = "aws:iam:policy"
_SCHEMAS: Mapping[str, str] = {
    "partywall/tenants/": "partywall:tenants",
    "partywall/contract/": "partywall:contract",
    "partywall/sources/": "partywall:sources",
}
_FIRST_KEYS: Mapping[str, str] = {shape.tokens[0].key.lower(): shape.tokens[0].key for shape in SHAPES}


@dataclass(frozen=True, slots=True)
class Recognised:
    """A document kind, or several between which nothing decides."""

    kind: str
    rivals: tuple[str, ...] = ()
    why: str = ""


def recognise_value(value: Json, name: str) -> Recognised:
    """Return what one JSON or YAML value is."""
    if isinstance(value, list):
        return _array(value, name)
    if not isinstance(value, dict):
        return Recognised(UNKNOWN)
    for kind in (_own_schema(value), iac_value(value)):
        if kind:
            return Recognised(kind)
    if is_object(value):
        return Recognised(UNKNOWN if _is_kubeconfig(value) else "kubernetes")
    return _answer(value, name)


def _array(value: Sequence[Json], name: str) -> Recognised:
    if value and all(is_object(part) and not iac_value(part) for part in value):
        return Recognised("kubernetes")
    return Recognised(UNKNOWN)


def _answer(value: Mapping[str, Json], name: str) -> Recognised:
    slurm = slurm_json(value)
    if slurm:
        return Recognised(slurm)
    said = said_kind(name)
    answer = {key: part for key, part in value.items() if key not in ENVELOPE}
    found = candidates(answer)
    if len(found) == 1:
        return Recognised(found[0])
    if len(found) > 1:
        return _between(found, value, said, name)
    if inferred(value, name):
        return Recognised("kubernetes")
    if "Statement" in value and set(value) <= {"Version", "Id", "Statement"}:
        return Recognised(POLICY_DOCUMENT)
    if not answer and said in KINDS:
        return Recognised(said)
    return _misspelt(answer)


def _between(found: Sequence[str], value: Mapping[str, Json], said: str, name: str) -> Recognised:
    policy = value.get("Policy")
    told = policy_kind(policy, found) if isinstance(policy, str) else ""
    if told:
        return Recognised(told)
    if said in found:
        return Recognised(said)
    same = _SAME.get(frozenset(found)) or _public_access_of(found, name)
    return (
        Recognised(same)
        if same
        else Recognised(UNKNOWN, tuple(found), f"it may be the answer of {' or '.join(_words(kind) for kind in found)}")
    )


# Answers that say the same in the same words: which call they come from changes nothing.
_SAME: Mapping[frozenset[str], str] = {
    frozenset(
        {"aws:sso-admin:list-account-assignments", "aws:sso-admin:list-account-assignments-for-principal"}
    ): "aws:sso-admin:list-account-assignments-for-principal",
    frozenset(
        {"aws:identitystore:list-group-memberships", "aws:identitystore:list-group-memberships-for-member"}
    ): "aws:identitystore:list-group-memberships",
    frozenset({"aws:organizations:list-policies", "aws:organizations:list-policies-for-target"}): "aws:organizations:list-policies",
    frozenset({"aws:iam:list-groups", "aws:iam:list-groups-for-user"}): "aws:iam:list-groups-for-user",
}


def _public_access_of(found: Sequence[str], name: str) -> str:
    """Tell whether a public access block is a bucket's or an account's: by what stands behind `--`."""
    key = key_of(name)
    if not key or set(found) != {"aws:s3api:get-public-access-block", "aws:s3control:get-public-access-block"}:
        return ""
    return f"aws:{'s3control' if re.fullmatch(r'[0-9]{12}', key) else 's3api'}:get-public-access-block"


def _words(kind: str) -> str:
    return kind.replace(":", " ")


def _misspelt(answer: Mapping[str, Json]) -> Recognised:
    """Recognise an answer whose keys only differ in case, as other SDKs print them; nothing can be read from it."""
    if len(answer) > 4 or "metadata" in answer:
        return Recognised(UNKNOWN)
    respelt = {_FIRST_KEYS.get(key.lower(), key[:1].upper() + key[1:]): part for key, part in answer.items()}
    found = candidates(respelt) if respelt.keys() != answer.keys() else ()
    if not found or not any(_deciding(kind) for kind in found):
        return Recognised(UNKNOWN)
    return Recognised(UNKNOWN, found, f"it looks like the answer of {_words(found[0])} with its keys spelt otherwise")


def _deciding(kind: str) -> bool:
    """Tell whether a row demands more than a key that anything may have: the inside of a list or object, or a detail list of IAM."""
    demands = [token for shape in SHAPES if shape.kind == kind for token in shape.tokens]
    return any(token.inside or token.key.endswith("DetailList") for token in demands)


def _own_schema(value: Mapping[str, Json]) -> str:
    """Return the kind of a tenancy file or sources.yaml: by its `schema`, else by keys that nothing else has together."""
    schema = value.get("schema")
    if isinstance(schema, str):
        return next((kind for prefix, kind in _SCHEMAS.items() if schema.startswith(prefix)), "")
    if "apiVersion" in value or schema is not None:
        return ""
    tenants = value.get("tenants")
    if isinstance(tenants, list) and all(isinstance(tenant, dict) and "name" in tenant for tenant in tenants):
        return "partywall:tenants"
    if isinstance(value.get("tenant"), str) and {"cluster", "status", "scope", "rights", "lifecycle"} & value.keys():
        return "partywall:contract"
    return ""


def _is_kubeconfig(value: Mapping[str, Json]) -> bool:
    return value.get("kind") == "Config" and {"clusters", "contexts", "users"} <= value.keys()


def recognise_text(lines: Sequence[str]) -> str:
    """Return what a text is that is no JSON or YAML, or `unknown`."""
    return slurm_text(lines) or UNKNOWN
