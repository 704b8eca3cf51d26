"""tenants.yaml and contracts against their published JSON Schemas, with messages that say how to mend."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from partywall.contracts.positions import Path, Tree
from partywall.contracts.problems import Problem, nearest

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

TENANTS = "tenants-v1.schema.json"
CONTRACT = "contract-v1.schema.json"


def schema_text(name: str) -> str:
    """Return a published schema as it is shipped."""
    return files("partywall.contracts").joinpath("schemas", name).read_text(encoding="utf-8")


@lru_cache(maxsize=2)
def _validator(name: str) -> Draft202012Validator:
    # jsonschema takes a tenth of a second to import, which `partywall --version` should not pay.
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = {each: json.loads(schema_text(each)) for each in (TENANTS, CONTRACT)}
    registry = Registry().with_resources((each, Resource.from_contents(schema)) for each, schema in schemas.items())
    return Draft202012Validator(schemas[name], registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)


def check(tree: Tree, document: int, name: str) -> Iterator[Problem]:
    """Yield what in one YAML document is not as the schema says."""
    for error in _validator(name).iter_errors(tree.values[document]):
        path = cast("Path", tuple(error.absolute_path))
        yield from _problems(tree, document, path, error)


def _problems(tree: Tree, document: int, path: Path, error: ValidationError) -> Iterator[Problem]:
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = cast("Mapping[str, object]", error.schema).get("properties", {})
        for key in error.instance:
            if key not in cast("Mapping[str, object]", known):
                line, column = tree.mark(document, (*path, key), key=True)
                yield Problem(
                    tree.name, line, column, f"`{key}` is not known{_inside(path)}; {nearest(key, cast('Mapping[str, object]', known))}"
                )
        return
    line, column = tree.mark(document, path)
    yield Problem(tree.name, line, column, _message(tree, document, path, error))


def _message(tree: Tree, document: int, path: Path, error: ValidationError) -> str:
    schema = cast("Mapping[str, object]", error.schema)
    wanted = str(schema.get("description", "what the schema says"))
    raw = tree.raw(document, path)
    match error.validator:
        case "required":
            missing = next(
                key for key in cast("list[str]", error.validator_value) if key not in cast("Mapping[str, object]", error.instance)
            )
            return f"`{missing}` is missing{_inside(path)}; {_ADD.get(missing, 'add it')}"
        case "const" | "enum":
            return f"{_named(path)} is {_shown(error.instance, raw)}; write {wanted}{_near(error, raw)}"
        case "type" if isinstance(error.instance, int | float) and not isinstance(error.instance, bool) and "12 digits" in wanted:
            example = (raw or "").zfill(12)
            return f'{_named(path)} is a number, and a number loses its leading zeros; write all 12 digits in quotes, such as "{example}"'
        case "type" if raw is not None and isinstance(error.instance, bool | int | float):
            return f'{_named(path)} is {_shown(error.instance, raw)}; write {wanted} (a text in quotes: "{raw}")'
        case "type" if isinstance(error.instance, str) and wanted.startswith("a list"):
            return f"{_named(path)} is one text; write {wanted}, such as [{raw}]"
        case "minItems" | "minLength" | "minProperties":
            return f"{_named(path)} is too short; write {wanted}"
        case _:
            return f"{_named(path)} is {_shown(error.instance, raw)}; write {wanted}"


_ADD: Mapping[str, str] = {
    "schema": "the first line is `schema: partywall/tenants/v1` or `schema: partywall/contract/v1`",
    "status": "say draft, approved or retired; a draft approves nothing",
}


def _near(error: ValidationError, raw: str | None) -> str:
    if error.validator != "enum" or raw is None:
        return ""
    found = nearest(raw, (str(word) for word in cast("list[object]", error.validator_value)))
    return f" ({found})" if found.startswith("did you mean") else ""


def _shown(instance: object, raw: str | None) -> str:
    if instance is None:
        return "empty"
    if raw is not None:
        return f"`{raw}`"
    return "a list" if isinstance(instance, list) else "a mapping"


def _named(path: Path) -> str:
    return f"`{dotted(path)}`" if path else "the file"


def _inside(path: Path) -> str:
    return f" in `{dotted(path)}`" if path else ""


def dotted(path: Path) -> str:
    """Write a path as `roles.studio.0`."""
    return ".".join(map(str, path))
