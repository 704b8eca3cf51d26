"""Studio shows foreign tasks."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW206", name="studio-shows-foreign-tasks", severity=Severity.HIGH, asks=Crossings("sees in Studio the tasks of"))
def studio_shows_foreign_tasks(crossing: Crossing) -> str:
    """The task view of one tenant's Studio shows another tenant's tasks on an EKS cluster.

    Why it matters: there is no switch that restricts the view. Everybody who opens Studio with
    that execution role reads the names, states and events of the other team's jobs, and AWS's
    own sample for a restricted view is bound for the whole cluster.

    Fix: give the execution role HyperPod access policies whose scope is its own namespaces, and
    replace the ClusterRoleBinding of the sample by a RoleBinding in each of them.

    Blind spots: what Studio hides from its menu is not counted as a restriction; what a role's
    session may show to other services is not asked here.
    """
    return f"Studio with {crossing.source} shows the tasks of {crossing.target}: {crossing.note}{crossing.if_condition}"
