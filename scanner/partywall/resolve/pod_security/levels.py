"""What the labels of a namespace ask for: a level and a version for each of enforce, audit and warn."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

PREFIX = "pod-security.kubernetes.io/"
LATEST = None
_VERSION = re.compile(r"v1\.(0|[1-9][0-9]*)")


class Level(StrEnum):
    """How much a pod may do; without a label everything is let through."""

    PRIVILEGED = "privileged"
    BASELINE = "baseline"
    RESTRICTED = "restricted"


class Mode(StrEnum):
    """What becomes of a pod that breaks the standard; only `enforce` refuses it."""

    ENFORCE = "enforce"
    AUDIT = "audit"
    WARN = "warn"


@dataclass(frozen=True, slots=True)
class Standard:
    """A level as of a minor version of Kubernetes 1 (None: the server's own)."""

    level: Level = Level.PRIVILEGED
    minor: int | None = LATEST

    def __str__(self) -> str:
        return f"{self.level}:{'latest' if self.minor is None else f'v1.{self.minor}'}"


def policies(labels: Mapping[str, str]) -> Mapping[Mode, Standard]:
    """Return what a namespace's labels ask for, as the admission plugin reads them (k8s.io/pod-security-admission 0.36.3, api/helpers.go).

    An unknown level enforces the strictest one and audits or warns of nothing; an unknown version is the latest. Where no level to
    warn of is given, it is the enforced one.
    """
    found = {mode: _standard(labels, mode) for mode in Mode}
    enforce = found[Mode.ENFORCE]
    if PREFIX + Mode.WARN not in labels and labels.get(PREFIX + Mode.ENFORCE) in set(Level) and enforce.level is not Level.PRIVILEGED:
        minor = found[Mode.WARN].minor if f"{PREFIX}{Mode.WARN}-version" in labels else enforce.minor
        found[Mode.WARN] = Standard(enforce.level, minor)
    return found


def enforced(labels: Mapping[str, str]) -> Standard:
    """Return what a namespace's labels enforce."""
    return policies(labels)[Mode.ENFORCE]


def _standard(labels: Mapping[str, str], mode: Mode) -> Standard:
    written = labels.get(PREFIX + mode)
    version = _VERSION.fullmatch(labels.get(f"{PREFIX}{mode}-version", ""))
    minor = int(version[1]) if version else LATEST
    if written is None:
        return Standard(Level.PRIVILEGED, minor)
    if written in set(Level):
        return Standard(Level(written), minor)
    return Standard(Level.RESTRICTED if mode is Mode.ENFORCE else Level.PRIVILEGED, minor)
