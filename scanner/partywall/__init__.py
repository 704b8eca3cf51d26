"""partywall: who can reach whose models and data on a shared HyperPod estate."""

__version__ = "0.1.0"
