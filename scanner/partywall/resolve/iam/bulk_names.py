"""How statements with a Principal take many principals: the kernel is asked once for each kind that it can tell apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from partywall.model.facts_iam import Effect, Statement
from partywall.model.residual import FALSE, TRUE
from partywall.resolve.iam.bulk_truths import MAYBE, NO, YES, Truths
from partywall.resolve.iam.principals import CallerKind, Naming, named_by, session_parts
from partywall.resolve.iam.rights import Rights

# Whom a statement of a resource's policy lets in whatever stands above them, below their boundary, or as far as their own policies say so,
# whom it keeps out, and whom it does not name.
PIERCING, CAPPED, DELEGATED, DENIED, UNNAMED = range(5)


class Names:
    """All principals as a Principal element sees them."""

    def __init__(self, rights: Sequence[Rights]) -> None:
        self.rights = rights
        self._by_arn = {one.caller.arn: number for number, one in enumerate(rights)}
        self._by_name = {(one.account, one.caller.name): number for number, one in enumerate(rights) if one.caller.kind is CallerKind.ROLE}
        self._groups = _grouped(rights)
        self._known: dict[tuple[object, ...], tuple[Truths, Truths]] = {}

    def of(self, statement: Statement, effect: Effect | None = None) -> tuple[Truths, Truths]:
        """Return how a statement takes each principal, and whether it names it at all, surely or where something holds.

        `effect` stands in for the effect of a statement that nobody can read.
        """
        key = (statement.effect, effect or statement.effect, statement.principals, statement.not_principals)
        if key not in self._known:
            self._known[key] = self._asked(statement, effect or statement.effect)
        return self._known[key]

    def _asked(self, statement: Statement, effect: Effect) -> tuple[Truths, Truths]:
        kind: Truths = np.full(len(self.rights), UNNAMED, np.uint8)
        named: Truths = np.zeros(len(self.rights), np.uint8)
        singly = self._singly(statement)
        for group in self._groups:
            usual = next((number for number in group.tolist() if number not in singly), None)
            if usual is not None:
                kind[group], named[group] = self._one(statement, effect, usual)
        for number in singly:
            kind[number], named[number] = self._one(statement, effect, number)
        return kind, named

    def _singly(self, statement: Statement) -> frozenset[int]:
        """Return the principals that a statement names by an ARN of their own or of their sessions."""
        found: set[int | None] = set()
        for name in (*statement.principals, *statement.not_principals):
            account, role, _ = session_parts(name.name)
            found |= {self._by_arn.get(name.name), self._by_name.get((account, role))}
        return frozenset(number for number in found if number is not None)

    def _one(self, statement: Statement, effect: Effect, number: int) -> tuple[int, int]:
        caller = self.rights[number].caller
        naming = named_by(statement, caller)
        if naming.how is None or naming.residual is FALSE:
            return UNNAMED, NO
        return _kind(effect, naming, caller.kind), YES if naming.residual is TRUE else MAYBE


def _kind(effect: Effect, naming: Naming, caller: CallerKind) -> int:
    if effect is Effect.DENY:
        return DENIED
    if naming.delegates:
        return DELEGATED
    return CAPPED if naming.exact and caller is CallerKind.ROLE else PIERCING


def _grouped(rights: Sequence[Rights]) -> list[NDArray[np.intp]]:
    """Return the principals by all that a statement can tell of those that it does not name singly."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, one in enumerate(rights):
        groups.setdefault((one.account, one.caller.kind, one.caller.bounded), []).append(number)
    return [np.array(found, np.intp) for found in groups.values()]
