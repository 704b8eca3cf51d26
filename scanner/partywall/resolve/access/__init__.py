"""Who may do what in a Kubernetes cluster: RBAC and the doors and access policies of EKS, asked one question at a time."""

from partywall.resolve.access.asked import Asked
from partywall.resolve.access.decide import Allowance, Decision, Doubt, Layer, Outcome
from partywall.resolve.access.questions import Answer, Crowd, Question, can, chosen, read_request, who_can

__all__ = [
    "Allowance",
    "Answer",
    "Asked",
    "Crowd",
    "Decision",
    "Doubt",
    "Layer",
    "Outcome",
    "Question",
    "can",
    "chosen",
    "read_request",
    "who_can",
]
