"""What decides: the bindings and access policies that allow what is asked, each with its place; and what leaves a no in question."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from partywall.model.edge import Certainty, Condition
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Role, Rule
from partywall.model.residual import FALSE, TRUE, Residual, any_of, unevaluable
from partywall.model.thing import glob_matches
from partywall.resolve.access.asked import Asked
from partywall.resolve.access.cluster import Cluster, Named
from partywall.resolve.access.subjects import Entered, Identity
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import is_glob
from partywall.resolve.rbac.roles import built_in

AUTHORIZATION = "kubernetes:authorization"


class Outcome(Enum):
    """What becomes of a request. The value is the word for it."""

    ALLOWED = "allowed"
    CONDITIONAL = "allowed if"
    UNDECIDABLE = "not decidable"
    DENIED = "denied"


class Layer(Enum):
    """Which authorizer speaks."""

    RBAC = "RBAC"
    POLICIES = "access policies"


@dataclass(frozen=True, slots=True)
class Allowance:
    """One grant that allows it, in a namespace (empty: everywhere; it may be a glob) and on some names only (empty: all).

    `text` says what gives what to whom; `because` are the places of subject, role reference and rule; `doubt` says why it may not count.
    """

    layer: Layer
    text: str
    namespace: str
    names: tuple[str, ...]
    because: tuple[Evidence, ...]
    identity: Identity | None = None
    condition: Condition | None = None
    doubt: str = ""

    @property
    def certainty(self) -> Certainty:
        """Return how sure it is."""
        return Certainty.UNKNOWN if self.doubt else Certainty.CONDITIONAL if self.condition else Certainty.SURE


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that was not read and may allow it; `remedy` would answer it."""

    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of it in one cluster: the surest allowances, and what leaves the rest in question."""

    outcome: Outcome
    allowances: tuple[Allowance, ...]
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...] = ()

    @property
    def residual(self) -> Residual:
        """Return the condition that is left."""
        match self.outcome:
            case Outcome.ALLOWED:
                return TRUE
            case Outcome.DENIED:
                return FALSE
            case Outcome.CONDITIONAL:
                return any_of(one.condition.residual for one in self.allowances if one.condition)
            case Outcome.UNDECIDABLE:
                return any_of(unevaluable(AUTHORIZATION, why) for why in self.open_questions)

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Return why it cannot be decided."""
        return tuple(dict.fromkeys((*(one.doubt for one in self.allowances if one.doubt), *(doubt.text for doubt in self.doubts))))

    @property
    def conditions(self) -> tuple[str, ...]:
        """Return the conditions of which one must hold, in words."""
        return tuple(dict.fromkeys(one.condition.text for one in self.allowances if one.condition))


def decided(allowances: tuple[Allowance, ...], doubts: tuple[Doubt, ...]) -> Decision:
    """Return the decision: what is sure outweighs what is conditional, and that what cannot be told."""
    surest = min((one.certainty for one in allowances), default=None)
    kept = tuple(one for one in allowances if one.certainty is surest)
    match surest:
        case Certainty.SURE:
            return Decision(Outcome.ALLOWED, kept, ())
        case Certainty.CONDITIONAL:
            return Decision(Outcome.CONDITIONAL, kept, doubts)
        case _:
            return Decision(Outcome.UNDECIDABLE if kept or doubts else Outcome.DENIED, kept, doubts)


def allowances(cluster: Cluster, entered: Entered, asked: Asked) -> tuple[Allowance, ...]:
    """Return all that allows it, each binding or policy once, by its first rule, as the surest identity that it names."""
    found: dict[tuple[object, ...], Allowance] = {}
    for identity in sorted(entered.identities, key=lambda one: one.certainty):
        for key, made in _by_rbac(cluster, identity, asked):
            if key not in found or made.certainty < found[key].certainty:
                found[key] = made
    for arn in entered.principals:
        for number, grant in enumerate(cluster.policies.get(arn, ())):
            one = _by_policy(grant, asked)
            if one is not None:
                found[arn, number] = one
    return tuple(found.values())


def _by_rbac(cluster: Cluster, identity: Identity, asked: Asked) -> Iterator[tuple[tuple[object, ...], Allowance]]:
    if MASTERS in identity.asker.groups:
        text = f"the API server allows everything to group {MASTERS}"
        because = _door_places(identity, MASTERS)
        yield (MASTERS,), Allowance(Layer.RBAC, text, "", (), because, identity, identity.condition, _doubt(identity))
    for named in cluster.of(identity.asker):
        made = _by_binding(cluster, identity, named, asked)
        if made is not None:
            yield (named.binding.namespace, named.binding.name, named.binding.role_kind, named.binding.role), made


