"""Task visibility differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW709", name="task-visibility-differs", severity=Severity.MEDIUM, asks=Differences("visibility.tasks"))
def task_visibility_differs(difference: Difference) -> str:
    """Tasks are visible to other tenants than the contract says.

    Why it matters: the contract says who may look, and somebody else can.

    Fix: narrow the view as for foreign-tasks-visible, or change the contract.

    Blind spots: what Studio's menu hides is not counted as a restriction.
    """
    return difference.text
