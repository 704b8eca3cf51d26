"""Change foreign objects."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW103", name="change-foreign-objects", severity=Severity.HIGH, asks=Crossings("change", "delete"))
def change_foreign_objects(crossing: Crossing) -> str:
    """A member of one tenant can change or delete another tenant's objects.

    Why it matters: services, volumes, configuration and labels decide where traffic and data
    go; whoever writes them decides for their owner.

    Fix: narrow the role to the caller's own namespace, or take the writing verbs out of it.

    Blind spots: what an operator does with its own kinds is not modelled; writing one counts as
    a change.
    """
    return f"{crossing.source} can {crossing.verb} objects of {crossing.target}{crossing.if_condition}"
