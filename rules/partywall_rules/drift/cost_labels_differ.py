"""Cost labels differ."""

from partywall.api import Difference, Differences, Severity, rule


@rule(
    id="PW712", name="cost-labels-differ", severity=Severity.LOW, asks=Differences("cost.labels", "cost.tags", "cost.slurm_account", "cost")
)
def cost_labels_differ(difference: Difference) -> str:
    """Cost tags, labels or accounts differ from the contract.

    Why it matters: what is not labelled is paid by somebody else.

    Fix: set the label or tag as the contract says.

    Blind spots: tags of resources that were not given are not compared.
    """
    return difference.text
