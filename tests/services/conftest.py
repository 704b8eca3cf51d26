"""The control plane that the service tests share."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.build_kubelab import build, built
from tests.services.control_plane import ControlPlane, control_plane


@pytest.fixture(scope="session")
def kubelab() -> Path:
    """Return the folder of the built control plane; without it the tests are skipped, and under .ci/run it is built or they fail."""
    folder = built()
    if folder is not None:
        return folder
    if os.environ.get("PARTYWALL_REQUIRE_SERVICES") != "1":
        pytest.skip("the Kubernetes control plane of the tests is not built; `make kubelab` builds it once, with Go, in nine minutes")
    if shutil.which("go") is None:
        pytest.fail("the Kubernetes control plane is required here (PARTYWALL_REQUIRE_SERVICES=1), and go is not on PATH to build it")
    return build()


@pytest.fixture(scope="session")
def kubernetes(kubelab: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run one control plane for all tests of the session."""
    with control_plane(kubelab / "kubelab", tmp_path_factory.mktemp("kubelab")) as plane:
        yield plane
