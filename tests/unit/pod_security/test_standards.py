"""Pods held against the standards, where versions and systems differ; the rest is recorded from a real server (tests/vectors)."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from partywall.parse.pod_settings import pod_settings
from partywall.resolve.pod_security import Level, Standard, refusals

APPARMOR = "container.apparmor.security.beta.kubernetes.io"
GOOD = "allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}"


def why(
    text: str, level: Level, minor: int | None = None, server: int | None = None, notes: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    spec: dict[str, Any] = yaml.safe_load(text.replace("GOOD", GOOD))
    return refusals(pod_settings(spec, notes or {}), Standard(level, minor), server)


PLAIN = "{containers: [{name: a, securityContext: {GOOD}}]}"


@pytest.mark.parametrize("minor", [None, 0, 7, 18, 22, 24, 34, 99])
def test_a_pod_that_asks_for_nothing_passes_every_version(minor: int | None) -> None:
    assert why(PLAIN, Level.RESTRICTED, minor) == ()


def test_the_privileged_level_refuses_nothing() -> None:
    assert why("{hostPID: true, containers: [{name: a, securityContext: {privileged: true}}]}", Level.PRIVILEGED) == ()


@pytest.mark.parametrize(
    ("sysctl", "since"),
    [
        ("net.ipv4.ip_unprivileged_port_start", 0),
        ("net.ipv4.ip_local_reserved_ports", 27),
        ("net.ipv4.tcp_keepalive_time", 29),
        ("net.ipv4.tcp_rmem", 32),
    ],
)
def test_a_sysctl_is_safe_from_a_version_on(sysctl: str, since: int) -> None:
    pod = f"{{securityContext: {{sysctls: [{{name: {sysctl}, value: '1'}}]}}, containers: [{{name: a}}]}}"

    assert why(pod, Level.BASELINE, since) == why(pod, Level.BASELINE) == ()
    if since:
        assert why(pod, Level.BASELINE, since - 1) == ("forbidden sysctls",)


@pytest.mark.parametrize(
    ("context", "word", "since"),
    [
        ("seLinuxOptions: {type: container_engine_t}", "seLinuxOptions", 31),
        ("procMount: Unmasked", "procMount", 35),
    ],
)
def test_a_check_is_loosened_at_a_version(context: str, word: str, since: int) -> None:
    pod = f"{{hostUsers: false, containers: [{{name: a, securityContext: {{{context}}}}}]}}"

    assert why(pod, Level.BASELINE, since - 1) == (word,)
    assert why(pod, Level.BASELINE, since) == ()


@pytest.mark.parametrize(
    ("context", "word", "since"),
    [
        (GOOD.replace("allowPrivilegeEscalation: false, ", ""), "allowPrivilegeEscalation != false", 8),
        (GOOD.replace("seccompProfile: {type: RuntimeDefault}", ""), "seccompProfile", 19),
        (GOOD.replace("capabilities: {drop: [ALL]}, ", ""), "unrestricted capabilities", 22),
        (f"{GOOD}, runAsUser: 0", "runAsUser=0", 23),
    ],
)
def test_a_check_of_the_restricted_level_holds_from_a_version_on(context: str, word: str, since: int) -> None:
    pod = f"{{containers: [{{name: a, securityContext: {{{context.strip(', ')}}}}}]}}"

    assert why(pod, Level.RESTRICTED, since - 1) == ()
    assert why(pod, Level.RESTRICTED, since) == (word,)


def test_windows_is_let_off_what_it_does_not_have_from_1_25_on() -> None:
    pod = "{os: {name: windows}, containers: [{name: a, securityContext: {runAsNonRoot: true}}]}"

    assert why(pod, Level.RESTRICTED, 25) == ()
    assert why(pod, Level.RESTRICTED, 24) == ("allowPrivilegeEscalation != false", "unrestricted capabilities", "seccompProfile")


def test_a_user_namespace_excuses_root_from_1_35_on_and_never_an_unmasked_proc_of_the_restricted_level() -> None:
    pod = f"{{hostUsers: false, containers: [{{name: a, securityContext: {{{GOOD.replace('runAsNonRoot: true', 'runAsUser: 0')}}}}}]}}"
    unmasked = f"{{hostUsers: false, containers: [{{name: a, securityContext: {{{GOOD}, procMount: Unmasked}}}}]}}"

    assert why(pod, Level.RESTRICTED, 34) == ("runAsNonRoot != true", "runAsUser=0")
    assert why(pod, Level.RESTRICTED, 35) == ()
    assert why(unmasked, Level.RESTRICTED, 35) == why(unmasked, Level.RESTRICTED, 34) == ("procMount",)


@pytest.mark.parametrize("handler", ["livenessProbe: {httpGet: {host: h}}", "lifecycle: {preStop: {tcpSocket: {host: h}}}"])
def test_a_probe_of_another_host_is_refused_from_1_34_on(handler: str) -> None:
    pod = f"{{containers: [{{name: a, {handler}}}]}}"

    assert why(pod, Level.BASELINE, 33) == ()
    assert why(pod, Level.BASELINE, 34) == ("probe or lifecycle host",)


def test_an_older_server_knows_no_later_check() -> None:
    pod = "{containers: [{name: a, livenessProbe: {httpGet: {host: h}}}]}"

    assert why(pod, Level.BASELINE, server=32) == ()
    assert why(pod, Level.BASELINE, 36, server=32) == ()
    assert why(pod, Level.BASELINE, 34, server=36) == ("probe or lifecycle host",)


def test_profiles_in_annotations_count_where_a_version_reads_them() -> None:
    seccomp = {"container.seccomp.security.alpha.kubernetes.io/a": "unconfined"}
    pod = "{containers: [{name: a}]}"

    assert why(pod, Level.BASELINE, 18, notes=seccomp) == ("seccompProfile",)
    assert why(pod, Level.BASELINE, 19, notes=seccomp) == ()
    assert why(pod, Level.BASELINE, notes={f"{APPARMOR}/a": "unconfined"}) == ("forbidden AppArmor profile",)
    assert why(pod, Level.BASELINE, notes={f"{APPARMOR}/a": "localhost/mine"}) == ()


def test_every_port_of_a_pod_on_the_nodes_network_is_one_of_the_node() -> None:
    pod = "{hostNetwork: true, containers: [{name: a, ports: [{containerPort: 80}]}]}"

    assert why(pod, Level.BASELINE) == ("host namespaces", "hostPort")


@pytest.mark.parametrize("kind", ["initContainers", "containers", "ephemeralContainers"])
def test_every_kind_of_container_is_asked(kind: str) -> None:
    pod = f"{{containers: [{{name: a}}], {kind}: [{{name: b, securityContext: {{privileged: true}}}}]}}"

    assert why(pod, Level.BASELINE) == ("privileged",)


def test_a_volume_without_a_source_is_an_empty_one() -> None:
    assert why("{volumes: [{name: v}, {name: w, hostPath: null}], containers: [{name: a}]}", Level.BASELINE) == ()
