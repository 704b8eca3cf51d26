"""What a pod says about how far its containers are kept apart from their node."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SecurityContext:
    """The securityContext of a pod or of one container; None is what it leaves open. `selinux` is type, user and role."""

    privileged: bool = False
    escalates: bool | None = None
    non_root: bool | None = None
    user: int | None = None
    proc_mount: str | None = None
    seccomp: str | None = None
    apparmor: str | None = None
    selinux: tuple[str, str, str] = ("", "", "")
    host_process: bool = False
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Container:
    """A container, an init container or an ephemeral one; `probe_hosts` are the hosts that its probes and hooks name."""

    name: str = ""
    security: SecurityContext = field(default_factory=SecurityContext)
    host_ports: tuple[int, ...] = ()
    probe_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume of a pod: its source (`hostPath`, `emptyDir`, ...) and, of a hostPath, the path."""

    source: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class PodSettings:
    """All that the Pod Security Standards ask of a pod; `containers` are those of every kind."""

    containers: tuple[Container, ...] = ()
    security: SecurityContext = field(default_factory=SecurityContext)
    volumes: tuple[Volume, ...] = ()
    sysctls: tuple[str, ...] = ()
    host_network: bool = False
    host_pid: bool = False
    host_ipc: bool = False
    host_users: bool = True
    windows: bool = False
    annotations: Mapping[str, str] = field(default_factory=dict)
