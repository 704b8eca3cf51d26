"""Which objects decide about one pair of ends at one part of the port space, with their places in the documents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts_network import Action, AdminPolicy, AdminRule, NetworkPolicy, Ports, Tier
from partywall.resolve.labels import selects
from partywall.resolve.netpol.board import Board
from partywall.resolve.netpol.ends import End, Held, means
from partywall.resolve.netpol.ports import resolved, within


@dataclass(frozen=True, slots=True)
class Because:
    """One thing that decides, in words, and where it stands."""

    text: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two ends of a connection at one part of the port space."""

    board: Board
    source: End
    target: End
    part: Ports

    def deciders(self) -> tuple[Because, ...]:
        """Return what decides, of the source's side and then of the target's; what may decide is among them."""
        return tuple(dict.fromkeys((*self._side(self.source, self.target, False), *self._side(self.target, self.source, True))))

    def _side(self, me: End, other: End, inward: bool) -> Iterator[Because]:
        if me.on_host:
            return
        for because, decides in self._rules(Tier.ADMIN, me, other, inward):
            yield because
            if decides is Action.PASS:
                break
            if decides is not None:
                return
        isolating = [policy for policy in self.board.estate.policies if _isolates(policy, me, inward)]
        if isolating:
            yield from self._plain(isolating, other, inward)
            return
        for because, decides in self._rules(Tier.BASELINE, me, other, inward):
            yield because
            if decides is not None:
                return
        way = "ingress" if inward else "egress"
        yield Because(f"no policy isolates {_name(me)} for {way}", self.board.estate.places[me.namespace])

    def _plain(self, isolating: Sequence[NetworkPolicy], other: End, inward: bool) -> Iterator[Because]:
        way = "ingress" if inward else "egress"
        admitting = []
        for policy in isolating:
            for rule in (policy.ingress if inward else policy.egress) or ():
                peers = rule.peers
                held = Held.YES if peers is None else _best(means(peer, policy.namespace, other, self.board.sure.ground) for peer in peers)
                if held is not Held.NO and within(self.part, resolved(rule.ports, self.target)):
                    word = "admits" if held is Held.YES else "may admit"
                    admitting.append(Because(f"{policy.kind} {policy.namespace}/{policy.name} {word} it ({way})", rule.at))
        if admitting:
            yield from admitting
        else:
            yield from (
                Because(f"{policy.kind} {policy.namespace}/{policy.name} isolates for {way}, and no rule admits it", policy.at)
                for policy in isolating
            )

    def _rules(self, tier: Tier, me: End, other: End, inward: bool) -> Iterator[tuple[Because, Action | None]]:
        """Yield the rules of a tier that mean this meeting, up to the first that surely does; with what it decides, None where it may."""
        ground = self.board.sure.ground
        policies = sorted((one for one in self.board.estate.admin if one.tier is tier), key=lambda policy: (policy.priority, policy.name))
        for policy in policies:
            about = means(policy.subject, "", me, ground)
            for rule in (policy.ingress if inward else policy.egress) if about is not Held.NO else ():
                held = _least(about, _best(means(peer, "", other, ground) for peer in rule.peers))
                if held is Held.NO or not within(self.part, resolved(rule.ports, self.target)):
                    continue
                yield Because(_words(policy, rule, held, inward), rule.at), rule.action if held is Held.YES else None
                if held is Held.YES:
                    return


def _isolates(policy: NetworkPolicy, end: End, inward: bool) -> bool:
    side = policy.ingress if inward else policy.egress
    return side is not None and policy.namespace == end.namespace and selects(policy.pods, end.labels)


def _best(held: Iterator[Held]) -> Held:
    found = set(held)
    return Held.YES if Held.YES in found else Held.MAYBE if Held.MAYBE in found else Held.NO


def _least(one: Held, other: Held) -> Held:
    return Held.NO if Held.NO in (one, other) else Held.MAYBE if Held.MAYBE in (one, other) else Held.YES


def _words(policy: AdminPolicy, rule: AdminRule, held: Held, inward: bool) -> str:
    does = {Action.ACCEPT: "accept", Action.DENY: "deny", Action.PASS: "pass"}[rule.action]
    word = {"accept": "accepts", "deny": "denies", "pass": "passes"}[does] if held is Held.YES else f"may {does}"
    name = f", rule {rule.name}," if rule.name else ""
    return f"{policy.kind} {policy.name}{name} {word} it ({'ingress' if inward else 'egress'})"


def _name(end: End) -> str:
    return f"the pods of {end.namespace}" if not end.labels else f"such pods of {end.namespace}"
