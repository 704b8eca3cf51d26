"""What all tests share: Hypothesis profiles, the service programs, the material next to the repository."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# `ci` finds the same examples on every machine; `fuzz` (make fuzz) looks for new ones and keeps those that fail.
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=80, database=None)
settings.register_profile("dev", deadline=None, max_examples=80)
settings.register_profile("fuzz", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of cases and public files beside the repository (or at PARTYWALL_SHARED), or skip: it does not travel along."""
    folder = Path(os.environ.get("PARTYWALL_SHARED", ROOT.parent / "shared"))
    if not (folder / "cases").is_dir():
        pytest.skip("no folder `shared` with cases and corpus beside the repository")
    return folder


@pytest.fixture(scope="session")
def service() -> Callable[[str], str]:
    """Return a function that finds a program which pip does not install; without it the test is skipped, under .ci/run it fails."""

    def find(program: str) -> str:
        places = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / ".cache/node/node_modules/.bin")])
        found = shutil.which(program, path=places)
        if found is not None:
            return found
        if os.environ.get("PARTYWALL_REQUIRE_SERVICES") == "1":
            pytest.fail(f"{program} is required here (PARTYWALL_REQUIRE_SERVICES=1) and is not on PATH")
        pytest.skip(f"{program} is not installed; .ci/run installs it")

    return find
