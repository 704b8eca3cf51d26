"""Foreign objects listed."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW205", name="foreign-objects-listed", severity=Severity.LOW, asks=Crossings("list objects", "list events"))
def foreign_objects_listed(crossing: Crossing) -> str:
    """A member of one tenant can list another tenant's services, volumes, quotas or events.

    Why it matters: the names of services and volumes and the reasons of events tell what runs
    and what fails.

    Fix: bind the role in the caller's own namespace only.

    Blind spots: names of namespaces, nodes and queues, which HyperPod shows to everybody by
    design, are listed as accepted and not counted here.
    """
    return f"{crossing.source} can list the objects of {crossing.target}{crossing.if_condition}"
