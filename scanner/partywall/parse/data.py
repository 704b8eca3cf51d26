"""Stores of data: S3, KMS, Secrets Manager, ECR, EFS, FSx, CloudWatch Logs."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, resource_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_data import (
    AccessGrant,
    AccessPoint,
    Bucket,
    BucketEncryption,
    BucketGrant,
    BucketOwnership,
    BucketTags,
    Grantee,
    PublicAccessBlock,
    ResourcePolicy,
    Store,
)
from partywall.model.verbs import Lane
from partywall.parse.data_files import PARSERS as FILE_PARSERS
from partywall.parse.data_keys import PARSERS as KEY_PARSERS
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, tags, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def _bucket(doc: Document) -> str:
    """Return the bucket an answer speaks of; S3's answers do not say."""
    subject = doc.origin.subject or doc.key
    return resource_of(subject) or subject


def _subjectless(doc: Document, what: str) -> Gap:
    remedy = "name the file `...--NAME.json`, or list it in sources.yaml"
    return Gap(
        doc.name,
        f"the answer does not say which {what} it is of",
        Reason.AMBIGUOUS,
        Direction.EVERYWHERE,
        (),
        (Lane.DATA,),
        remedy,
        doc.at(),
    )


def buckets(doc: Document) -> Iterator[Parsed]:
    """Read `list-buckets`: all buckets of the account, unless it is a page or a part (S3 API, ListBuckets)."""
    for item, at in below(doc.value, doc.at(), "Buckets"):
        yield Bucket(text(item.get("Name")), doc.origin.account, text(item.get("BucketRegion")), at)
    if doc.origin.account and not {"ContinuationToken", "NextToken", "Prefix"} & entries(doc.value).keys():
        yield Listed("Bucket", doc.origin.account, doc.at("/Buckets"))


def bucket_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-policy`: the policy is JSON in a text."""
    yield from _of_bucket(
        doc,
        lambda name: ResourcePolicy(
            Store.S3, name, doc.origin.account, policy(name, entries(doc.value).get("Policy"), doc.at("/Policy")), doc.at("/Policy")
        ),
    )


def _of_bucket(doc: Document, build: Callable[[str], Fact]) -> Iterator[Parsed]:
    name = _bucket(doc)
    yield build(name) if name else _subjectless(doc, "bucket")


def public_access(doc: Document) -> Iterator[Parsed]:
    """Read `get-public-access-block` of a bucket (s3api) or of an account (s3control)."""
    found = entries(entries(doc.value).get("PublicAccessBlockConfiguration"))
    of_account = doc.kind.startswith("aws:s3control:")
    restricts, ignores = found.get("RestrictPublicBuckets") is True, found.get("IgnorePublicAcls") is True
    if of_account:
        yield PublicAccessBlock("", doc.origin.account, restricts, ignores, doc.at("/PublicAccessBlockConfiguration"))
    else:
        yield from _of_bucket(
            doc, lambda name: PublicAccessBlock(name, doc.origin.account, restricts, ignores, doc.at("/PublicAccessBlockConfiguration"))
        )


def ownership(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-ownership-controls`."""
    at = doc.at("/OwnershipControls")
    rules = [text(rule.get("ObjectOwnership")) for rule, _ in below(entries(doc.value).get("OwnershipControls"), at, "Rules")]
    yield from _of_bucket(doc, lambda name: BucketOwnership(name, "BucketOwnerEnforced" not in rules, at))


def acl(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-acl`."""
    name = _bucket(doc)
    if not name:
        yield _subjectless(doc, "bucket")
        return
    owner = text(entries(entries(doc.value).get("Owner")).get("ID"))
    for item, at in below(doc.value, doc.at(), "Grants"):
        grantee = entries(item.get("Grantee"))
        who = text(grantee.get("URI")) or text(grantee.get("ID")) or text(grantee.get("EmailAddress"))
        yield BucketGrant(name, who, text(item.get("Permission")), who == owner, at)


