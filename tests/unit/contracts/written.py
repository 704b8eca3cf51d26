"""Tenancy files as texts, for the tests of this folder."""

from textwrap import dedent

from partywall.contracts.load import CONTRACT_KIND, TENANTS_KIND, load
from partywall.model.document import Document, Form
from partywall.model.tenancy import Tenancy

CLUSTER = "111122223333/us-east-2/capacity"
ROLE = "arn:aws:iam::111122223333:role/{}"


def document(name: str, text: str) -> Document:
    kind = CONTRACT_KIND if "partywall/contract/" in text else TENANTS_KIND
    return Document(name, kind, Form.YAML, None, dedent(text).lstrip("\n"), "")


def tenants(body: str) -> Tenancy:
    """Load one tenants.yaml whose schema line and cluster are written for it."""
    return load([document("tenants.yaml", tenants_text(body))])


def tenants_text(body: str) -> str:
    head = 'schema: partywall/tenants/v1\nclusters: [{name: capacity, account: "111122223333", region: us-east-2, orchestrator: eks}]\n'
    return head + dedent(body).lstrip("\n")
