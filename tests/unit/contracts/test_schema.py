"""The published schemas, and one record that fills every field."""

import json
from collections.abc import Iterator, Mapping

import pytest
from jsonschema import Draft202012Validator

from partywall.contracts.load import load
from partywall.contracts.people import listed_people
from partywall.contracts.schema import CONTRACT, TENANTS, schema_text
from partywall.model.node import Kind, Node
from tests.unit.contracts.test_bind import bound
from tests.unit.contracts.written import document

WHOLE = """
    schema: partywall/contract/v1
    tenant: reef
    status: retired
    retired: "2026-05-31"
    owners: {business: reef-leads, operations: cluster-crew, cost: 4711}
    project: {domain: dzd_1, unit: science, id: p1, consumer_account: "444455556666", data_accounts: ["444455556666"]}
    cluster: {name: capacity, account: "111122223333", region: us-east-2, orchestrator: eks, node_cidrs: [10.0.0.0/8, "fd00::/8"]}
    roles:
      access: arn:aws:iam::111122223333:role/access
      project: arn:aws:iam::444455556666:role/project
      studio: [arn:aws:iam::111122223333:role/studio]
      workload: {reef/job: {role: arn:aws:iam::111122223333:role/w, target: arn:aws:iam::444455556666:role/t}}
    rights: [{group: reef-people, can: [view, submit, admin], where: reef}]
    workloads: [training]
    data: {classification: inner, buckets: [x], keys: [k], secrets: [s], repositories: [r], file_systems: [fs-1]}
    scope: {namespaces: [reef], slurm_accounts: [reef], slurm_partitions: [gpu], slurm_qos: [high], users: [ana]}
    scheduling:
      guaranteed: {nvidia.com/gpu: 8, memory: 64Gi}
      borrow: {limit: {nvidia.com/gpu: 4}}
      lend: reclaimable
      preempt: lower-priority
      priority_classes: [training]
      exception_owner: crew
      exceptions: [{what: borrow all, until: 2026-12-31, by: crew}]
    visibility: {tasks: [tide]}
    network: {allow: [{from: {namespace: tide, labels: {a: b}}, to: {namespace: reef}, ports: [80, http]}], egress: [x], endpoints: [s3]}
    isolation: dedicated-nodes
    approvals: []
    signals: [{signal: s, source: t, owner: u, response: v}]
    cost: {tags: {team: reef}, labels: {team: reef}, slurm_account: reef}
    support: {contact: a, escalation: b}
    decisions: [{date: 2026-03-01, kind: approved, by: crew, ticket: 12, snapshot: sha256}]
    lifecycle: {approved: 2026-03-01, last_review: 2026-04-01, review_days: 90, expires: 2027-03-01, review_on: [class change]}
"""


def test_every_field_of_a_contract_is_understood() -> None:
    (contract,) = load([document("reef.yaml", WHOLE)]).contracts

    assert set(contract.fields) == set(json.loads(schema_text(CONTRACT))["$defs"]["record"]["properties"])


@pytest.mark.parametrize("name", [TENANTS, CONTRACT])
def test_the_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(json.loads(schema_text(name)))


@pytest.mark.parametrize("name", [TENANTS, CONTRACT])
def test_every_part_of_a_schema_says_in_words_what_to_write(name: str) -> None:
    silent = [
        path for path, part in parts(json.loads(schema_text(name)), "") if ("type" in part or "enum" in part) and "description" not in part
    ]

    assert silent == []


def parts(schema: object, path: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the sub-schemas that an error can speak of."""
    if isinstance(schema, list):
        for number, each in enumerate(schema):
            yield from parts(each, f"{path}/{number}")
    if isinstance(schema, dict):
        if not path.endswith(("/properties", "/$defs", "/if", "/else", "/not")):
            yield path, schema
        for key, each in schema.items():
            yield from parts(each, f"{path}/{key}")


def test_somebody_whom_two_contracts_list_is_agreed_upon() -> None:
    head = "schema: partywall/contract/v1\nstatus: approved\nscope: {users: [ana]}\n"
    cluster = 'cluster: {name: batch, account: "111122223333", region: us-east-2, orchestrator: slurm}\n'
    tenancy = load([document(f"{name}.yaml", f"{head}{cluster}tenant: {name}\n") for name in ("reef", "tide")])
    ana = Node(Kind.OS_USER, "111122223333/us-east-2/batch", "ana")

    found = bound(ana, tenancy).ownership[ana]

    assert (found.owners, found.disputed) == (("reef", "tide"), ())
    assert listed_people(tenancy) == {"ana": frozenset({"reef", "tide"})}