def _by_binding(cluster: Cluster, identity: Identity, named: Named, asked: Asked) -> Allowance | None:
    binding = named.binding
    rules = cluster.rules_of(binding) if asked.holds_at(binding.namespace) else None
    fitting = [rule for rule in rules or () if asked.allowed_by(rule, binding.namespace)]
    if not fitting:
        return None
    rule = min(fitting, key=lambda one: bool(one.names))
    names = () if asked.name or not rule.names else tuple(dict.fromkeys(name for one in fitting for name in one.names))
    where = f"{binding.namespace}/{binding.name}" if binding.namespace else binding.name
    text = f"{binding.kind} {where} gives {binding.role_kind} {binding.role}{_origin(cluster, named, rule)} to {named.subject}"
    places = (*_door_places(identity, named.subject.name), named.at, binding.at.below("roleRef"), rule.at)
    because = tuple(at for at in places if at.document)
    return Allowance(Layer.RBAC, text, binding.namespace, names, because, identity, identity.condition, _doubt(identity))


def _origin(cluster: Cluster, named: Named, rule: Rule) -> str:
    """Say where a rule comes from that does not stand in the role itself."""
    binding = named.binding
    role = cluster.roles.get((binding.namespace if binding.role_kind == "Role" else "", binding.role))
    if not rule.at.document:
        return " (as Kubernetes makes it)" if role is None else " (aggregating a role that Kubernetes makes)"
    if role is not None and (rule.at.document, True) == (role.at.document, rule.at.pointer.startswith(f"{role.at.pointer}/")):
        return ""
    source = next((one for one in cluster.roles.values() if _is_home(one, rule)), None)
    return f" (aggregating {source.kind} {source.name})" if source else ""


def _is_home(role: Role, rule: Rule) -> bool:
    return rule.at.document == role.at.document and rule.at.pointer.startswith(f"{role.at.pointer}/")


def _door_places(identity: Identity, name: str) -> tuple[Evidence, ...]:
    door = identity.door
    if door is None:
        return ()
    return (door.place(door.groups.index(name)),) if name in door.groups else (door.at,)


def _doubt(identity: Identity) -> str:
    door = identity.door
    if door is None or door.certainty is not Certainty.UNKNOWN:
        return ""
    return f"whether the aws-auth row of {door.principal} counts, since the authentication mode was not read"


def _by_policy(grant: Grant, asked: Asked) -> Allowance | None:
    """Return what an access policy allows; one whose content is not known may allow anything where it holds."""
    home = grant.namespace
    target = asked.name if asked.is_of_namespaces else asked.namespace
    if is_glob(home):
        if not asked.holds_at(target or home) or (target and not glob_matches(home, target)):
            return None
        here = target or home
    elif asked.holds_at(home):
        here = home
    else:
        return None
    scope = f"in namespace{'s' if is_glob(home) else ''} {home}" if home else "in the whole cluster"
    text = f"access policy {grant.role} of {grant.source.name} {scope}"
    if grant.certainty is Certainty.UNKNOWN:
        return Allowance(Layer.POLICIES, text, home, (), grant.because, None, None, f"{grant.role}, and it holds {scope}")
    fitting = [rule for rule in grant.rules if asked.allowed_by(rule, here)]
    return Allowance(Layer.POLICIES, text, home, (), grant.because) if fitting else None


def assumed_roles(cluster: Cluster, entered: Entered, asked: Asked) -> Iterator[str]:
    """Yield Kubernetes' own roles that the input leaves out and that the subject is bound to."""
    for identity in entered.identities:
        for named in cluster.of(identity.asker):
            binding = named.binding
            key = (binding.namespace if binding.role_kind == "Role" else "", binding.role)
            if asked.holds_at(binding.namespace) and key not in cluster.roles and key in built_in() and binding.at.document:
                yield f"{binding.role_kind} {binding.role}"


def noted(decision: Decision, *notes: str) -> Decision:
    """Return a decision with further notes."""
    return replace(decision, notes=tuple(dict.fromkeys((*decision.notes, *notes))))
