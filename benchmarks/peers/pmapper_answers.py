"""PMapper's answers to the questions of a file, or its edges between the roles of one; run by the Python of its own environment.

    python pmapper_answers.py checks|edges FILE

Prints one JSON object: CPU seconds of the answers alone, and the answers, or the number of edges.
"""

import collections
import collections.abc
import json
import sys
import time
from pathlib import Path

# PMapper 1.1.5 imports these from where Python kept them before 3.10.
for _name in ("Mapping", "MutableMapping"):
    setattr(collections, _name, getattr(collections.abc, _name))

from principalmapper.common import Node, Policy  # noqa: E402 - after the names are put back
from principalmapper.graphing import iam_edges, sagemaker_edges, sts_edges  # noqa: E402 - after the names are put back
from principalmapper.graphing.gathering import update_admin_status  # noqa: E402 - after the names are put back
from principalmapper.querying.query_interface import local_check_authorization_full  # noqa: E402 - after the names are put back


def nodes_of(told):
    """Return the roles of a file as PMapper's nodes, by ARN."""
    managed = {arn: Policy(arn, arn.rsplit("/", 1)[1], document) for arn, document in told["managed"].items()}
    found = {}
    for role in told["roles"]:
        arn = role["Arn"]
        inline = [Policy(arn, policy["PolicyName"], policy["PolicyDocument"]) for policy in role["RolePolicyList"]]
        attached = [managed[policy["PolicyArn"]] for policy in role["AttachedManagedPolicies"]]
        boundary = managed.get(role.get("PermissionsBoundary", {}).get("PermissionsBoundaryArn"))
        tags = {tag["Key"]: tag["Value"] for tag in role["Tags"]}
        trust = role["AssumeRolePolicyDocument"]
        found[arn] = Node(arn, role["RoleId"], [*inline, *attached], [], trust, None, 0, False, False, boundary, False, tags)
    return found


def main():
    """Answer."""
    told = json.loads(Path(sys.argv[2]).read_text())
    nodes = nodes_of(told)
    if sys.argv[1] == "edges":
        everybody = list(nodes.values())
        update_admin_status(everybody)
        begin = time.process_time()
        found = sum(len(each.generate_edges_locally(everybody)) for each in (sts_edges, iam_edges, sagemaker_edges))
        print(json.dumps({"seconds": time.process_time() - begin, "edges": found}))
        return
    levels = [
        [Policy(f"arn:aws:organizations::policy/{n}", str(n), document) for n, document in enumerate(level)] for level in told["levels"]
    ]
    answers = []
    begin = time.process_time()
    for asked in told["questions"]:
        principal = nodes[asked["principal"]]
        context = dict(asked["context"])
        # An empty policy says that there is none; without one PMapper asks the principal's policies alone, which it must across accounts.
        foreign = asked["account"] != asked["principal"].split(":")[4]
        guard = asked["guard"] if asked["guard"]["Statement"] or foreign else None
        owner = asked["account"] if guard is not None else None
        try:
            said = local_check_authorization_full(principal, asked["action"], asked["resource"], context, guard, owner, levels, None)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            said = type(error).__name__
        answers.append(said)
    print(json.dumps({"seconds": time.process_time() - begin, "answers": answers}))


if __name__ == "__main__":
    main()
