"""Random pods around the edges of the Pod Security Standards; one seed always makes the same pod."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

Object = dict[str, Any]

# The namespaces in which each pod is tried, named as `tests.vectors.apiserver.labels` reads them.
NAMESPACES = (
    *("none", "privileged", "baseline", "restricted", "baseline-v1.18", "baseline-v1.24", "restricted-v1.18", "restricted-v1.24"),
    *("baseline-v1.30", "restricted-v1.34", "restricted-v1.35", "restricted-latest", "baseline-v1.99"),
)

_GOOD: Object = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}
_CAPABILITIES = ("CHOWN", "NET_BIND_SERVICE", "NET_ADMIN", "SYS_PTRACE", "SETUID", "IPC_LOCK", "net_admin", "NET_RAW")
_SYSCTLS = (
    *("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time"),
    *("net.ipv4.tcp_rmem", "net.core.somaxconn", "kernel.msgmax"),
)
_SELINUX = ("", "container_t", "container_kvm_t", "container_engine_t", "spc_t")
_VOLUMES: Sequence[Object] = (
    {"hostPath": {"path": "/opt/ml"}},
    {"emptyDir": {}},
    {"configMap": {"name": "a"}},
    {"secret": {"secretName": "a"}},
    {"persistentVolumeClaim": {"claimName": "fsx"}},
    {"csi": {"driver": "fsx.csi.aws.com"}},
    {"nfs": {"server": "fs", "path": "/"}},
    {"flexVolume": {"driver": "a/b"}},
    {"projected": {"sources": []}},
    {"image": {"reference": "registry.example/data:1"}},
    {},
)


def _profile(rng: Random) -> Object:
    kind = rng.choice(("RuntimeDefault", "Localhost", "Unconfined"))
    return {"type": kind, **({"localhostProfile": "mine"} if kind == "Localhost" else {})}


# Each changes one setting of a securityContext; those of the second table exist for containers only.
_SHARED: Mapping[str, Callable[[Random], Any]] = {
    "runAsNonRoot": lambda rng: rng.choice((True, False, None)),
    "runAsUser": lambda rng: rng.choice((0, 1, 1000)),
    "seccompProfile": _profile,
    "appArmorProfile": _profile,
    "seLinuxOptions": lambda rng: {"type": rng.choice(_SELINUX), **rng.choice(({}, {}, {"user": "u"}, {"role": "r"}, {"level": "s0"}))},
}
_OWN: Mapping[str, Callable[[Random], Any]] = {
    "privileged": lambda rng: rng.choice((True, False)),
    "allowPrivilegeEscalation": lambda rng: rng.choice((True, False, None)),
    "capabilities": lambda rng: {
        "add": rng.sample(_CAPABILITIES, rng.randint(0, 2)),
        "drop": rng.choice(([], ["ALL"], ["all"], ["KILL", "ALL"])),
    },
    "procMount": lambda rng: rng.choice(("Default", "Unmasked")),
}


def pod(seed: int) -> Object:
    """Make the pod of a seed: a good or a bare one, changed in one to four places."""
    rng = Random(seed)
    base = rng.choice((_GOOD, _GOOD, {}))
    containers = [_container(number, base) for number in range(rng.choice((1, 1, 2)))]
    meta: Object = {"name": f"pod-{seed}"}
    spec: Object = {"containers": containers}
    if rng.random() < 0.3:
        spec["initContainers"] = [_container(9, base)]
    for _ in range(rng.randint(1, 4)):
        rng.choice(_CHANGES)(rng, spec, meta)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


def _container(number: int, base: Object) -> Object:
    return {"name": f"c{number}", "image": "registry.example/train:1", "securityContext": dict(base)}


def _one(rng: Random, spec: Object) -> Object:
    found: Object = rng.choice([*spec["containers"], *spec.get("initContainers", ())])
    return found


def _change_container(rng: Random, spec: Object, meta: Object) -> None:
    key, make = rng.choice([*_SHARED.items(), *_OWN.items()])
    _one(rng, spec)["securityContext"][key] = make(rng)


def _forget(rng: Random, spec: Object, meta: Object) -> None:
    context = _one(rng, spec)["securityContext"]
    if context:
        del context[rng.choice(sorted(context))]


def _change_pod(rng: Random, spec: Object, meta: Object) -> None:
    key, make = rng.choice(list(_SHARED.items()))
    spec.setdefault("securityContext", {})[key] = make(rng)


def _host(rng: Random, spec: Object, meta: Object) -> None:
    key = rng.choice(("hostNetwork", "hostPID", "hostIPC", "hostUsers"))
    spec[key] = rng.choice((True, False))


def _user_namespace(rng: Random, spec: Object, meta: Object) -> None:
    spec["hostUsers"] = False


def _volume(rng: Random, spec: Object, meta: Object) -> None:
    volumes = spec.setdefault("volumes", [])
    volumes.append({"name": f"v{len(volumes)}", **rng.choice(_VOLUMES)})


def _sysctl(rng: Random, spec: Object, meta: Object) -> None:
    spec.setdefault("securityContext", {})["sysctls"] = [{"name": name, "value": "1"} for name in rng.sample(_SYSCTLS, rng.randint(1, 2))]


def _port(rng: Random, spec: Object, meta: Object) -> None:
    port = {"containerPort": rng.choice((80, 8080))}
    _one(rng, spec)["ports"] = [{**port, **rng.choice(({}, {"hostPort": 0}, {"hostPort": port["containerPort"]}))}]


def _probe(rng: Random, spec: Object, meta: Object) -> None:
    way = rng.choice(
        ({"httpGet": {"port": 80, **rng.choice(({}, {"host": "h"}))}}, {"tcpSocket": {"port": 80, **rng.choice(({}, {"host": "h"}))}})
    )
    container = rng.choice(spec["containers"])
    if rng.random() < 0.5:
        container[rng.choice(("livenessProbe", "readinessProbe", "startupProbe"))] = way
    else:
        container["lifecycle"] = {rng.choice(("postStart", "preStop")): way}


def _windows(rng: Random, spec: Object, meta: Object) -> None:
    """Make it a pod for Windows, which must leave out what Linux alone has."""
    spec["os"] = {"name": "windows"}
    kept = {"runAsNonRoot": True} if rng.random() < 0.7 else {}
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        container["securityContext"] = dict(kept)
    spec.pop("securityContext", None)
    if rng.random() < 0.4:
        spec["hostNetwork"] = True
        spec["securityContext"] = {"windowsOptions": {"hostProcess": True}}


def _annotation(rng: Random, spec: Object, meta: Object) -> None:
    kind = rng.choice(("container.apparmor.security.beta.kubernetes.io/c0", "container.seccomp.security.alpha.kubernetes.io/c0"))
    key = rng.choice((kind, kind, "seccomp.security.alpha.kubernetes.io/pod"))
    meta.setdefault("annotations", {})[key] = rng.choice(("runtime/default", "localhost/mine", "unconfined"))


_CHANGES: Sequence[Callable[[Random, Object, Object], None]] = (
    *(_change_container, _change_container, _change_container, _forget, _forget, _change_pod, _change_pod, _host),
    *(_user_namespace, _volume, _sysctl, _port, _probe, _windows, _annotation),
)
