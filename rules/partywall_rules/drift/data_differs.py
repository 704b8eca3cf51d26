"""Data differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(
    id="PW711",
    name="data-differs",
    severity=Severity.MEDIUM,
    asks=Differences("data.buckets", "data.keys", "data.secrets", "data.repositories", "data.file_systems", "data"),
)
def data_differs(difference: Difference) -> str:
    """The data of a contract is not what is there.

    Why it matters: a bucket that is named and does not exist may be made by anybody, in any
    account.

    Fix: correct the contract, or make the thing where it belongs.

    Blind spots: the classification of data is recorded and not compared.
    """
    return difference.text
