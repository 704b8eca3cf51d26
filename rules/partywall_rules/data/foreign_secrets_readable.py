"""Foreign secrets readable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW306", name="foreign-secrets-readable", severity=Severity.CRITICAL, asks=Crossings("read secrets", "read secret value"))
def foreign_secrets_readable(crossing: Crossing) -> str:
    """One tenant can read another tenant's secrets.

    Why it matters: a secret is a credential: what it opens is open too, outside of everything
    that is checked here.

    Fix: take `secrets` out of the cluster-wide role, or the reader out of the secret's policy;
    a list of secrets returns their contents.

    Blind spots: what a secret opens elsewhere is not followed, except tokens of service
    accounts.
    """
    return f"{crossing.source} can read the secrets of {crossing.target}{crossing.if_condition}"
