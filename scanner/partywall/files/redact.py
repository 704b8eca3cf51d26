"""Values that no scan needs and nobody should find in a snapshot, taken out of the text at the door; the lines stay where they were.

What is taken out: values of pods' environment, data of Secrets, data of ConfigMaps but of the few that decide, applied-configuration
annotations (they repeat a whole object, secrets included), passwords in Slurm's configuration, signatures of presigned URLs.
"""

import re
from collections.abc import Iterator, Mapping

from partywall.files.positions import Positions, Steps
from partywall.model.document import Form
from partywall.model.evidence import Json

MARK = "(redacted)"
# Their data decides who may do what: EKS's aws-auth, the VPC CNI's switch for network policies, Kueue's configuration.
_DECIDING_MAPS = frozenset({"aws-auth", "amazon-vpc-cni", "kueue-manager-config", "kueue-config", "cilium-config", "calico-config"})
# Switches of the node agents and the places of credentials; their values are no secrets.
_DECIDING_ENV = re.compile(
    r"ENABLE_NETWORK_POLICY|NETWORK_POLICY_ENFORCING_MODE|ENABLE_POD_ENI|POD_SECURITY_GROUP_ENFORCING_MODE|ANNOTATE_POD_IP|"
    r"AWS_ROLE_ARN|AWS_WEB_IDENTITY_TOKEN_FILE|AWS_(?:DEFAULT_)?REGION|AWS_STS_REGIONAL_ENDPOINTS|"
    r"AWS_CONTAINER_CREDENTIALS_FULL_URI|AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE|CLUSTER_NAME|NAMESPACE|POD_NAMESPACE"
)
_WITHOUT_PODS = frozenset({"metadata", "status"})
_ANNOTATIONS = frozenset({"kubectl.kubernetes.io/last-applied-configuration", "last-applied-configuration"})
_PASSWORDS = re.compile(
    r"(?i)^(\s*(?:StoragePass|AccountingStoragePass|JobCompPass|DefaultStoragePass|Password)\s*=[ \t]*)(?!\(null\))([^\s#]+)"
    r"|((?:^|[ ,])(?:password|passwd|secret|token)=)([^\s,;]+)",
    re.MULTILINE,
)
_CREDENTIAL_KEYS = (
    *("secretAccessKey", "SecretAccessKey", "sessionToken", "SessionToken", "SecretString"),
    *("SecretBinary", "password", "Password", "clientSecret", "authToken"),
)
_CREDENTIALS = re.compile(rf'("(?:{"|".join(_CREDENTIAL_KEYS)})"\s*:\s*)' + r'"(?:[^"\\]++|\\.)*+"')
_EXPORTS = re.compile(r"(--export[= ])(\S+)")
_SIGNED = re.compile(r"(?i)((?:X-Amz-(?:Signature|Credential|Security-Token)|AWSAccessKeyId|Signature)=)([^&\s\"'\\<>]+)")


def redacted(text: str, form: Form, value: Json, kind: str) -> tuple[str, int]:
    """Return the text without its secrets, and how many values were taken out."""
    if form is Form.TEXT:
        return _text_redacted(text)
    steps = list(_secrets_in(value)) if kind == "kubernetes" else []
    count = 0
    if steps:
        text, count = _replaced(text, form, steps)
    # Looking for the words first is quicker than the expression, and few answers hold one.
    if kind.startswith("aws:") and any(f'"{key}"' in text for key in _CREDENTIAL_KEYS):
        text, more = _CREDENTIALS.subn(rf'\g<1>"{MARK}"', text)
        count += more
    signed, more = _SIGNED.subn(rf"\g<1>{MARK}", text) if "ignature=" in text or "X-Amz-" in text else (text, 0)
    return signed, count + more


def _text_redacted(text: str) -> tuple[str, int]:
    def hidden(found: re.Match[str]) -> str:
        return f"{found[1] or found[3]}{MARK}"

    text, passwords = _PASSWORDS.subn(hidden, text)
    text, exports = _EXPORTS.subn(rf"\g<1>{MARK}", text)
    text, signatures = _SIGNED.subn(rf"\g<1>{MARK}", text)
    return text, passwords + exports + signatures


def _replaced(text: str, form: Form, secrets: list[Steps]) -> tuple[str, int]:
    """Put the mark in the place of each value; a value of several lines leaves empty lines behind."""
    places = Positions(text, form)
    spans = sorted({(span.start, span.end) for span in map(places.find, secrets) if span is not None})
    parts, last = [], 0
    for start, end in spans:
        if start < last:
            continue
        was = text[start:end]
        parts += [text[last:start], _standing_in(was)]
        last = end
    return "".join([*parts, text[last:]]), len(spans)


def _standing_in(was: str) -> str:
    tail = was[len(was.rstrip(" \t\r\n")) :]
    body = was[: len(was) - len(tail)]
    return f'"{MARK}"' + "\n" * body.count("\n") + tail


def _secrets_in(value: Json, at: Steps = ()) -> Iterator[Steps]:
    """Yield the steps to every value that is to go, in objects, Lists and arrays of them."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from _secrets_in(part, (*at, str(index)))
        return
    if not isinstance(value, dict):
        return
    items = value.get("items")
    if isinstance(items, list):
        yield from _secrets_in(items, (*at, "items"))
    yield from _object(value, at)


def _object(value: Mapping[str, Json], at: Steps) -> Iterator[Steps]:
    kind, name = value.get("kind"), _name_of(value)
    if kind == "Secret" or (kind == "ConfigMap" and name not in _DECIDING_MAPS):
        for key in ("data", "stringData", "binaryData"):
            yield from _leaves(value.get(key), (*at, key))
    yield from _annotations(value, at)
    if isinstance(kind, str) and kind not in {"Secret", "ConfigMap", "CustomResourceDefinition"}:
        yield from _environment(value, at)


def _name_of(value: Mapping[str, Json]) -> str:
    metadata = value.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""


def _annotations(value: Mapping[str, Json], at: Steps) -> Iterator[Steps]:
    metadata = value.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    for key in annotations if isinstance(annotations, dict) else ():
        if key in _ANNOTATIONS:
            yield (*at, "metadata", "annotations", key)


def _environment(value: Json, at: Steps) -> Iterator[Steps]:
    """Yield the values of every `env` list, at any depth: pods stand inside jobs, Ray clusters and many other kinds."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            if isinstance(part, (dict, list)):
                yield from _environment(part, (*at, str(index)))
        return
    if not isinstance(value, dict):
        return
    for key, part in value.items():
        if key == "env" and isinstance(part, list):
            for index, entry in enumerate(part):
                if isinstance(entry, dict) and entry.get("value") not in {None, ""} and not _DECIDING_ENV.fullmatch(str(entry.get("name"))):
                    yield (*at, "env", str(index), "value")
        elif isinstance(part, (dict, list)) and key not in _WITHOUT_PODS:
            yield from _environment(part, (*at, key))


def _leaves(value: Json, at: Steps) -> Iterator[Steps]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _leaves(part, (*at, str(index)))
    elif value is not None and value != "":
        yield at
