"""The environment, read once into small frozen settings."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from partywall.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Screen:
    """How people's output looks. `width` is in columns; `colour` None lets the stream decide."""

    width: int = 80
    colour: bool | None = None
    quiet: bool = False
    verbose: bool = False
    debug: bool = False


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """What decides a scan's answer.

    `now` is the day to fall back on when neither the user, the tenancy nor the snapshot says one. `prove` is how many causes have their
    fix proved, the worst first; None lets the size of the estate decide.
    """

    now: date
    as_of: date | None = None
    fail_on: Severity = Severity.HIGH
    allow_incomplete: bool = False
    require: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    prove: int | None = None


def screen(
    environment: Mapping[str, str] = os.environ, *, no_colour: bool = False, quiet: bool = False, verbose: bool = False, debug: bool = False
) -> Screen:
    """Read what the environment says about the screen: `NO_COLOR` (no-color.org) and `COLUMNS`."""
    columns = environment.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() and int(columns) >= 40 else 80
    plain = no_colour or bool(environment.get("NO_COLOR"))
    return Screen(width=width, colour=False if plain else None, quiet=quiet, verbose=verbose, debug=debug)
