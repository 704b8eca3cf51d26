"""What a principal is able to do of the catalogue: asked once for each principal, before anything is looked at closely."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from partywall.model.facts_iam import Effect
from partywall.resolve.iam.catalogue import PASS_ROLE, Need, Path, catalogue, named, wanted
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.ways import Way, identity_ways, surest


@dataclass(frozen=True, slots=True)
class Able:
    """A principal, the actions of the catalogue that its Allow statements name, and its ways to them as they are asked for."""

    rights: Rights
    actions: int
    _ways: dict[Need, tuple[Way, ...]] = field(default_factory=dict)

    def may(self, path: Path) -> bool:
        """Tell quickly whether a path could be open."""
        return not wanted(need.action for need in path.needs) & ~self.actions

    def ways(self, need: Need, clusters: tuple[str, ...] = ()) -> tuple[Way, ...]:
        """Return the ways to an action on the region of resources that its word stands for."""
        if need not in self._ways:
            found = regions(need, self.rights.account, clusters)
            requests = (Request(need.action, region, self.rights.context, wildcard_only=region == "*") for region in found)
            self._ways[need] = tuple(way for request in requests for way in identity_ways(self.rights, request))
        return self._ways[need]

    def start(self, path: Path, clusters: tuple[str, ...] = ()) -> Way | None:
        """Return the surest way to do all that a path needs beside passing a role, or None."""
        return joined(self.ways(need, clusters) for need in path.needs if need.action != PASS_ROLE)


def joined(needs: Iterable[Iterable[Way]]) -> Way | None:
    """Return the surest way to all of several needs, or None where one of them has no way."""
    found: Way | None = None
    for ways in needs:
        each = list(ways)
        if not each:
            return None
        found = surest(each) if found is None else found.joined(surest(each))
    return found


def regions(need: Need, account: str, clusters: tuple[str, ...]) -> Iterator[str]:
    """Yield the regions of resources that a need's word stands for; of EKS only the known clusters, where there are some."""
    region = catalogue().regions[need.on].format(account=account)
    kind = region.rpartition(":")[2].partition("/")[0]
    if not region.startswith("arn:aws:eks:") or not clusters:
        yield region
        return
    for cluster in clusters:
        yield cluster if kind == "cluster" else f"{cluster.replace(':cluster/', f':{kind}/')}/*"


def abilities(estate: Estate) -> list[Able]:
    """Return what all who may ask are able to do."""
    return [
        Able(rights, named(grant.statement for grant in rights.grants if grant.statement.effect is Effect.ALLOW))
        for rights in estate.askers()
    ]
