"""Error texts where an answer should be: the AWS CLI's, kubectl's and Slurm's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from partywall.model.document import Reason
from partywall.model.evidence import Json

# aws-cli: awscli/errorhandler.py prints `An error occurred (CODE) when calling the OPERATION operation: MESSAGE`.
_AWS = re.compile(
    r"An error occurred \((?P<code>[\w.:-]+)\) when calling the (?P<operation>\w+) operation(?: \([^)]*\))?: ?(?P<message>.*)"
)
_KUBECTL = re.compile(
    r"(?:Error from server(?: \((?P<code>\w+)\))?: |error: )(?P<message>.*)|Unable to connect to the server: (?P<broken>.*)"
)
_SLURM = re.compile(r"(?:sacctmgr|scontrol|sinfo|squeue|sacct|sdiag): (?:error|fatal): (?P<message>.*)|slurm_load_\w+ error: (?P<load>.*)")
_LOCAL = re.compile(
    r"(?:Unable to locate credentials|The config profile \(|Could not connect to the endpoint URL|aws: \[?ERROR|"
    r"Error when retrieving token|"
    r"The SSO session associated|bash: |sh: |usage: aws |\S+: command not found)"
)
_DENIED = re.compile(
    r"AccessDenied|Unauthorized|Forbidden|NotAuthorized|AuthFailure|ExpiredToken|InvalidClientToken|^403$|SignatureDoesNotMatch|UnrecognizedClient"
)
_THROTTLED = re.compile(r"Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|LimitExceeded|BandwidthLimit")
_UNSUPPORTED = re.compile(
    r"Unsupported|UnknownOperation|InvalidAction|NotImplemented|OptInRequired|SubscriptionRequired|RegionDisabled|UnknownEndpoint"
)
_ABSENT = re.compile(r"NoSuch|NotFound|DoesNotExist|^404$")
# These say that nothing is set, which is an answer: the bucket or the repository is there and has no policy of its own.
_NOTHING_SET: Mapping[str, str] = {
    "NoSuchBucketPolicy": "aws:s3api:get-bucket-policy",
    "NoSuchPublicAccessBlockConfiguration": "aws:s3api:get-public-access-block",
    "ServerSideEncryptionConfigurationNotFoundError": "aws:s3api:get-bucket-encryption",
    "OwnershipControlsNotFoundError": "aws:s3api:get-bucket-ownership-controls",
    "NoSuchTagSet": "aws:s3api:get-bucket-tagging",
    "NoSuchAccessPointPolicy": "aws:s3control:get-access-point-policy",
    "RepositoryPolicyNotFoundException": "aws:ecr:get-repository-policy",
    "RegistryPolicyNotFoundException": "aws:ecr:get-registry-policy",
    "PolicyNotFound": "aws:efs:describe-file-system-policy",
    "InvalidDocument": "aws:ssm:get-document",
}
# What each of them would print if it printed an answer. EFS is not among them: without a policy of its own a file system has an open one
# (Amazon EFS User Guide, "Using IAM to control file system data access").
_NO_STATEMENTS = '{"Statement": []}'
NOTHING: Mapping[str, Json] = {
    "aws:s3api:get-bucket-policy": {"Policy": _NO_STATEMENTS},
    "aws:s3api:get-public-access-block": {"PublicAccessBlockConfiguration": {}},
    "aws:s3api:get-bucket-encryption": {"ServerSideEncryptionConfiguration": {"Rules": []}},
    "aws:s3api:get-bucket-ownership-controls": {"OwnershipControls": {"Rules": []}},
    "aws:s3api:get-bucket-tagging": {"TagSet": []},
    "aws:s3control:get-access-point-policy": {"Policy": _NO_STATEMENTS},
    "aws:ecr:get-repository-policy": {"policyText": _NO_STATEMENTS},
    "aws:ecr:get-registry-policy": {"policyText": _NO_STATEMENTS},
}


@dataclass(frozen=True, slots=True)
class SaidError:
    """An error text: why, in the words of the program; `nothing_set` is the kind of the answer that it amounts to."""

    reason: Reason
    text: str
    code: str = ""
    operation: str = ""
    nothing_set: str = ""


def said_error(text: str) -> SaidError | None:
    """Return the error that a text consists of, or None. Only short texts are errors: an answer may hold an error's words."""
    told = text.strip()
    if not told or len(told) > 4000 or told.count("\n") > 8 or told[0] in "{[":
        return None
    aws = _AWS.match(told.removeprefix("aws: [ERROR]: "))
    if aws:
        nothing = _NOTHING_SET.get(aws["code"], "")
        return SaidError(_aws_reason(aws["code"]), f"{aws['code']}: {aws['message'].strip()}", aws["code"], aws["operation"], nothing)
    kubectl = _KUBECTL.match(told)
    if kubectl:
        return _kubectl(kubectl)
    slurm = _SLURM.match(told)
    if slurm:
        message = slurm["message"] or slurm["load"] or ""
        return SaidError(Reason.DENIED if re.search(r"(?i)denied|permission|privilege", message) else Reason.ABSENT, message.strip())
    if _LOCAL.match(told):
        return SaidError(Reason.ABSENT, told.splitlines()[0])
    return None


def _kubectl(found: re.Match[str]) -> SaidError:
    message = (found["message"] or found["broken"] or "").strip().splitlines()
    words = message[0] if message else "no message"
    code = found["code"] or ""
    # What is not installed or not there is an answer: there is none of it.
    if code == "NotFound" or "doesn't have a resource type" in words:
        return SaidError(Reason.ABSENT, words, code, nothing_set="unknown")
    if _DENIED.search(code) or "Unauthorized" in words or "forbidden" in words:
        return SaidError(Reason.DENIED, words, code)
    return SaidError(Reason.ABSENT, words, code)


def _aws_reason(code: str) -> Reason:
    table = ((_DENIED, Reason.DENIED), (_THROTTLED, Reason.THROTTLED), (_UNSUPPORTED, Reason.UNSUPPORTED), (_ABSENT, Reason.ABSENT))
    return next((reason for pattern, reason in table if pattern.search(code)), Reason.UNEVALUABLE)
