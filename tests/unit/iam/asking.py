"""A role, a bucket and a key to ask about."""

import json
from collections.abc import Sequence

from partywall.model.document import Document
from partywall.model.facts import Facts
from partywall.resolve.iam import Outcome, can
from tests.unit.aws import ACCOUNT, REGION, Json, allow, answer, arn, policy, role, trust

OBJECT = "arn:aws:s3:::vision-data/model.bin"
READ = "s3:GetObject"
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/0a1b2c3d-1111-2222-3333-444455556666"
DECRYPT = "kms:Decrypt"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:vision/db-AbCdEf"
MAY_READ = allow(READ, "arn:aws:s3:::vision-data/*")
ROOT = f"arn:aws:iam::{ACCOUNT}:root"


def bucket(*statements: Json, home: str = ACCOUNT) -> Document:
    return answer("s3api:get-bucket-policy", {"Policy": json.dumps(policy(*statements))}, subject="vision-data", home=home)


def lets(who: object, action: str | Sequence[str] = READ, **more: object) -> Json:
    return trust(who, action, Resource="arn:aws:s3:::vision-data/*", **more)


def key_policy(*statements: Json) -> Document:
    return answer("kms:get-key-policy", {"Policy": json.dumps(policy(*statements))}, subject=KEY)


def grants(**more: object) -> Document:
    grant = {"KeyId": KEY, "GrantId": "g", "GranteePrincipal": arn("nlp"), "Operations": ["Decrypt"], **more}
    return answer("kms:list-grants", {"Grants": [grant]}, subject=KEY)


def outcome(known: Facts, principal: str = "nlp", action: str = READ, resource: str = OBJECT, **more: object) -> Outcome:
    return can(known, principal, action, resource, **more).outcome  # type: ignore[arg-type]  # the callers name real arguments


def notes(known: Facts, principal: str = "nlp", action: str = READ, resource: str = OBJECT) -> str:
    return "; ".join(can(known, principal, action, resource).notes)


NLP = role("nlp", MAY_READ)