def bucket_tags(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-tagging`."""
    yield from _of_bucket(doc, lambda name: BucketTags(name, tags(entries(doc.value).get("TagSet")), doc.at("/TagSet")))


def encryption(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-encryption`; default encryption is taken to hold for every object."""
    at = doc.at("/ServerSideEncryptionConfiguration")
    found = ""
    for rule, place in below(entries(doc.value).get("ServerSideEncryptionConfiguration"), at, "Rules"):
        default = entries(rule.get("ApplyServerSideEncryptionByDefault"))
        if text(default.get("SSEAlgorithm")).startswith("aws:kms"):
            found, at = text(default.get("KMSMasterKeyID")), place
    yield from _of_bucket(doc, lambda name: BucketEncryption(name, found, doc.origin.account, doc.origin.region, at))


def access_points(doc: Document) -> Iterator[Parsed]:
    """Read `list-access-points`."""
    for item, at in below(doc.value, doc.at(), "AccessPointList"):
        arn = text(item.get("AccessPointArn"))
        yield AccessPoint(arn, text(item.get("Name")), text(item.get("Bucket")), account_of(arn), at)


def access_point(doc: Document) -> Iterator[Parsed]:
    """Read `get-access-point`."""
    top = entries(doc.value)
    arn = text(top.get("AccessPointArn"))
    yield AccessPoint(arn, text(top.get("Name")), text(top.get("Bucket")), account_of(arn), doc.at())


def access_point_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-access-point-policy`; the access point is the document's subject, by ARN or by name."""
    subject = doc.origin.subject or doc.key
    if not subject:
        yield _subjectless(doc, "access point")
        return
    found: Json = entries(doc.value).get("Policy")
    name = resource_of(subject).removeprefix("accesspoint/") or subject
    yield ResourcePolicy(
        Store.ACCESS_POINT, name, account_of(subject) or doc.origin.account, policy(name, found, doc.at("/Policy")), doc.at("/Policy")
    )


def access_grants(doc: Document) -> Iterator[Parsed]:
    """Read `list-access-grants`."""
    for item, at in below(doc.value, doc.at(), "AccessGrantsList"):
        grantee = entries(item.get("Grantee"))
        kind = text(grantee.get("GranteeType"))
        if kind not in {known.value for known in Grantee}:
            what = f"an access grant to a grantee of type {kind or '?'}"
            yield Gap(doc.name, what, Reason.UNEVALUABLE, Direction.EVERYWHERE, (), (Lane.DATA,), "", at)
            continue
        yield AccessGrant(
            text(item.get("AccessGrantId")),
            text(item.get("GrantScope")).removeprefix("s3://"),
            account_of(text(item.get("AccessGrantArn"))) or doc.origin.account,
            text(item.get("Permission")),
            Grantee(kind),
            text(grantee.get("GranteeIdentifier")),
            at,
        )


def regions(doc: Document) -> Iterator[Parsed]:
    """Read `get-bucket-location`."""
    place = text(entries(doc.value).get("LocationConstraint")) or "us-east-1"
    yield from _of_bucket(doc, lambda name: Bucket(name, doc.origin.account, place, doc.at()))


PARSERS: Mapping[str, Parser] = {
    "aws:s3api:list-buckets": buckets,
    "aws:s3api:get-bucket-location": regions,
    "aws:s3api:get-bucket-policy": bucket_policy,
    "aws:s3api:get-public-access-block": public_access,
    "aws:s3control:get-public-access-block": public_access,
    "aws:s3api:get-bucket-ownership-controls": ownership,
    "aws:s3api:get-bucket-acl": acl,
    "aws:s3api:get-bucket-tagging": bucket_tags,
    "aws:s3api:get-bucket-encryption": encryption,
    "aws:s3control:list-access-points": access_points,
    "aws:s3control:get-access-point": access_point,
    "aws:s3control:get-access-point-policy": access_point_policy,
    "aws:s3control:list-access-grants": access_grants,
    **KEY_PARSERS,
    **FILE_PARSERS,
}
