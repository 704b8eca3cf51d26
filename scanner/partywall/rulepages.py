"""Rule pages, generated from the rules: the docstring is the only source."""

from collections.abc import Mapping, Sequence

from partywall.model.rule import Crossings, Differences, Rule

HEAD = "<!-- generated from the rules by `make docs`; do not edit -->"


def pages(rules: Sequence[Rule]) -> Mapping[str, str]:
    """Return the text of every page by file name, and an index."""
    out = {f"{rule.id}-{rule.name}.md": page(rule) for rule in rules}
    out["README.md"] = index(rules)
    return dict(sorted(out.items()))


def page(rule: Rule) -> str:
    """Return one rule's page in Markdown."""
    rows = (("lane", lane_of(rule)), ("severity", f"{rule.severity.word} or worse"), ("asks", asked(rule)), ("version", str(rule.version)))
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    parts = (("Why it matters", rule.page.why), ("Fix", rule.page.fix), ("Blind spots", rule.page.blind_spots))
    body = "\n\n".join(f"## {heading}\n\n{text[:1].upper()}{text[1:]}" for heading, text in parts)
    return f"{HEAD}\n\n# {rule.id} {rule.name}\n\n{rule.page.title}\n\n| | |\n| --- | --- |\n{table}\n\n{body}\n"


def index(rules: Sequence[Rule]) -> str:
    """Return the list of all rules."""
    rows = "\n".join(
        f"| [{rule.id}]({rule.id}-{rule.name}.md) | {rule.name} | {lane_of(rule)} | {rule.severity.word} | {rule.page.title} |"
        for rule in rules
    )
    return f"{HEAD}\n\n# Rules\n\n| id | name | lane | severity | true when it fires |\n| --- | --- | --- | --- | --- |\n{rows}\n"


def lane_of(rule: Rule) -> str:
    """Return the folder of a built-in rule, which is its lane; for another pack's rule, that of its verbs."""
    match rule.asks:
        case Crossings():
            return rule.lane.value if rule.lane else "any"
        case Differences():
            return "drift"
        case _:
            return "identity"


def asked(rule: Rule) -> str:
    """Say in words what a rule asks."""
    match rule.asks:
        case Crossings(verbs=verbs):
            return "crossings by " + ", ".join(f"`{verb}`" for verb in verbs)
        case Differences(fields=fields):
            return "differences in " + ", ".join(f"`{field}`" for field in fields)
        case _:
            return type(rule.asks).__name__.lower()
