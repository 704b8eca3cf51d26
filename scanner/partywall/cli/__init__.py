"""The command line: one module a command, each loaded when it is called."""

import gc
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module

import click

from partywall.errors import OutputError, PartywallError

COMMANDS: Mapping[str, str] = {
    "scan": "partywall.cli.scan:scan",
    "demo": "partywall.cli.scan:demo",
    "explain": "partywall.cli.explain:explain",
    "iam": "partywall.cli.iam:iam",
    "k8s": "partywall.cli.k8s:k8s",
    "rules": "partywall.cli.rules:rules",
    "contracts": "partywall.cli.contracts:contracts",
    "gather": "partywall.cli.gather:gather",
    "version": "partywall.cli.version:version",
}

OK, FOUND, USAGE, INCOMPLETE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 130


class LazyGroup(click.Group):
    """A group that imports a command's module only when it is asked for: `partywall version` must not wait for numpy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]} is no command")
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="partywall", prog_name="partywall", message="%(prog)s %(version)s")
def partywall() -> None:
    """Check that nobody reaches through the wall between the tenants of a shared HyperPod estate."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code (DESIGN section 7)."""
    debug = "--debug" in (sys.argv[1:] if arguments is None else arguments)
    gc.disable()  # a run is short and its values hold no circles: looking for some costs a third of a scan
    try:
        code = partywall.main(args=arguments, prog_name="partywall", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except PartywallError as error:
        if debug:
            traceback.print_exc()
        click.echo(f"error: {error}", err=True)
        sys.exit(INTERNAL if isinstance(error, OutputError) else USAGE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(INTERNAL)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a bug ends with 4 and says how to report itself
        if debug:
            traceback.print_exc()
        click.echo(f"internal error: {type(error).__name__}: {error}", err=True)
        click.echo("This is a bug in partywall: run again with --debug and report it.", err=True)
        sys.exit(INTERNAL)
    sys.exit(code if isinstance(code, int) else OK)
