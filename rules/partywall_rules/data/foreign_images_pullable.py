"""Foreign images pullable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW307", name="foreign-images-pullable", severity=Severity.MEDIUM, asks=Crossings("pull images"))
def foreign_images_pullable(crossing: Crossing) -> str:
    """One tenant can pull another tenant's images.

    Why it matters: images hold code, dependencies and sometimes weights and credentials.

    Fix: limit the repository's policy and the puller's identity policy to its own repositories.

    Blind spots: pull-through caches and copies elsewhere are not seen.
    """
    return f"{crossing.source} can pull images of {crossing.target}{crossing.if_condition}"
