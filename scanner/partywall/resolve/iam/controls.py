"""Service and resource control policies: the levels of an organization, each a ceiling of its own.

Organizations user guide, "SCP evaluation" and "RCP evaluation": an account is allowed what the root, every unit above it and the account
itself allow; at one level its policies add up. Policies that were not read, and levels that nobody listed, could only take rights away:
they are assumed to take none, and the assumption is said.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from partywall.model.document import Assumption
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_iam import (
    ControlKind,
    ControlPolicy,
    ControlTarget,
    Effect,
    OrganizationAccount,
    OrganizationParent,
    Statement,
)
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Ceiling, Layer

CONTROL_FACTS: tuple[type, ...] = (ControlPolicy, ControlTarget, OrganizationParent, OrganizationAccount)
# What AWS attaches to everything unless somebody takes it off: it allows everything.
_EVERYTHING = {"p-FullAWSAccess": ControlKind.SERVICE, "p-RCPFullAWSAccess": ControlKind.RESOURCE}
_LAYERS = {ControlKind.SERVICE: Layer.SERVICE_CONTROL, ControlKind.RESOURCE: Layer.RESOURCE_CONTROL}
# Services that resource control policies apply to (Organizations user guide, "Resource control policies"; as of 2025-06). The list only
# grows: on a service that is not in it such a policy is taken to do nothing.
_UNDER_RESOURCE_CONTROL = frozenset(
    {"aoss", "cognito-identity", "cognito-idp", "dynamodb", "ecr", "kms", "logs", "s3", "secretsmanager", "sqs", "sts"}
)


@dataclass(frozen=True, slots=True)
class Controls:
    """The control policies of one kind: what is attached to each target, and the levels above each account, the account itself last."""

    kind: ControlKind
    attached: Mapping[str, tuple[ControlTarget, ...]]
    policies: Mapping[str, ControlPolicy]
    above: Mapping[str, tuple[str, ...]]
    made: dict[str, tuple[Ceiling, ...]] = field(default_factory=dict, repr=False, compare=False)

    def levels(self, account: str) -> tuple[Ceiling, ...]:
        """Return the ceilings of an account, level by level; all of its principals share them."""
        if account not in self.made:
            targets = self.above.get(account, (account,))
            self.made[account] = tuple(self._level(target) for target in targets if target in self.attached)
        return self.made[account]

    def _level(self, target: str) -> Ceiling:
        here = self.attached[target]
        contents = [self._statements(each) for each in here]
        grants = tuple(grant for found in contents for grant in found or ())
        complete = all(each.listed for each in here) and all(found is not None for found in contents)
        return Ceiling(target, grants, _LAYERS[self.kind], one_sided=not complete)

    def _statements(self, attachment: ControlTarget) -> tuple[Grant, ...] | None:
        policy = self.policies.get(attachment.policy)
        if policy is not None and policy.policy is not None:
            return tuple(Grant(statement, policy, (attachment.at,)) for statement in policy.policy.statements)
        return (Grant(_everything(attachment.at), attachment),) if attachment.policy in _EVERYTHING else None


def _everything(at: Evidence) -> Statement:
    return Statement(at, Effect.ALLOW, '{"Action":"*","Effect":"Allow","Resource":"*"}', actions=("*",), resources=("*",))


def controls(facts: Facts, kind: ControlKind) -> Controls:
    """Join the control policies of one kind with what they are attached to."""
    policies = {policy.id: policy for policy in facts.of(ControlPolicy) if policy.kind is kind}
    found: dict[str, dict[str, ControlTarget]] = {}
    for target in _targets(facts, policies):
        if target.kind is kind or (target.kind is None and (target.policy in policies or _EVERYTHING.get(target.policy) is kind)):
            here = found.setdefault(target.target, {})
            if target.policy not in here or target.listed:
                here[target.policy] = target
    return Controls(kind, {target: tuple(here.values()) for target, here in found.items()}, policies, _above(facts))


def _targets(facts: Facts, policies: Mapping[str, ControlPolicy]) -> Iterator[ControlTarget]:
    yield from facts.of(ControlTarget)
    for policy in policies.values():
        yield from (ControlTarget(policy.id, target, policy.at, policy.kind) for target in policy.targets)


def _above(facts: Facts) -> Mapping[str, tuple[str, ...]]:
    """Return the levels of each account from the root down; of members whose parents were not read, the root, if one is known."""
    parent = {found.child: found.parent for found in facts.of(OrganizationParent)}
    roots = {target.target for target in facts.of(ControlTarget) if target.target.startswith("r-")}
    members = {found.account for found in facts.of(OrganizationAccount)}
    chains: dict[str, tuple[str, ...]] = {}
    for account in sorted(members | {child for child in parent if not child.startswith("ou-")}):
        chain = [account]
        while chain[-1] in parent and parent[chain[-1]] not in chain:
            chain.append(parent[chain[-1]])
        if not chain[-1].startswith("r-") and account in members and len(roots) == 1:
            chain += roots
        chains[account] = tuple(reversed(chain))
    return chains


def under_resource_control(action: str) -> bool:
    """Tell whether resource control policies apply to an action's service."""
    return action.partition(":")[0] in _UNDER_RESOURCE_CONTROL


def assumptions(facts: Facts) -> Iterator[Assumption]:
    """Yield what is taken for granted of the organization's limits."""
    if not facts.of(ControlPolicy) and not facts.of(ControlTarget):
        yield Assumption("organizations", "service and resource control policies were not read; they could only take rights away")
        return
    attached = {target.policy for target in facts.of(ControlTarget)}
    for policy in facts.of(ControlPolicy):
        if policy.id not in attached and not policy.targets:
            yield Assumption(
                "organizations", f"control policy {policy.name or policy.id} is not applied: what it is attached to was not read"
            )
    known = {policy.id for policy in facts.of(ControlPolicy)} | _EVERYTHING.keys()
    for missing in sorted(attached - known):
        yield Assumption("organizations", f"control policy {missing} is not applied: its content was not read")
    yield Assumption("organizations", "levels of the organization whose control policies were not listed are taken to allow everything")
