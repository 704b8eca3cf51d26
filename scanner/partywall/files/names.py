"""What a file's name says: the command, where it is named after one, and the subject behind `--`."""

import re
from urllib.parse import unquote

from partywall.files.aws_shapes import KINDS

_SERVICES = sorted({kind.split(":")[1] for kind in KINDS}, key=len, reverse=True)
_AWS = re.compile(rf"aws-({'|'.join(map(re.escape, _SERVICES))})-([a-z0-9-]+?)(?:[-_.](?:page|part)?[-_]?\d+)?$")
_OWN_NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?i)(?:^|/)tenants\.ya?ml$"), "partywall:tenants"),
    (re.compile(r"(?i)(?:^|/)contracts/[^/]+\.ya?ml$"), "partywall:contract"),
    (re.compile(r"(?:^|/)slurm\.conf$"), "slurm:slurm.conf"),
    (re.compile(r"(?:^|/)slurmdbd\.conf$"), "slurm:slurmdbd.conf"),
)
# The listings of Slurm that decide something; others are empty often enough.
_SLURM = re.compile(r"(?:slurm-)?(sacctmgr|scontrol)-(?:show|list)-(assoc-mgr|assoc|user|account|qos|config|partition)")
# Names that people give to saved answers, in place of the command's own.
_LOOSE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"access-?point-policy"), "aws:s3control:get-access-point-policy"),
    (re.compile(r"bucket-policy"), "aws:s3api:get-bucket-policy"),
    (re.compile(r"(?:kms|key)-policy"), "aws:kms:get-key-policy"),
    (re.compile(r"attached-role-policies"), "aws:iam:list-attached-role-policies"),
    (re.compile(r"attached-user-policies"), "aws:iam:list-attached-user-policies"),
    (re.compile(r"attached-group-policies"), "aws:iam:list-attached-group-policies"),
    (re.compile(r"role-policies"), "aws:iam:list-role-policies"),
)


def stem_of(name: str) -> str:
    """Return the file's own name without its folder and its ending."""
    own = re.sub(r"~\d+$", "", name.rsplit("/", 1)[-1])
    return re.sub(r"(?i)\.(?:json|ya?ml|txt|out|log|conf)$", "", own)


def key_of(name: str) -> str:
    """Return KEY of `NAME--KEY.json`; `%2F` and `%3A` in it stand for `/` and `:`, which a file name cannot hold."""
    return unquote(stem_of(name).partition("--")[2])


def said_kind(name: str) -> str:
    """Return the document kind that the name speaks of, or an empty string: `aws-SERVICE-COMMAND`, or another name that people use."""
    own = next((kind for pattern, kind in _OWN_NAMES if pattern.search(name)), "")
    if own:
        return own
    before = stem_of(name).partition("--")[0].lower().replace("_", "-")
    exact = _AWS.fullmatch(before)
    if exact:
        return f"aws:{exact[1]}:{exact[2]}"
    for kind in sorted(KINDS):
        if before == kind.removeprefix("aws:").replace(":", "-"):
            return kind
    if re.match(r"kubectl|k8s|kubernetes", before):
        return "kubernetes"
    slurm = _SLURM.match(before)
    if slurm:
        return f"slurm:{slurm[1]}-show-{slurm[2].replace('-', '_')}"
    return next((kind for pattern, kind in _LOOSE if pattern.search(before)), "")


def command_named(name: str) -> str:
    """Return the command after which a file is named, in the words of a shell, or an empty string; loose names do not count."""
    if name.rsplit("/", 1)[-1] in {"slurm.conf", "slurmdbd.conf"}:
        return f"cat {name.rsplit('/', 1)[-1]}"
    before = stem_of(name).partition("--")[0].lower().replace("_", "-")
    kind = said_kind(name)
    if before.startswith("aws-"):
        return kind.replace(":", " ") if kind in KINDS else ""
    if before.startswith("kubectl-get"):
        return "kubectl get -o json"
    if before.startswith(("sacctmgr-show-assoc", "sacctmgr-show-user", "sacctmgr-show-account", "sacctmgr-show-qos")):
        return f"sacctmgr -P show {before.split('-')[2]}"
    if before.startswith(("scontrol-show-config", "scontrol-show-partition", "sacctmgr-show-config")):
        return " ".join(before.split("-")[:3])
    return ""


def kind_of_operation(operation: str) -> str:
    """Return the document kind of an operation, such as `GetBucketPolicy`, where only one service has it."""
    command = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", operation).lower()
    found = [kind for kind in sorted(KINDS) if kind.rpartition(":")[2] == command]
    return found[0] if len(found) == 1 else ""
