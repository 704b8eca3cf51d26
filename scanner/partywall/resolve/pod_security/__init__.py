"""The Pod Security Standards as the admission plugin of the API server applies them: which pods a namespace refuses, and why.

`refusals` answers for one pod at one level and version; `policies` reads the labels of a namespace.
"""

from partywall.resolve.pod_security.levels import Level, Mode, Standard, enforced, policies
from partywall.resolve.pod_security.standards import refusals

__all__ = ["Level", "Mode", "Standard", "enforced", "policies", "refusals"]
