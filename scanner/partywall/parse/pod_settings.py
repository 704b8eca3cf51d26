"""A pod spec read for what keeps its containers apart from their node, with the API server's defaults filled in."""

from collections.abc import Iterator, Mapping

from partywall.model.pod import Container, PodSettings, SecurityContext, Volume
from partywall.parse.kubernetes_objects import Object, flag, mapping, parts, strings, text

_CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
_PROBES = (("livenessProbe",), ("readinessProbe",), ("startupProbe",), ("lifecycle", "postStart"), ("lifecycle", "preStop"))


def pod_settings(spec: Object, annotations: Mapping[str, str]) -> PodSettings:
    """Read a pod spec; `annotations` are those of the pod, in which old versions kept profiles."""
    host_network = flag(spec, "hostNetwork") is True
    return PodSettings(
        containers=tuple(_container(item, host_network) for key in _CONTAINERS for _, item in parts(spec, key)),
        security=_security(mapping(spec, "securityContext")),
        volumes=tuple(_volume(item) for _, item in parts(spec, "volumes")),
        sysctls=tuple(text(item, "name") for _, item in parts(mapping(spec, "securityContext"), "sysctls")),
        host_network=host_network,
        host_pid=flag(spec, "hostPID") is True,
        host_ipc=flag(spec, "hostIPC") is True,
        host_users=flag(spec, "hostUsers") is not False,
        windows=text(mapping(spec, "os"), "name") == "windows",
        annotations=annotations,
    )


def _container(item: Object, host_network: bool) -> Container:
    return Container(
        text(item, "name"),
        _security(mapping(item, "securityContext")),
        tuple(_host_ports(item, host_network)),
        tuple(_probe_hosts(item)),
    )


def _host_ports(item: Object, host_network: bool) -> Iterator[int]:
    """Yield the ports of the node; on the node's network every port is one (Kubernetes core v1 defaults)."""
    for _, port in parts(item, "ports"):
        number = port.get("hostPort") or (port.get("containerPort") if host_network else None)
        if isinstance(number, int) and number:
            yield number


def _probe_hosts(item: Object) -> Iterator[str]:
    for keys in _PROBES:
        handler = mapping(item, *keys)
        for way in ("httpGet", "tcpSocket"):
            host = text(mapping(handler, way), "host")
            if host:
                yield host


def _security(context: Object) -> SecurityContext:
    user, selinux = context.get("runAsUser"), mapping(context, "seLinuxOptions")
    return SecurityContext(
        privileged=flag(context, "privileged") is True,
        escalates=flag(context, "allowPrivilegeEscalation"),
        non_root=flag(context, "runAsNonRoot"),
        user=user if isinstance(user, int) else None,
        proc_mount=text(context, "procMount") or None,
        seccomp=_profile(context, "seccompProfile"),
        apparmor=_profile(context, "appArmorProfile"),
        selinux=(text(selinux, "type"), text(selinux, "user"), text(selinux, "role")),
        host_process=flag(mapping(context, "windowsOptions"), "hostProcess") is True,
        added=strings(mapping(context, "capabilities"), "add"),
        dropped=strings(mapping(context, "capabilities"), "drop"),
    )


def _profile(context: Object, key: str) -> str | None:
    return text(mapping(context, key), "type") if isinstance(context.get(key), Mapping) else None


def _volume(item: Object) -> Volume:
    """Read a volume; one without a source is an emptyDir (Kubernetes core v1 defaults)."""
    source = next((key for key, value in item.items() if key != "name" and value is not None), "emptyDir")
    return Volume(source, text(mapping(item, "hostPath"), "path"))
