"""Organizations: control policies and what they are attached to."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.document import Document, Gap
from partywall.model.facts import Fact
from partywall.model.facts_iam import (
    ControlKind,
    ControlPolicy,
    ControlTarget,
    Organization,
    OrganizationAccount,
    OrganizationParent,
)
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]

_KINDS = frozenset(kind.value for kind in ControlKind)


def organization(doc: Document) -> Iterator[Parsed]:
    """Read `describe-organization`."""
    found = entries(entries(doc.value).get("Organization"))
    yield Organization(text(found.get("Id")), text(found.get("MasterAccountId")), doc.at("/Organization"))


def one_policy(doc: Document) -> Iterator[Parsed]:
    """Read `describe-policy`."""
    found = entries(entries(doc.value).get("Policy"))
    summary = entries(found.get("PolicySummary"))
    kind = text(summary.get("Type"))
    if kind in _KINDS:
        at = doc.at("/Policy")
        content = policy(text(summary.get("Name")), found.get("Content"), at.below("Content"))
        yield ControlPolicy(text(summary.get("Id")), text(summary.get("Name")), ControlKind(kind), at, content)


def policies_of_target(doc: Document) -> Iterator[Parsed]:
    """Read `list-policies-for-target`: the target is the document's subject."""
    target = doc.origin.subject or doc.key
    complete = not entries(doc.value).get("NextToken")
    for item, at in below(doc.value, doc.at(), "Policies"):
        kind = text(item.get("Type"))
        if kind in _KINDS:
            yield ControlTarget(text(item.get("Id")), target, at, ControlKind(kind), complete)


def parents(doc: Document) -> Iterator[Parsed]:
    """Read `list-parents`: the child is the document's subject."""
    for item, at in below(doc.value, doc.at(), "Parents"):
        yield OrganizationParent(doc.origin.subject or doc.key, text(item.get("Id")), at)


def accounts(doc: Document) -> Iterator[Parsed]:
    """Read `list-accounts`."""
    for item, at in below(doc.value, doc.at(), "Accounts"):
        yield OrganizationAccount(text(item.get("Id")), at)


def targets_of_policy(doc: Document) -> Iterator[Parsed]:
    """Read `list-targets-for-policy`: the policy is the document's subject."""
    for item, at in below(doc.value, doc.at(), "Targets"):
        yield ControlTarget(doc.origin.subject or doc.key, text(item.get("TargetId")), at)


PARSERS: Mapping[str, Parser] = {
    "aws:organizations:describe-organization": organization,
    "aws:organizations:describe-policy": one_policy,
    "aws:organizations:list-accounts": accounts,
    "aws:organizations:list-parents": parents,
    "aws:organizations:list-policies-for-target": policies_of_target,
    "aws:organizations:list-targets-for-policy": targets_of_policy,
}
