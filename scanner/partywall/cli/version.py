"""`partywall version`."""

import click

from partywall import __version__


@click.command()
def version() -> None:
    """Print the version."""
    click.echo(f"partywall {__version__}")
