"""KMS: who may use a key, by its policy, by a policy of their own that it delegates to, or by a grant.

KMS developer guide, "Key policies in AWS KMS" (nobody has a permission that the key policy does not give or delegate) and "Grants in
AWS KMS".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.model.arn import account_of
from partywall.model.atom import Atom, Control
from partywall.model.edge import Certainty, Change, Edge, Lever, Move, when
from partywall.model.facts import Facts
from partywall.model.facts_data import Key, KeyAlias, KeyGrant, Secret
from partywall.model.node import Node
from partywall.model.residual import TRUE, that
from partywall.resolve.data.asking import admitted, asked, request_on, strangers, where
from partywall.resolve.data.stock import BucketStock, Holding
from partywall.resolve.iam.context import Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import account_node, role_node
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.ways import Way, may_ask, own_denies

ACTIONS: tuple[tuple[str, str], ...] = (
    ("kms:decrypt", "decrypt with"),
    ("kms:putkeypolicy", "administer key"),
    ("kms:schedulekeydeletion", "administer key"),
    ("kms:creategrant", "change grants of"),
)


def key_edges(estate: Estate, key: Holding, ring: "KeyRing") -> Iterator[Edge]:
    """Yield who may use, administer or hand on a key."""
    aliases = ring.names_of(key)
    named = admitted(estate, key.guard)
    for action, verb in ACTIONS:
        for rights in estate.askers():
            if rights.node not in named and (key.guard is not None or not may_ask(rights, action, key.arn)):
                continue
            for way in key_ways(rights, key, action, aliases):
                yield edge(rights.node, verb, key.node, way)
        for source, way in strangers(estate, action, key.arn, key.account, key.guard or ()):
            yield edge(source, verb, key.node, way)
    for grant in ring.grants.get(key.arn, []):
        yield from _grant_edges(estate, key, grant)


def key_ways(rights: Rights, key: Holding, action: str, keys: Mapping[str, Value]) -> list[Way]:
    """Return the ways of a principal to use a key."""
    request = request_on(
        rights, action, key.arn, {**where(key.account, key.region), "kms:calleraccount": (rights.account,), **keys}, key.tags
    )
    return asked(rights, request, key.account, key.guard, sole=True, unread=f"the policy of key {key.arn} is not in the input")


def _grantee(estate: Estate, grant: KeyGrant) -> tuple[Node, Rights | None] | None:
    rights = estate.rights.get(grant.grantee)
    if rights is not None:
        return rights.node, rights
    account = account_of(grant.grantee)
    if not account or estate.knows(account):
        return None
    return (role_node(grant.grantee) if ":role/" in grant.grantee else account_node(account)), None


def _grant_edges(estate: Estate, key: Holding, grant: KeyGrant) -> Iterator[Edge]:
    grantee = _grantee(estate, grant)
    if grantee is None or "Decrypt" not in grant.operations:
        return
    node, rights = grantee
    if rights is not None and own_denies(rights, request_on(rights, "kms:decrypt", key.arn, {})) is TRUE:
        return
    text = f"retire grant {grant.id or 'of ' + grant.grantee} of key {grant.key}"
    lever = Lever(
        Move.REMOVE,
        "KMS grant",
        grant.account,
        f"{grant.key} / {grant.grantee}",
        (grant.at,),
        text,
        ",".join(sorted(grant.operations)),
        Change(gone=(grant,)),
    )
    if not grant.constraint:
        yield Edge(node, "decrypt with", key.node, (grant.at,), lever, note="by a grant")
        return
    # Whoever sends the request writes the encryption context, so it is the caller's to meet.
    asked = that(Atom("kms:EncryptionContext", "fits", (grant.constraint,), Control.CALLER))
    condition = when(asked, f"the encryption context fits {grant.constraint}")
    yield Edge(node, "decrypt with", key.node, (grant.at,), lever, Certainty.CONDITIONAL, condition, "by a grant")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by ARN, aliases, and the grants of each key."""

    keys: Mapping[str, Holding]
    aliases: Mapping[tuple[str, str], str]
    aws_managed: frozenset[str]
    grants: Mapping[str, list[KeyGrant]]
    secrets: Mapping[str, str]

    def names_of(self, key: Holding) -> dict[str, Value]:
        """Return the condition keys that a key's aliases fill in; nothing where no aliases were read."""
        if not self.aliases:
            return {}
        return {
            "kms:resourcealiases": tuple(
                alias for (account, alias), target in self.aliases.items() if account == key.account and key.arn.endswith(f"/{target}")
            )
        }

    def arn_of(self, name: str, account: str, region: str) -> str:
        """Return the ARN of a key that is named by ARN, id or alias."""
        alias = name.rpartition(":")[2] if ":alias/" in name else name if name.startswith("alias/") else ""
        if alias:
            home = account_of(name) or account
            target = self.aliases.get((home, alias), "")
            return next((arn for arn in self.keys if target and arn.endswith(f"/{target}")), "") if target else name
        if name.startswith("arn:") or not name:
            return name
        return next((arn for arn in self.keys if arn.endswith(f"/{name}")), f"arn:aws:kms:{region}:{account}:key/{name}")

    def unlock(self, rights: Rights, stock: BucketStock, action: str) -> list[Way] | None:
        """Return the ways of a principal to the key of a bucket's default encryption; None where no key stands in the way."""
        encryption = next((found for found in stock.keys if found.key), None)
        if encryption is None or "alias/aws/" in encryption.key:
            return None
        arn = self.arn_of(encryption.key, encryption.account or stock.account, encryption.region or stock.region)
        if arn in self.aws_managed:
            return None
        key = self.keys.get(arn)
        if key is None:
            return [Way((), why=f"the policy of key {arn} is not in the input")] if rights.allows(action) else None
        region = key.region
        via: dict[str, Value] = {"kms:viaservice": (f"s3.{region}.amazonaws.com",)} if region else {}
        found = key_ways(rights, key, action, {**via, **self.names_of(key)})
        operation = "Decrypt" if action == "kms:decrypt" else "GenerateDataKey"
        return [*found, *self._by_grant(rights, arn, operation)]

    def unlock_secret(self, rights: Rights, secret: Holding) -> list[Way] | None:
        """Return the ways of a principal to the key of a secret; None where Secrets Manager's own key serves."""
        arn = self.arn_of(self.secrets.get(secret.arn, ""), secret.account, secret.region)
        key = self.keys.get(arn)
        if key is None or arn in self.aws_managed:
            return None
        found = key_ways(rights, key, "kms:decrypt", {"kms:viaservice": (f"secretsmanager.{key.region}.amazonaws.com",)})
        return [*found, *self._by_grant(rights, arn, "Decrypt")]

    def _by_grant(self, rights: Rights, arn: str, operation: str) -> Iterator[Way]:
        for grant in self.grants.get(arn, []):
            if grant.grantee == rights.principal.arn and operation in grant.operations:
                yield Way(())


def key_ring(facts: Facts, things: list[Holding]) -> KeyRing:
    """Join keys with their aliases and grants."""
    grants: dict[str, list[KeyGrant]] = {}
    for grant in facts.of(KeyGrant):
        grants.setdefault(grant.key, []).append(grant)
    aliases = {(alias.account, alias.alias): alias.key for alias in facts.of(KeyAlias)}
    managed = frozenset(key.arn for key in facts.of(Key) if key.aws_managed)
    return KeyRing(
        {thing.arn: thing for thing in things if ":key/" in thing.arn},
        aliases,
        managed,
        grants,
        {secret.arn: secret.key for secret in facts.of(Secret) if secret.key},
    )
