"""All resolvers, in the order in which they speak."""

from partywall.resolve import Resolver
from partywall.resolve.data import RESOLVER as DATA
from partywall.resolve.eks import RESOLVER as EKS
from partywall.resolve.iam import RESOLVER as IAM
from partywall.resolve.identity_center import RESOLVER as IDENTITY_CENTER
from partywall.resolve.kueue import RESOLVER as KUEUE
from partywall.resolve.netpol import RESOLVER as NETPOL
from partywall.resolve.nodes import RESOLVER as NODES
from partywall.resolve.rbac import RESOLVER as RBAC
from partywall.resolve.slurm import RESOLVER as SLURM
from partywall.resolve.studio import RESOLVER as STUDIO
from partywall.resolve.workloads import RESOLVER as WORKLOADS

RESOLVERS: tuple[Resolver, ...] = (IDENTITY_CENTER, IAM, DATA, STUDIO, EKS, RBAC, WORKLOADS, NODES, NETPOL, KUEUE, SLURM)
