"""Taking Kubernetes documents apart into objects, and objects into typed parts."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from partywall.model.document import Document
from partywall.model.evidence import Evidence, Json

Object: TypeAlias = Mapping[str, Json]
_NOTHING: Object = MappingProxyType({})


def is_list(value: Object) -> bool:
    """Tell whether an object is a `List`, or a typed list such as `PodList`."""
    return text(value, "kind").endswith("List") and isinstance(value.get("items"), Sequence | None) and "items" in value


def objects(document: Document) -> Iterator[tuple[Object, Evidence]]:
    """Yield each object of a document with its place: lists are opened, and the documents of a YAML file are walked."""
    yield from _opened(document.value, document.at())


def lists(document: Document) -> Iterator[tuple[Object, Evidence]]:
    """Yield each list of a document; what a list shows of its kind is all that there is."""
    for value, at in _tops(document.value, document.at()):
        if is_list(value):
            yield value, at


def _tops(value: Json, at: Evidence) -> Iterator[tuple[Object, Evidence]]:
    if isinstance(value, Mapping):
        yield value, at
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, item in enumerate(value):
            yield from _tops(item, at.below(number))


def _opened(value: Json, at: Evidence) -> Iterator[tuple[Object, Evidence]]:
    for top, place in _tops(value, at):
        if not is_list(top):
            yield top, place
            continue
        for number, item in enumerate(sequence(top, "items")):
            if not isinstance(item, Mapping):
                yield {}, place.below("items", number)
            elif is_list(item):
                yield from _opened(item, place.below("items", number))
            else:
                yield typed(item, top), place.below("items", number)


def typed(item: Object, parent: Object) -> Object:
    """Return an item with the kind that its typed list implies; the API leaves it out there."""
    kind = text(parent, "kind").removesuffix("List")
    if "kind" in item or not kind:
        return item
    return {**item, "kind": kind, "apiVersion": text(item, "apiVersion") or text(parent, "apiVersion")}


def group_of(obj: Object) -> str:
    """Return the API group without its version; the core group is empty."""
    group, slash, _ = text(obj, "apiVersion").partition("/")
    return group if slash else ""


def text(obj: Object, key: str) -> str:
    """Return a string, or an empty one where it is absent or of another type."""
    value = obj.get(key)
    return value if isinstance(value, str) else ""


def flag(obj: Object, key: str) -> bool | None:
    """Return a boolean, or None where it is absent."""
    value = obj.get(key)
    return value if isinstance(value, bool) else None


def mapping(obj: Object, *keys: str) -> Object:
    """Follow keys into nested objects; what is absent is empty."""
    for key in keys:
        value = obj.get(key)
        # What JSON and YAML make is a dict; asking for the abstract type first costs four times as much, and this is asked most.
        if type(value) is not dict and not isinstance(value, Mapping):
            return _NOTHING
        obj = value
    return obj


def sequence(obj: Object, key: str) -> Sequence[Json]:
    """Return an array, or an empty one."""
    value = obj.get(key)
    if value is None or type(value) is str:
        return ()
    return value if type(value) is list or (isinstance(value, Sequence) and not isinstance(value, str)) else ()


def parts(obj: Object, key: str) -> Iterator[tuple[int, Object]]:
    """Yield the objects of an array with their numbers."""
    for number, item in enumerate(sequence(obj, key)):
        if type(item) is dict or isinstance(item, Mapping):
            yield number, item


def strings(obj: Object, key: str) -> tuple[str, ...]:
    """Return the strings of an array."""
    return tuple(item for item in sequence(obj, key) if isinstance(item, str))


def string_map(obj: Object, *keys: str) -> Mapping[str, str]:
    """Return an object of strings, such as labels; a number or a boolean that YAML made of one is written back."""
    return {key: value if isinstance(value, str) else str(value).lower() for key, value in mapping(obj, *keys).items() if value is not None}


def name_of(obj: Object) -> str:
    """Return an object's name; a generated one is its prefix and a star."""
    meta = mapping(obj, "metadata")
    prefix = text(meta, "generateName")
    return text(meta, "name") or (f"{prefix}*" if prefix else "")


def namespace_of(obj: Object) -> str:
    """Return a namespaced object's namespace; kubectl puts what names none into `default`."""
    return text(mapping(obj, "metadata"), "namespace") or "default"
