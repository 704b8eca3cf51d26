"""A condition for a reader: who decides each part of it, and a request on either side."""

from collections.abc import Iterator, Mapping

from partywall.model.residual import CANNOT_BE_EVALUATED, Residual, that
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.witness import witnesses

ALLOWED, DENIED = "allowed", "denied"


def condition_lines(residual: Residual, context: Context) -> Iterator[str]:
    """Yield who decides each part of a condition, and keys of a request that meets it and of one that does not."""
    yield "who decides:"
    yield from (f"  {atom.control.value}: {that(atom).text}" for atom in residual.atoms)
    spelled = {atom.key.lower(): atom.key for atom in residual.atoms}
    for word, found in example_keys(residual, context).items():
        keys = (
            f"{spelled.get(key, key)} = {' and '.join(values)}" if values else f"no {spelled.get(key, key)}"
            for key, values in found.items()
        )
        yield f"{word}, for example, with {', '.join(keys)}"


def example_keys(residual: Residual, context: Context) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return keys of a request under which a condition holds (`allowed`) and under which it does not (`denied`), as far as there are some.

    A key without values is absent. Where what nobody can evaluate decides alone, there is nothing to show.
    """
    if not residual.atoms:
        return {}
    no_keys = {atom.key for atom in residual.atoms if atom.operator == CANNOT_BE_EVALUATED}
    found = witnesses(residual, context)
    shown = {
        word: {key: values for key, values in sorted(keys.items()) if key not in no_keys}
        for word, keys in ((ALLOWED, found.holds), (DENIED, found.fails))
        if keys is not None
    }
    return {word: keys for word, keys in shown.items() if keys}
