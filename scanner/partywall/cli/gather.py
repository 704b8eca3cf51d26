"""`partywall gather`."""

from pathlib import Path

import click

from partywall.errors import UsageError


@click.command()
@click.option("--cluster", "name", metavar="NAME", help="The cluster's name.")
@click.option("--account", metavar="ID", help="The account that it runs in, 12 digits.")
@click.option("--region", metavar="REGION", help="Its Region, such as us-east-2.")
@click.option("--orchestrator", type=click.Choice(["eks", "slurm"]), help="What schedules its jobs.")
@click.option("--profile", default="", metavar="NAME", help="The AWS CLI profile to read with.")
@click.option("--context", default="", metavar="NAME", help="The kubectl context to read with.")
@click.option("--tenants", type=click.Path(path_type=Path), metavar="FILE", help="Take the clusters from a tenants.yaml instead.")
@click.option("--into", default="estate", show_default=True, metavar="DIR", help="The folder that the script makes.")
def gather(
    name: str | None,
    account: str | None,
    region: str | None,
    orchestrator: str | None,
    profile: str,
    context: str,
    tenants: Path | None,
    into: str,
) -> None:
    """Print the read-only commands that make an input folder, as a shell script."""
    from partywall.files.gather import script, target, targets_of

    if tenants is not None:
        if name or account or region or orchestrator:
            raise UsageError("--tenants names the clusters; leave --cluster, --account, --region and --orchestrator out")
        clusters = targets_of(tenants)
    elif name and account and region and orchestrator:
        clusters = [target(name, account, region, orchestrator, profile, context)]
    else:
        raise UsageError("give --cluster, --account, --region and --orchestrator, or --tenants FILE")
    click.echo(script(clusters, into), nl=False)
