"""`partywall contracts`: check and show tenancy files."""

from collections import Counter
from pathlib import Path

import click

from partywall.contracts.gather import tenancy_files
from partywall.contracts.load import load
from partywall.contracts.problems import nearest
from partywall.contracts.show import shown
from partywall.errors import TenancyError, UsageError
from partywall.model.tenancy import PLATFORM, Status, Tenancy

_USAGE = 2


@click.group()
def contracts() -> None:
    """Check and show tenants.yaml and contracts."""


@contracts.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def check(paths: tuple[Path, ...]) -> int:
    """Check tenancy files: each PATH is a file, or a folder to look through. Exit code 2 when something is to be mended."""
    try:
        documents = tenancy_files(paths)
        tenancy = load(documents)
    except TenancyError as error:
        lines = str(error).splitlines()
        for line in lines:
            click.echo(line, err=True)
        click.echo(f"{len(lines)} to mend", err=True)
        return _USAGE
    if not documents:
        raise UsageError(
            "no tenancy file there; the first line of one is `schema: partywall/tenants/v1` or `schema: partywall/contract/v1`"
        )
    click.echo(_summary(len(documents), tenancy), err=True)
    return 0


def _summary(files: int, tenancy: Tenancy) -> str:
    statuses = Counter(contract.status for contract in tenancy.contracts)
    counted = ", ".join(f"{statuses[status]} {status}" for status in Status if statuses[status])
    signed = f"{_count(len(tenancy.contracts), 'contract')} ({counted})" if tenancy.contracts else "no contracts"
    counts = ((files, "file"), (len(tenancy.tenants), "tenant"), (len(tenancy.clusters), "cluster"), (len(tenancy.claims), "claim"))
    return f"ok: {', '.join(_count(*each) for each in counts)}, {signed}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


@contracts.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("tenant", required=False)
def show(folder: Path, tenant: str | None) -> None:
    """Show who owns what by the tenancy files in FOLDER, of one TENANT or of all."""
    tenancy = load(tenancy_files((folder,)))
    known = (*tenancy.tenants, PLATFORM)
    if tenant is not None and tenant not in known:
        raise UsageError(f"no tenant is called {tenant}; {nearest(tenant, known)}")
    for line in shown(tenancy, tenant):
        click.echo(line)
