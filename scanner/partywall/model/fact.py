"""What all facts have in common."""

from typing import Protocol, runtime_checkable

from partywall.model.evidence import Evidence


@runtime_checkable
class Fact(Protocol):
    """A frozen record of what one part of one document says."""

    @property
    def at(self) -> Evidence:
        """Where it says so."""
