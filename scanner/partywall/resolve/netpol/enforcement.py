"""Whether anything puts NetworkPolicies into force: without that they are words.

The VPC CNI does so only where it is told to (EKS user guide, "Limit Pod traffic with Kubernetes network policies"); other engines do when
they are there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from partywall.model.edge import Change
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import Addon
from partywall.model.facts_kubernetes import ConfigMap, Workload
from partywall.model.facts_network import PolicyEndpoint
from partywall.model.tenancy import Contract, Status

ENGINES = {
    "calico-node": "Calico",
    "cilium": "Cilium",
    "antrea-agent": "Antrea",
    "kube-router": "kube-router",
    "weave-net": "Weave Net",
    "kube-network-policies": "kube-network-policies",
}
VPC_CNI = "the VPC CNI"
_MODE = "NETWORK_POLICY_ENFORCING_MODE"
_FLAG, _KEY = "--enable-network-policy", "enable-network-policy-controller"


class State(Enum):
    """What the evidence says."""

    ON = "on"
    OFF = "off"
    NOT_SHOWN = "not shown"
    NOT_GIVEN = "not given"


@dataclass(frozen=True, slots=True)
class Enforcement:
    """Whether policies are in force, through what, and what would put them into force; `strict` where a new pod starts closed."""

    state: State
    engine: str = ""
    at: Evidence | None = None
    change: Change | None = None
    strict: bool = False

    @property
    def text(self) -> str:
        """Say what puts policies into force."""
        # EKS user guide, "Considerations": pods start open in standard mode; EFA traffic bypasses the agent on eth0.
        seconds = "" if self.strict else " nor, in standard mode, in a pod's first seconds"
        blind = f", though not on EFA interfaces{seconds}" if self.engine == VPC_CNI else ""
        return f"{self.engine} puts policies into force{blind}"


def enforcement(facts: Facts, cluster: str) -> Enforcement:
    """Return what a cluster's evidence says; one that is on outweighs one that is off, since two engines may stand side by side.

    Where nothing was given that could say it, no add-on and no DaemonSet of the cluster, it is not in question, unless a contract speaks
    of the network: a kind of which the input holds nothing is not assessed.
    """
    found = list(_shown(facts, cluster))
    for state in (State.ON, State.OFF):
        for each in found:
            if each.state is state:
                return each
    daemons = any(workload.kind == "DaemonSet" for workload in facts.of(Workload) if workload.cluster == cluster)
    held = daemons or facts.listed("DaemonSet", cluster) or any(addon.cluster == cluster for addon in facts.of(Addon))
    signed = any(contract.status is Status.APPROVED and contract.fields.get("network") for contract in facts.of(Contract))
    return Enforcement(State.NOT_SHOWN if held or signed else State.NOT_GIVEN)


def _shown(facts: Facts, cluster: str) -> Iterator[Enforcement]:
    for workload in facts.of(Workload):
        if workload.cluster == cluster and workload.kind == "DaemonSet":
            yield from _daemon(workload)
    for addon in facts.of(Addon):
        if addon.cluster == cluster and addon.name == "vpc-cni" and addon.values is not None:
            yield _addon(addon)
    for config in facts.of(ConfigMap):
        if config.cluster == cluster and config.name == "amazon-vpc-cni" and _KEY in config.data:
            on = config.data[_KEY].lower() == "true"
            change = Change((config,), (replace(config, data={**config.data, _KEY: "true"}),))
            yield Enforcement(State.ON if on else State.OFF, VPC_CNI, config.at.below("data", _KEY), None if on else change)
    for endpoint in facts.of(PolicyEndpoint):
        if endpoint.cluster == cluster:
            yield Enforcement(State.ON, VPC_CNI, endpoint.at)


def _daemon(workload: Workload) -> Iterator[Enforcement]:
    if workload.name in ENGINES:
        yield Enforcement(State.ON, ENGINES[workload.name], workload.at)
    if workload.name != "aws-node":
        return
    for argument in workload.arguments:
        flag, _, value = argument.partition("=")
        if flag == _FLAG:
            on = value.lower() in ("", "true")
            others = tuple(other for other in workload.arguments if other != argument)
            change = Change((workload,), (replace(workload, arguments=(*others, f"{_FLAG}=true")),))
            yield Enforcement(State.ON if on else State.OFF, VPC_CNI, workload.at, None if on else change)


def _addon(addon: Addon) -> Enforcement:
    values = addon.values or {}
    on = str(values.get("enableNetworkPolicy", "false")).lower() == "true"
    at = addon.at.below("configurationValues")
    change = Change((addon,), (replace(addon, values={**values, "enableNetworkPolicy": "true"}),))
    env = values.get("env")
    strict = isinstance(env, Mapping) and env.get(_MODE) == "strict"
    return Enforcement(State.ON if on else State.OFF, VPC_CNI, at, None if on else change, strict)
