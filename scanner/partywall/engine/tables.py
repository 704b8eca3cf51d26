"""The dated tables of outside facts that the tool carries: a report names them, since the world they describe moves on."""

from partywall.model.report import ToolTable

TABLES: tuple[ToolTable, ...] = ()
