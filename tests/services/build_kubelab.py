"""Build the control plane of the tests once, into a cache folder outside the clone, with the schemas of Kueue beside it.

`python -m tests.services.build_kubelab` builds what is missing (about nine minutes on two cores, then seconds) and prints where it lies.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "kubelab"
KUBERNETES = "1.36.3"
# The last version of each API of Kueue: 0.12 has v1beta1 with Cohorts of v1alpha1, 0.19 serves v1beta1 and v1beta2.
KUEUE = ("0.12.3", "0.19.2")
_SCHEMAS = Path("config/components/crd/bases")


def home() -> Path:
    """Return the cache folder of what these sources make."""
    digest = hashlib.sha256()
    for path in sorted([*SOURCES.iterdir(), Path(__file__)]):
        digest.update(path.name.encode() + path.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "partywall" / f"kubelab-{digest.hexdigest()[:16]}"


def built() -> Path | None:
    """Return the folder of the control plane where it is complete."""
    return home() if (home() / "complete").is_file() else None


def build() -> Path:
    """Build what is missing; whoever comes second waits for the first."""
    folder = home()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").is_file():
            _compile(folder)
            for version in KUEUE:
                _schemas(folder, version)
            (folder / "complete").touch()
    return folder


def _compile(folder: Path) -> None:
    version = "k8s.io/component-base/version"
    _, minor, _ = KUBERNETES.split(".")
    stamps = f"-X {version}.gitVersion=v{KUBERNETES} -X {version}.gitMajor=1 -X {version}.gitMinor={minor}"
    command = ["go", "build", "-mod=readonly", "-trimpath", "-ldflags", f"-s -w {stamps}", "-o", str(folder / "kubelab"), "."]
    subprocess.run(command, cwd=SOURCES, check=True, env={**os.environ, "CGO_ENABLED": "0"})


def _schemas(folder: Path, version: str) -> None:
    command = ["go", "mod", "download", "-json", f"sigs.k8s.io/kueue@v{version}"]
    told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    shutil.copytree(Path(json.loads(told.stdout)["Dir"]) / _SCHEMAS, folder / f"kueue-{version}", dirs_exist_ok=True)


if __name__ == "__main__":
    if shutil.which("go") is None and built() is None:
        sys.exit("go is not on PATH: install Go 1.26 or newer")
    sys.stdout.write(f"{build()}\n")
