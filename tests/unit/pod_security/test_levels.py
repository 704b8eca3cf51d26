"""What the labels of a namespace ask for."""

import pytest

from partywall.resolve.pod_security import Level, Mode, Standard, enforced, policies

MARK = "pod-security.kubernetes.io/"


def marks(**labels: str) -> dict[str, str]:
    return {MARK + key.replace("_", "-"): value for key, value in labels.items()}


def test_without_labels_everything_is_let_through() -> None:
    assert set(policies({}).values()) == {Standard(Level.PRIVILEGED)}


@pytest.mark.parametrize(
    ("labels", "standard"),
    [
        (marks(enforce="baseline"), "baseline:latest"),
        (marks(enforce="restricted", enforce_version="v1.24"), "restricted:v1.24"),
        (marks(enforce="restricted", enforce_version="latest"), "restricted:latest"),
        (marks(enforce="tight"), "restricted:latest"),
        (marks(enforce="Baseline"), "restricted:latest"),
        (marks(enforce="baseline", enforce_version="1.24"), "baseline:latest"),
        (marks(enforce="baseline", enforce_version="v1.024"), "baseline:latest"),
        (marks(enforce_version="v1.24"), "privileged:v1.24"),
        (marks(warn="restricted", audit="restricted"), "privileged:latest"),
    ],
)
def test_what_is_enforced(labels: dict[str, str], standard: str) -> None:
    assert str(enforced(labels)) == standard


def test_an_unknown_level_audits_and_warns_of_nothing() -> None:
    found = policies(marks(audit="tight", warn="tight"))

    assert (found[Mode.AUDIT].level, found[Mode.WARN].level) == (Level.PRIVILEGED, Level.PRIVILEGED)


def test_what_is_enforced_is_warned_of_too() -> None:
    found = policies(marks(enforce="baseline", enforce_version="v1.24"))

    assert (str(found[Mode.WARN]), str(found[Mode.AUDIT])) == ("baseline:v1.24", "privileged:latest")


def test_a_version_to_warn_of_stays_beside_the_enforced_level() -> None:
    assert str(policies(marks(enforce="baseline", warn_version="v1.30"))[Mode.WARN]) == "baseline:v1.30"
