"""The checks of the standards, by level and by the version from which each holds.

Source: Kubernetes, "Pod Security Standards", and the admission plugin that implements them (k8s.io/pod-security-admission 0.36.3,
policy/check_*.go), whose own short words for a refusal these are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from partywall.model.pod import Container, PodSettings, SecurityContext
from partywall.resolve.pod_security.levels import Level, Standard

# Tells whether a pod breaks a check.
Broken: TypeAlias = Callable[[PodSettings], bool]

_CAPABILITIES = frozenset(
    {
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID"),
        *("SETPCAP", "SETUID", "SYS_CHROOT"),
    }
)
_VOLUMES = frozenset({"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"})
_PROFILES = frozenset({"RuntimeDefault", "Localhost"})
_APPARMOR_KEY = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP_KEYS = ("seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/")
_SELINUX_0 = frozenset({"", "container_t", "container_init_t", "container_kvm_t"})
_SELINUX_31 = _SELINUX_0 | {"container_engine_t"}
_SYSCTLS_0 = frozenset(
    {
        "kernel.shm_rmid_forced",
        *(f"net.ipv4.{name}" for name in ("ip_local_port_range", "tcp_syncookies", "ping_group_range", "ip_unprivileged_port_start")),
    }
)
_SYSCTLS_27 = _SYSCTLS_0 | {"net.ipv4.ip_local_reserved_ports"}
_SYSCTLS_29 = _SYSCTLS_27 | {f"net.ipv4.tcp_{name}" for name in ("keepalive_time", "fin_timeout", "keepalive_intvl", "keepalive_probes")}
_SYSCTLS_32 = _SYSCTLS_29 | {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"}


@dataclass(frozen=True, slots=True)
class Check:
    """One check: the word for its refusal, its level, its forms by the minor version from which each holds, and what it replaces."""

    word: str
    level: Level
    forms: tuple[tuple[int, Broken], ...]
    replaces: str = ""

    def at(self, minor: int | None) -> Broken | None:
        """Return the form that holds at a version (None: the latest), or None before the first."""
        return next((broken for since, broken in reversed(self.forms) if minor is None or since <= minor), None)


def refusals(pod: PodSettings, standard: Standard, server: int | None = None) -> tuple[str, ...]:
    """Return why a namespace that enforces a standard refuses a pod, empty where it lets it in; `server` is the cluster's minor version."""
    return tuple(check.word for check, broken in _checks(standard, server) if broken(pod))


def _checks(standard: Standard, server: int | None) -> Iterator[tuple[Check, Broken]]:
    if standard.level is Level.PRIVILEGED:
        return
    minor = min((one for one in (standard.minor, server) if one is not None), default=None)
    levels = (Level.BASELINE,) if standard.level is Level.BASELINE else (Level.BASELINE, Level.RESTRICTED)
    found = [(check, broken) for check in CHECKS if check.level in levels and (broken := check.at(minor)) is not None]
    replaced = {check.replaces for check, _ in found}
    yield from ((check, broken) for check, broken in found if check.level is Level.RESTRICTED or check.word not in replaced)


def _contexts(pod: PodSettings) -> Sequence[SecurityContext]:
    return (pod.security, *(one.security for one in pod.containers))


def _any(broken: Callable[[Container], bool]) -> Broken:
    return lambda pod: any(map(broken, pod.containers))


def _linux(broken: Broken) -> Broken:
    """Leave out pods that say they run on Windows, where the setting does not exist."""
    return lambda pod: not pod.windows and broken(pod)


def _host_users(broken: Broken) -> Broken:
    """Leave out pods in a user namespace of their own."""
    return lambda pod: pod.host_users and broken(pod)


def _apparmor(pod: PodSettings) -> bool:
    noted = (value for key, value in pod.annotations.items() if key.startswith(_APPARMOR_KEY))
    return any(one.apparmor not in (None, *_PROFILES) for one in _contexts(pod)) or any(
        value not in ("", "runtime/default") and not value.startswith("localhost/") for value in noted
    )


def _noted_seccomp(pod: PodSettings) -> bool:
    whole, prefix = _SECCOMP_KEYS
    keys = (whole, *(f"{prefix}{container.name}" for container in pod.containers))
    noted = (pod.annotations[key] for key in keys if key in pod.annotations)
    return any(value not in ("runtime/default", "docker/default") and not value.startswith("localhost/") for value in noted)


