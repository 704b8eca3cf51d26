"""KMS, Secrets Manager and ECR: keys, secrets, images and their policies."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, resource_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_data import Key, KeyAlias, KeyGrant, Repository, ResourcePolicy, Secret, Store
from partywall.model.facts_iam import Policy
from partywall.model.verbs import Lane
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, tags, text, texts

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def key_arn(doc: Document, value: Policy | None = None) -> str:
    """Return the ARN of the key an answer speaks of: the document's subject, or the only key that its policy names."""
    subject = doc.origin.subject or doc.key
    if subject.startswith("arn:"):
        return subject
    named = (
        sorted({arn for statement in value.statements for arn in statement.resources if ":key/" in arn and "*" not in arn}) if value else []
    )
    if not subject and len(named) == 1:
        return named[0]
    if subject and doc.origin.account and not subject.startswith("alias"):
        return f"arn:aws:kms:{doc.origin.region}:{doc.origin.account}:key/{subject}"
    return subject


def keys(doc: Document) -> Iterator[Parsed]:
    """Read `list-keys`."""
    for item, at in below(doc.value, doc.at(), "Keys"):
        arn = text(item.get("KeyArn"))
        yield Key(arn, account_of(arn), at)


def key(doc: Document) -> Iterator[Parsed]:
    """Read `describe-key`."""
    found = entries(entries(doc.value).get("KeyMetadata"))
    arn = text(found.get("Arn"))
    is_aws = found.get("KeyManager") == "AWS"
    yield Key(arn, account_of(arn), doc.at("/KeyMetadata"), is_aws, found.get("Enabled") is not False)


def key_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-key-policy`: the policy is JSON in a text, and does not say which key it is of."""
    found = policy("key policy", entries(doc.value).get("Policy"), doc.at("/Policy"))
    arn = key_arn(doc, found)
    if not arn:
        remedy = "name the file `...--KEY-ID.json`, or list it in sources.yaml"
        yield Gap(
            doc.name,
            "the answer does not say which key it is of",
            Reason.AMBIGUOUS,
            Direction.EVERYWHERE,
            (),
            (Lane.DATA,),
            remedy,
            doc.at(),
        )
        return
    yield ResourcePolicy(Store.KMS, arn, account_of(arn) or doc.origin.account, found, doc.at("/Policy"))


def grants(doc: Document) -> Iterator[Parsed]:
    """Read `list-grants`."""
    for item, at in below(doc.value, doc.at(), "Grants"):
        arn = text(item.get("KeyId"))
        arn = arn if arn.startswith("arn:") else key_arn(doc) or arn
        constraint = entries(item.get("Constraints"))
        words = " and ".join(f"{name} {_pairs(value)}" for name, value in sorted(constraint.items()))
        yield KeyGrant(
            arn,
            account_of(arn) or doc.origin.account,
            text(item.get("GranteePrincipal")),
            texts(item.get("Operations")),
            words,
            text(item.get("GrantId")),
            at,
        )


def _pairs(value: Json) -> str:
    return ", ".join(f"{name}={text(item)}" for name, item in sorted(entries(value).items())) or text(value)


def aliases(doc: Document) -> Iterator[Parsed]:
    """Read `list-aliases`."""
    for item, at in below(doc.value, doc.at(), "Aliases"):
        arn = text(item.get("AliasArn"))
        yield KeyAlias(text(item.get("AliasName")), text(item.get("TargetKeyId")), account_of(arn) or doc.origin.account, at)


def secrets(doc: Document) -> Iterator[Parsed]:
    """Read `list-secrets`."""
    for item, at in below(doc.value, doc.at(), "SecretList"):
        yield _secret(item, at)


def secret(doc: Document) -> Iterator[Parsed]:
    """Read `describe-secret`."""
    yield _secret(entries(doc.value), doc.at())


def _secret(item: Mapping[str, Json], at: Evidence) -> Secret:
    arn = text(item.get("ARN"))
    return Secret(arn, account_of(arn), text(item.get("KmsKeyId")), at, tags(item["Tags"]) if "Tags" in item else None)


def secret_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-resource-policy`; a secret without a policy has none in the answer."""
    top = entries(doc.value)
    arn = text(top.get("ARN"))
    yield Secret(arn, account_of(arn), "", doc.at())
    at = doc.at("/ResourcePolicy")
    found = policy(arn, top.get("ResourcePolicy"), at) if "ResourcePolicy" in top else Policy(arn, (), at)
    yield ResourcePolicy(Store.SECRETS, arn, account_of(arn), found, at)


def repositories(doc: Document) -> Iterator[Parsed]:
    """Read `describe-repositories`."""
    for item, at in below(doc.value, doc.at(), "repositories"):
        arn = text(item.get("repositoryArn"))
        mutable = text(item.get("imageTagMutability")) != "IMMUTABLE"
        yield Repository(arn, account_of(arn), text(item.get("repositoryName")), text(item.get("repositoryUri")), mutable, at)


def repository_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-repository-policy`."""
    top = entries(doc.value)
    account = text(top.get("registryId")) or doc.origin.account
    arn = f"arn:aws:ecr:{doc.origin.region}:{account}:repository/{text(top.get('repositoryName'))}"
    yield ResourcePolicy(Store.ECR, arn, account, policy(arn, top.get("policyText"), doc.at("/policyText")), doc.at("/policyText"))


def registry_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-registry-policy`: it holds for every repository of the registry, and its statements name them."""
    top = entries(doc.value)
    account = text(top.get("registryId")) or doc.origin.account
    arn = f"arn:aws:ecr:{doc.origin.region}:{account}:repository/*"
    found = policy(resource_of(arn), top.get("policyText"), doc.at("/policyText"))
    yield ResourcePolicy(Store.ECR, arn, account, found, doc.at("/policyText"))


PARSERS: Mapping[str, Parser] = {
    "aws:kms:list-keys": keys,
    "aws:kms:describe-key": key,
    "aws:kms:get-key-policy": key_policy,
    "aws:kms:list-grants": grants,
    "aws:kms:list-aliases": aliases,
    "aws:secretsmanager:list-secrets": secrets,
    "aws:secretsmanager:describe-secret": secret,
    "aws:secretsmanager:get-resource-policy": secret_policy,
    "aws:ecr:describe-repositories": repositories,
    "aws:ecr:get-repository-policy": repository_policy,
    "aws:ecr:get-registry-policy": registry_policy,
}
