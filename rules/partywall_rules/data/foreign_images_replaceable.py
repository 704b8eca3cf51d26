"""Foreign images replaceable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW308", name="foreign-images-replaceable", severity=Severity.HIGH, asks=Crossings("push images"))
def foreign_images_replaceable(crossing: Crossing) -> str:
    """One tenant can push images into another tenant's repository.

    Why it matters: what is pushed under a known tag runs as its owner at the next start.

    Fix: limit `ecr:PutImage` to the caller's own repositories and make tags immutable.

    Blind spots: signature checks at admission are not modelled.
    """
    return f"{crossing.source} can push images to {crossing.target}{crossing.if_condition}"
