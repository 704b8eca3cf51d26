"""Foreign tasks visible."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW201", name="foreign-tasks-visible", severity=Severity.HIGH, asks=Crossings("list pods", "list workloads", "view tasks"))
def foreign_tasks_visible(crossing: Crossing) -> str:
    """A member of one tenant sees another tenant's pods, jobs or tasks.

    Why it matters: names, images, arguments and environment of training jobs tell what a team
    works on, and often where its data lies.

    Fix: replace the cluster-wide binding by RoleBindings in the caller's namespaces; the sample
    that AWS gives for a restricted task view is cluster-wide.

    Blind spots: what Studio hides from its menu is not counted as a restriction.
    """
    return f"{crossing.source} sees the pods and tasks of {crossing.target}{crossing.if_condition}"
