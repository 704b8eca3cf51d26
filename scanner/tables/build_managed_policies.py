"""Build the table of AWS managed policies from the dataset that the package moto (Apache-2.0) carries.

`pip install moto`, then `python scanner/tables/build_managed_policies.py --write`.

moto records the policies of an AWS account with `aws iam list-policies` and `get-policy-version`. The day of the table is the newest change
that the dataset holds, since moto does not say when it was recorded. Entries of the table:

- `index.json`: source, day, the first ARN of each shelf, and the ARNs of policies of which only a part is known (none: moto's are whole);
- `NUMBER.txt`: a shelf, a line for each policy: ARN, default version, day of its last change and document, separated by tabs.
"""

import ast
import json
from importlib.metadata import distribution
from pathlib import Path

from packing import TABLES, pack, wants_to_write

SHELVES = 48


def dataset() -> dict[str, dict]:
    """Return moto's policies by name; its module is read, not imported, since importing moto needs all of boto3."""
    path = Path(str(distribution("moto").locate_file("moto/iam/aws_managed_policies.py")))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "aws_managed_policies_data":
            return json.loads(ast.literal_eval(node.value))
    raise SystemExit(f"{path} holds no aws_managed_policies_data; moto has changed")


def entries(policies: dict[str, dict]) -> dict[str, str]:
    """Return the entries of the table."""
    lines = sorted(
        "\t".join((f"arn:aws:iam::aws:policy{row['Path']}{name}", row["DefaultVersionId"], row["UpdateDate"][:10], document(row)))
        for name, row in policies.items()
    )
    size = -(-len(lines) // SHELVES)
    shelves = [lines[start : start + size] for start in range(0, len(lines), size)]
    index = {
        "source": f"moto {distribution('moto').version} (Apache-2.0), recorded from an AWS account",
        "as_of": max(row["UpdateDate"] for row in policies.values())[:10],
        "partial": [],
        "firsts": [shelf[0].split("\t", 1)[0] for shelf in shelves],
    }
    return {"index.json": json.dumps(index, indent=1), **{f"{number:02}.txt": "\n".join(shelf) for number, shelf in enumerate(shelves)}}


def document(row: dict) -> str:
    """Return a policy document as one line."""
    return json.dumps(row["Document"], separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__" and wants_to_write(__doc__):
    pack(TABLES / "managed_policies.zip", entries(dataset()))
