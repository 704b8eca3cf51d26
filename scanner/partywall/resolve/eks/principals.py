"""IAM principals as EKS writes them: with and without their path, and whether they exist."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AccessPolicy, PodIdentity, principal_node
from partywall.model.facts_iam import HolderKind, Principal
from partywall.model.node import Kind

_RESERVED = re.compile(r"(/AWSReservedSSO_.+)_[0-9a-f]{16}$")


def stable(arn: str) -> str:
    """Return an ARN without the suffix that Identity Center generates for a permission set's role."""
    return _RESERVED.sub(r"\1", arn)


def account_of(arn: str) -> str:
    """Return the account of an ARN."""
    words = arn.split(":", 5)
    return words[4] if len(words) > 5 else ""


def without_path(arn: str) -> str:
    """Return a role's or user's ARN as `aws-auth` must write it (EKS user guide, "Grant access with a ConfigMap")."""
    head, slash, rest = arn.partition("/")
    return f"{head}/{rest.rsplit('/', 1)[-1]}" if slash else arn


@dataclass(frozen=True, slots=True)
class Principals:
    """What is known of the principals of all accounts: those described, and full ARNs by their form without path."""

    described: Mapping[str, Principal]
    full: Mapping[str, str]
    listed: frozenset[str]

    def canonical(self, arn: str) -> str:
        """Return the ARN with its path, where that is known."""
        return arn if arn in self.described else self.full.get(without_path(arn), arn)

    def is_gone(self, arn: str) -> bool:
        """Tell whether a role is absent from a complete list of its account's roles."""
        return ":role/" in arn and account_of(arn) in self.listed and self.canonical(arn) not in self.described

    def is_read(self, arn: str) -> bool:
        """Tell whether who may assume a role was read."""
        principal = self.described.get(self.canonical(arn))
        return principal is not None and (principal.trust is not None or principal.holder.kind is not HolderKind.ROLE)


def principals(facts: Facts) -> Principals:
    """Collect the principals that the facts describe or name."""
    described = {principal.arn: principal for principal in facts.of(Principal)}
    full = {without_path(arn): arn for arn in (*_named(facts), *described)}
    accounts = dict.fromkeys(account_of(arn) for arn in (*described, *_named(facts)))
    return Principals(described, full, frozenset(account for account in accounts if facts.listed("Role", account)))


def _named(facts: Facts) -> Iterator[str]:
    for named in facts.of(Named):
        if named.node.kind in (Kind.ROLE, Kind.IAM_USER):
            yield named.node.name
    yield from (entry.principal for entry in facts.of(AccessEntryName))
    yield from (entry.principal for entry in facts.of(AccessEntry))
    yield from (policy.principal for policy in facts.of(AccessPolicy))
    yield from (identity.role_arn for identity in facts.of(PodIdentity))


__all__ = ["Principals", "account_of", "principal_node", "principals", "stable", "without_path"]
