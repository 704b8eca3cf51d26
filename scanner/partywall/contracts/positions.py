"""YAML with the place of every node: what a loaded value no longer knows."""

from dataclasses import dataclass, field

import yaml

from partywall.contracts.problems import Problem
from partywall.model.evidence import Json

Step = str | int
Path = tuple[Step, ...]

# A tenancy file is written by hand: anything that unfolds to more than this is an anchor bomb.
_LARGEST = 200_000
_MERGE = "tag:yaml.org,2002:merge"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Tree:
    """The documents of one file, as values and as nodes. `several` says that paths start with the number of the document."""

    name: str
    values: tuple[Json, ...]
    roots: tuple[yaml.Node, ...] = field(repr=False)

    @property
    def several(self) -> bool:
        """Tell whether the file holds more than one YAML document."""
        return len(self.roots) > 1

    def mark(self, document: int, path: Path, *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of the node at `path`, of its key, or of the nearest node above it that exists."""
        node, mark = self.roots[document], self.roots[document].start_mark
        for number, step in enumerate(path):
            found = _child(node, step)
            if found is None:
                break
            above, node = found
            mark = above.start_mark if key and number == len(path) - 1 else node.start_mark
        return mark.line + 1, mark.column + 1

    def raw(self, document: int, path: Path) -> str | None:
        """Return a scalar as it is written."""
        node = self.roots[document]
        for step in path:
            found = _child(node, step)
            if found is None:
                return None
            node = found[1]
        return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def compose(name: str, text: str) -> tuple[Tree | None, list[Problem]]:
    """Read a YAML (or JSON) text into a tree, with what is wrong about its form."""
    try:
        roots = tuple(yaml.compose_all(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return None, [Problem(name, line, column, f"this is not YAML: {error.problem or error.context}; mend the line or quote the text")]
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return None, [Problem(name, 1, 1, f"this is not YAML: {str(error).splitlines()[0]}; save it as UTF-8 text")]
    problems: list[Problem] = []
    for root in roots:
        problems += _oversized(name, root)
    if problems:
        return None, problems
    values = tuple(_value(name, root, problems) for root in roots)
    return Tree(name, values, roots), problems


def _child(node: yaml.Node, step: Step) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.SequenceNode):
        return (node.value[step], node.value[step]) if isinstance(step, int) and step < len(node.value) else None
    if not isinstance(node, yaml.MappingNode):
        return None
    for key, value in node.value:
        if key.tag != _MERGE and key.value == str(step):
            return key, value
    for key, value in node.value:
        for merged in _merged(value) if key.tag == _MERGE else ():
            found = _child(merged, step)
            if found is not None:
                return found
    return None


def _merged(node: yaml.Node) -> list[yaml.Node]:
    return node.value if isinstance(node, yaml.SequenceNode) else [node]


def _oversized(name: str, root: yaml.Node) -> list[Problem]:
    """Refuse what contains itself and what unfolds to a giant, before anything unfolds it."""
    sizes: dict[int, int] = {}

    def size(node: yaml.Node, above: frozenset[int]) -> int:
        if id(node) in sizes:
            return sizes[id(node)]
        if id(node) in above or isinstance(node, yaml.ScalarNode):
            return _LARGEST + 1 if id(node) in above else 1
        inner = above | {id(node)}
        below = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in node.value for part in pair]
        sizes[id(node)] = 1 + sum(size(part, inner) for part in below)
        return sizes[id(node)]

    try:
        too_large = size(root, frozenset()) > _LARGEST
    except RecursionError:
        too_large = True
    if not too_large:
        return []
    mark = root.start_mark
    return [
        Problem(name, mark.line + 1, mark.column + 1, "anchors make this text contain itself, or unfold to a giant; write it without them")
    ]


def _value(name: str, node: yaml.Node, problems: list[Problem]) -> Json:
    if isinstance(node, yaml.SequenceNode):
        return [_value(name, part, problems) for part in node.value]
    if isinstance(node, yaml.MappingNode):
        return _mapping(name, node, problems)
    return _scalar(node)


def _mapping(name: str, node: yaml.MappingNode, problems: list[Problem]) -> Json:
    out: dict[str, Json] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        line, column = key.start_mark.line + 1, key.start_mark.column + 1
        if key.tag == _MERGE:
            continue
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(name, line, column, "a list or mapping cannot be a key; write a name"))
            continue
        if key.value in lines:
            problems.append(
                Problem(
                    name,
                    line,
                    column,
                    f"`{key.value}` is written twice, here and in line {lines[key.value]}; keep one of them or join the two",
                )
            )
            continue
        lines[key.value] = line
        out[key.value] = _value(name, value, problems)
    for key, value in node.value:
        for merged in _merged(value) if key.tag == _MERGE else ():
            more = _value(name, merged, problems)
            for word, inner in more.items() if isinstance(more, dict) else ():
                out.setdefault(word, inner)
    return out


def _scalar(node: yaml.Node) -> Json:
    """Dates stay the text that they are, so that quoted and unquoted ones are the same."""
    raw = str(node.value)
    match node.tag.rsplit(":", 1)[-1]:
        case "null":
            return None
        case "bool":
            return raw.lower() in ("true", "yes", "on", "y")
        case "int":
            return _number(raw, int)
        case "float":
            return _number(raw, float)
        case _:
            return raw


def _number(raw: str, kind: type[int] | type[float]) -> Json:
    try:
        return kind(raw.replace("_", ""))
    except ValueError:
        return raw