def _bad_seccomp(pod: PodSettings) -> bool:
    return any(one.seccomp not in (None, *_PROFILES) for one in _contexts(pod))


def _open_seccomp(pod: PodSettings) -> bool:
    return _bad_seccomp(pod) or (pod.security.seccomp is None and any(one.security.seccomp is None for one in pod.containers))


def _root(pod: PodSettings) -> bool:
    return any(one.non_root is False for one in _contexts(pod)) or (
        pod.security.non_root is None and any(one.security.non_root is None for one in pod.containers)
    )


def _selinux(types: frozenset[str]) -> Broken:
    return lambda pod: any(one.selinux[0] not in types or bool(one.selinux[1] or one.selinux[2]) for one in _contexts(pod))


def _sysctls(allowed: frozenset[str]) -> Broken:
    return lambda pod: not allowed.issuperset(pod.sysctls)


def _unmasked(pod: PodSettings) -> bool:
    return any(one.security.proc_mount not in (None, "Default") for one in pod.containers)


def _undropped(container: Container) -> bool:
    return "ALL" not in container.security.dropped or any(name != "NET_BIND_SERVICE" for name in container.security.added)


def _user_0(pod: PodSettings) -> bool:
    return any(one.user == 0 for one in _contexts(pod))


_BASELINE, _RESTRICTED = Level.BASELINE, Level.RESTRICTED
_ESCALATES = _any(lambda one: one.security.escalates is not False)

CHECKS: tuple[Check, ...] = (
    Check("forbidden AppArmor profile", _BASELINE, ((0, _apparmor),)),
    Check("non-default capabilities", _BASELINE, ((0, _any(lambda one: not _CAPABILITIES.issuperset(one.security.added))),)),
    Check("host namespaces", _BASELINE, ((0, lambda pod: pod.host_network or pod.host_pid or pod.host_ipc),)),
    Check("hostPath volumes", _BASELINE, ((0, lambda pod: any(volume.source == "hostPath" for volume in pod.volumes)),)),
    Check("hostPort", _BASELINE, ((0, _any(lambda one: bool(one.host_ports))),)),
    Check("probe or lifecycle host", _BASELINE, ((34, _any(lambda one: bool(one.probe_hosts))),)),
    Check("privileged", _BASELINE, ((0, _any(lambda one: one.security.privileged)),)),
    Check("procMount", _BASELINE, ((0, _unmasked), (35, _host_users(_unmasked)))),
    Check("seLinuxOptions", _BASELINE, ((0, _selinux(_SELINUX_0)), (31, _selinux(_SELINUX_31)))),
    Check("seccompProfile", _BASELINE, ((0, _noted_seccomp), (19, _bad_seccomp))),
    Check(
        "forbidden sysctls",
        _BASELINE,
        ((0, _sysctls(_SYSCTLS_0)), (27, _sysctls(_SYSCTLS_27)), (29, _sysctls(_SYSCTLS_29)), (32, _sysctls(_SYSCTLS_32))),
    ),
    Check("hostProcess", _BASELINE, ((0, lambda pod: any(one.host_process for one in _contexts(pod))),)),
    Check("allowPrivilegeEscalation != false", _RESTRICTED, ((8, _ESCALATES), (25, _linux(_ESCALATES)))),
    Check("unrestricted capabilities", _RESTRICTED, ((22, _any(_undropped)), (25, _linux(_any(_undropped)))), "non-default capabilities"),
    Check("procMount", _RESTRICTED, ((35, _unmasked),), "procMount"),
    Check(
        "restricted volume types",
        _RESTRICTED,
        ((0, lambda pod: any(volume.source not in _VOLUMES for volume in pod.volumes)),),
        "hostPath volumes",
    ),
    Check("runAsNonRoot != true", _RESTRICTED, ((0, _root), (35, _host_users(_root)))),
    Check("runAsUser=0", _RESTRICTED, ((23, _user_0), (35, _host_users(_user_0)))),
    Check("seccompProfile", _RESTRICTED, ((19, _open_seccomp), (25, _linux(_open_seccomp))), "seccompProfile"),
)
