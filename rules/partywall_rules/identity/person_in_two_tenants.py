"""Person in two tenants."""

from partywall.api import People, Person, Severity, rule


@rule(id="PW612", name="person-in-two-tenants", severity=Severity.MEDIUM, asks=People())
def person_in_two_tenants(person: Person) -> str:
    """A person is in groups of two tenants.

    Why it matters: what one tenant shows this person, the other one's data goes home with.

    Fix: take the person out of one group, or name the person under `shared` in tenants.yaml.

    Blind spots: groups that are kept outside of what was read are not seen.
    """
    return f"{person.person} is in groups of {' and '.join(person.owners)}"
