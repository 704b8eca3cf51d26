"""What GitHub asks of a SARIF file beyond its schema, and what the multitool does not see (facts measured with version 5.7.0)."""

from collections.abc import Iterator
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


def faults(log: dict[str, Json]) -> list[str]:
    """Return what is wrong with a log, in words."""
    (run,) = each(log["runs"])
    rules = list(each(member(run, "tool", "driver", "rules")))
    artifacts = list(each(run["artifacts"]))
    return [
        *(_rule_faults(rules)),
        *(fault for result in each(run["results"]) for fault in _result_faults(result, rules)),
        *(fault for location in nested(log, "artifactLocation") for fault in _location_faults(location, artifacts)),
        *(f"nothing at {path}" for path in nothings(log, "")),
    ]


def member(value: Json, *names: str) -> Json:
    for name in names:
        assert isinstance(value, dict)
        value = value[name]
    return value


def each(value: Json) -> Iterator[dict[str, Json]]:
    assert isinstance(value, list)
    for item in value:
        assert isinstance(item, dict)
        yield item


def nested(value: Json, name: str) -> Iterator[dict[str, Json]]:
    match value:
        case dict():
            for key, item in value.items():
                if key == name and isinstance(item, dict):
                    yield item
                yield from nested(item, name)
        case list():
            for item in value:
                yield from nested(item, name)
        case _:
            return


def nothings(value: Json, path: str) -> Iterator[str]:
    match value:
        case None:
            yield path
        case dict():
            for key, item in value.items():
                yield from nothings(item, f"{path}/{key}")
        case list():
            for number, item in enumerate(value):
                yield from nothings(item, f"{path}/{number}")
        case _:
            return


def _rule_faults(rules: list[dict[str, Json]]) -> Iterator[str]:
    ids = [str(rule["id"]) for rule in rules]
    if len(ids) != len(set(ids)):
        yield "a rule is there twice"
    for rule in rules:
        for name, most in (("shortDescription", 1024), ("fullDescription", 1024), ("help", 100_000)):
            text = str(member(rule, name, "text"))
            if not text.strip() or len(text) > most:
                yield f"{rule['id']}: {name} is empty or too long"
        tags = member(rule, "properties", "tags")
        if not isinstance(tags, list) or len(tags) > 20:
            yield f"{rule['id']}: too many tags"
        properties = rule["properties"]
        if isinstance(properties, dict) and "security-severity" in properties:
            severity = properties["security-severity"]
            if not isinstance(severity, str) or not 0.0 < float(severity) <= 10.0:
                yield f"{rule['id']}: security-severity {severity!r}"


def _result_faults(result: dict[str, Json], rules: list[dict[str, Json]]) -> Iterator[str]:
    index = result["ruleIndex"]
    if not isinstance(index, int) or rules[index]["id"] != result["ruleId"]:
        yield f"rule {result['ruleId']} is not number {index}"
    if not str(member(result, "message", "text")).strip():
        yield "a result says nothing"
    if (result["kind"] == "fail") == (result["level"] == "none"):
        yield f"kind {result['kind']} and level {result['level']}"
    locations = list(each(result["locations"]))
    if not locations:
        yield "a result is nowhere"
    for location in locations:
        region = member(location, "physicalLocation", "region")
        if not isinstance(region, dict) or not all(isinstance(part, int) and part >= 1 for part in region.values()) or len(region) != 4:
            yield f"region {region}"
    if not member(result, "partialFingerprints", "partywall/v1"):
        yield "no fingerprint"


def _location_faults(location: dict[str, Json], artifacts: list[dict[str, Json]]) -> Iterator[str]:
    uri = str(location["uri"])
    parts = urlsplit(uri)
    if not uri or parts.scheme or parts.netloc or parts.query or parts.fragment or uri.startswith("/") or " " in uri or not uri.isascii():
        yield f"uri {uri!r}"
    if ".." in unquote(uri).split("/") and ".." in uri.split("/"):
        yield f"uri goes up: {uri!r}"
    index = location.get("index")
    if isinstance(index, int) and member(artifacts[index], "location", "uri") != uri:
        yield f"artifact {index} is not {uri!r}"
