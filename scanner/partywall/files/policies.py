"""What a resource policy says about the thing it stands on."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from partywall.model.evidence import Json

_ACCESS_POINT = re.compile(r"arn:aws[\w-]*:s3:[\w-]*:\d*:accesspoint/")
_BUCKET = re.compile(r"arn:aws[\w-]*:s3:::(?P<bucket>[^/*?$]+)(?:/.*)?", re.DOTALL)
_ACCESS_GRANTS = re.compile(r"arn:aws[\w-]*:s3:[\w-]*:\d*:access-grants/")


def statements_of(policy: Json) -> Iterator[Mapping[str, Json]]:
    """Yield the statements of a policy, given as a string or as an object; nothing where it is neither."""
    if isinstance(policy, str):
        try:
            policy = json.loads(policy)
        except (ValueError, RecursionError):
            return
    statements = policy.get("Statement") if isinstance(policy, dict) else None
    for statement in statements if isinstance(statements, list) else [statements]:
        if isinstance(statement, dict):
            yield statement


def words(found: Json) -> list[str]:
    """Return the strings of a policy element that is a string or a list of them."""
    return [word for word in (found if isinstance(found, list) else [found]) if isinstance(word, str)]


def policy_kind(policy: str, among: Sequence[str]) -> str:
    """Tell whose answer `{"Policy": "..."}` is, by the resources and actions of its statements; nothing where they do not say."""
    resources = [word for statement in statements_of(policy) for key in ("Resource", "NotResource") for word in words(statement.get(key))]
    actions = [word.lower() for statement in statements_of(policy) for key in ("Action", "NotAction") for word in words(statement.get(key))]
    told = ""
    if resources and all(map(_ACCESS_POINT.match, resources)):
        told = "aws:s3control:get-access-point-policy"
    elif resources and all(map(_ACCESS_GRANTS.match, resources)):
        told = "aws:s3control:get-access-grants-instance-resource-policy"
    elif any(map(_BUCKET.fullmatch, resources)) or (actions and all(action.startswith("s3:") for action in actions)):
        told = "aws:s3api:get-bucket-policy"
    elif actions and all(action.startswith("kms:") for action in actions):
        told = "aws:kms:get-key-policy"
    return told if told in among else ""


def bucket_of(policy: Json) -> str:
    """Return the one bucket that a policy's resources name; a bucket policy may name no other (Amazon S3 User Guide, "Bucket policies")."""
    resources = [word for statement in statements_of(policy) for key in ("Resource", "NotResource") for word in words(statement.get(key))]
    buckets = {found["bucket"] for found in map(_BUCKET.fullmatch, resources) if found}
    return buckets.pop() if len(buckets) == 1 else ""
