"""Errors of the user's making. Their text says what, where, and what to do next."""


class PartywallError(Exception):
    """Something the user can mend; exit code 2."""


class UsageError(PartywallError):
    """A command, an option or a path that makes no sense."""


class TenancyError(PartywallError):
    """tenants.yaml or a contract that cannot be used."""


class OutputError(PartywallError):
    """A report or a snapshot that could not be written; exit code 4."""
