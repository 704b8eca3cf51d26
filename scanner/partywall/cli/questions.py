"""What all commands that ask one question have in common."""

from pathlib import Path

import click

EXIT_CODES = "Exit code: 1 allowed, also under a condition; 0 denied; 3 not decidable; 2 the question is wrong."
FORM = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
DEBUG = click.option("--debug", is_flag=True, help="Show the traceback of an error.")
PATH = click.option(
    "--in",
    "path",
    type=click.Path(path_type=Path),
    default=Path(),
    show_default="the current folder",
    help="The folder, snapshot or file to ask: whatever `scan` reads.",
)
