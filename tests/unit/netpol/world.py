"""Small clusters written as the YAML that people write, and what the resolvers say of them."""

from collections.abc import Iterator
from typing import TypeVar

import yaml

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.edge import Edge
from partywall.model.facts import Fact, Facts
from partywall.parse.kubernetes import parse
from partywall.resolve import Resolved
from partywall.resolve.netpol import resolve

CLUSTER = "111122223333/us-east-2/capacity"
T = TypeVar("T")

SPACES = """
apiVersion: v1
kind: Namespace
metadata: {name: vision}
---
apiVersion: v1
kind: Namespace
metadata: {name: nlp}
---
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: train-0, namespace: vision, labels: {app: train}}
spec:
  containers: [{name: main, ports: [{name: web, containerPort: 8080}]}]
---
"""
DENY = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny, namespace: NAMESPACE}
spec: {podSelector: {}, policyTypes: [Ingress]}
---
"""
ENDPOINT = """
apiVersion: networking.k8s.aws/v1alpha1
kind: PolicyEndpoint
metadata: {name: deny-x7k2p, namespace: vision}
spec: {}
---
"""


def deny(namespace: str) -> str:
    """Isolate a namespace for ingress."""
    return DENY.replace("NAMESPACE", namespace)


def allow(namespace: str, spec: str, name: str = "allow") -> str:
    """Write a policy with an ingress section for all pods of a namespace."""
    head = f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
    return f"{head}spec:\n  podSelector: {{}}\n  policyTypes: [Ingress]\n  ingress: {spec}\n---\n"


def read(text: str) -> list[Fact | Gap]:
    """Parse a YAML of several documents."""
    documents = [value for value in yaml.safe_load_all(text) if value is not None]
    return list(parse(Document("k8s.yaml", "kubernetes", Form.YAML, documents, text, "", origin=Origin(cluster=CLUSTER))))


def facts_of(text: str, *more: Fact) -> Facts:
    """Return the facts of a YAML, with some others."""
    return Facts([*(fact for fact in read(text) if not isinstance(fact, Gap)), *more])


def said(facts: Facts, kind: type[T]) -> list[T]:
    """Return what the resolver says of one type."""
    return [item for item in resolve(facts) if isinstance(item, kind)]


def pairs(text: str, *more: Fact) -> set[tuple[str, str]]:
    """Return who may connect to whom, by name."""
    return {(edge.source.name, edge.target.name) for edge in said(facts_of(text, *more), Edge)}


def edges(text: str, *more: Fact) -> list[Edge]:
    """Return the edges."""
    return said(facts_of(text, *more), Edge)


def resolved(text: str) -> Iterator[Resolved]:
    """Resolve a YAML."""
    return resolve(facts_of(text))
