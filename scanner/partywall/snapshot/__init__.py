"""Snapshots: what was read, kept on disk so that a stranger can scan it again a year later."""

from partywall.snapshot.form import SnapshotError
from partywall.snapshot.read import Snapshot, is_snapshot, load
from partywall.snapshot.reading import Reading, Withheld
from partywall.snapshot.write import write

__all__ = ["Reading", "Snapshot", "SnapshotError", "Withheld", "is_snapshot", "load", "write"]
