"""All edges of a cluster of 1,000 namespaces, 5,000 roles and 10,000 bindings.

    python benchmarks/rbac.py [--namespaces N] [--check]

Prints one figure a line: name value unit goal ok|short. With --check, exits 1 when a goal is missed.
"""

import argparse
import random
import sys
import time

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts
from partywall.model.facts_kubernetes import Binding, Namespace, Role, Rule, Subject, SubjectKind
from partywall.resolve.rbac import RESOLVER

CLUSTER = "111122223333/us-east-2/lab"
SEED = 7
GOAL = 2.0  # CPU seconds on a busy machine of two cores; a quiet one takes half

_RULES = (
    (Rule(("get", "list", "watch"), ("",), ("pods", "pods/log", "configmaps")), Rule(("create", "delete"), ("batch",), ("jobs",))),
    (Rule(("*",), ("*",), ("*",)),),
    (Rule(("get", "list"), ("",), ("secrets",)), Rule(("create",), ("",), ("pods/exec",))),
    (Rule(("get", "create"), ("kubeflow.org",), ("pytorchjobs",)), Rule(("bind",), ("rbac.authorization.k8s.io",), ("roles",))),
)
_BUILT_IN = ("view", "edit", "admin")


def cluster(namespaces: int) -> Facts:
    """Make a cluster: five roles and ten bindings a namespace, half of these to Kubernetes' own roles, and a few for the whole cluster."""
    chance = random.Random(SEED)
    facts: list[Fact] = []
    for number in range(namespaces):
        name = f"team-{number}"
        facts.append(Namespace(CLUSTER, name, {"kubernetes.io/metadata.name": name}, Evidence("namespaces", f"/{number}")))
        facts += [Role(CLUSTER, name, f"role-{one}", chance.choice(_RULES), Evidence("roles", f"/{number}/{one}")) for one in range(5)]
        facts += [_binding(name, number, one, chance) for one in range(10)]
    facts += [_binding("", number, 1, chance) for number in range(namespaces // 10)]
    return Facts(facts)


def _binding(namespace: str, number: int, one: int, chance: random.Random) -> Binding:
    at = Evidence("bindings", f"/{namespace or 'cluster'}/{number}/{one}")
    kind, role = ("ClusterRole", chance.choice(_BUILT_IN)) if one % 2 else ("Role", f"role-{chance.randrange(5)}")
    subject = Subject(SubjectKind.GROUP, f"group-{number % 100}")
    return Binding(CLUSTER, namespace, f"binding-{one}-{number}", kind, role, (subject,), at, (at.below("subjects", 0),))


def main() -> int:
    """Measure, print, and say whether the goal was reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--namespaces", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    facts = cluster(asked.namespaces)
    before = time.process_time()
    edges = sum(isinstance(item, Edge) for item in RESOLVER.resolve(facts))
    seconds = time.process_time() - before
    reached = seconds <= GOAL
    print(f"rbac_edges {edges} edges - ok")
    print(f"rbac_resolve {seconds:.2f} s <={GOAL} {'ok' if reached else 'short'}")
    return 1 if asked.check and not reached else 0


if __name__ == "__main__":
    sys.exit(main())
