"""Who comes in as whom: access entries and the rows of `aws-auth`, in the order in which EKS asks them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from partywall.model.edge import Certainty, Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AuthenticationMode, EksCluster, MappedPrincipal
from partywall.resolve.eks.principals import Principals, stable
from partywall.resolve.twins import distinct


@dataclass(frozen=True, slots=True)
class Door:
    """A principal comes in with a user name and groups. `because` shows each group's place, or the door itself where there is none."""

    cluster: str
    principal: str
    username: str
    groups: tuple[str, ...]
    type: str
    at: Evidence
    places: tuple[Evidence, ...]
    copies: tuple[AccessEntry, ...] | tuple[MappedPrincipal, ...]
    certainty: Certainty = Certainty.SURE

    def place(self, number: int) -> Evidence:
        """Return where a group is written."""
        return self.places[number] if number < len(self.places) else self.at

    def lever(self, number: int | None) -> Lever:
        """Return what takes one group, or the whole door, away."""
        source = self.copies[0]
        kind, word = ("AccessEntry", "the access entry") if isinstance(source, AccessEntry) else ("aws-auth", "the aws-auth row")
        if number is None:
            text = f"delete {word} of {self.principal}"
            return Lever(Move.REMOVE, kind, self.cluster, stable(self.principal), (self.at,), text, change=Change(self.copies))
        group = self.groups[number]
        rest = replace(source, groups=tuple(name for index, name in enumerate(self.groups) if index != number))
        if isinstance(rest, AccessEntry):
            rest = replace(rest, places=tuple(at for index, at in enumerate(self.places) if index != number))
        text = f"take group {group} out of {word} of {self.principal}"
        return Lever(
            Move.REMOVE,
            kind,
            self.cluster,
            f"{stable(self.principal)} {group}",
            (self.place(number),),
            text,
            change=Change(self.copies, (rest,)),
        )


def doors(facts: Facts, principals: Principals) -> Iterator[Door]:
    """Yield the doors that count. In mixed mode the access entry wins over the row of the same principal."""
    clusters = {cluster.cluster: cluster for cluster in facts.of(EksCluster)}
    entered: dict[tuple[str, str], None] = {}
    for entry, entries in distinct(facts.of(AccessEntry), lambda one: (one.cluster, one.principal, one.username, one.groups)):
        if _mode(clusters, entry.cluster) is AuthenticationMode.CONFIG_MAP:
            continue
        entered[entry.cluster, principals.canonical(entry.principal)] = None
        yield Door(entry.cluster, entry.principal, entry.username, entry.groups, entry.type, entry.at, entry.places, entries)
    for name in facts.of(AccessEntryName):
        entered[name.cluster, principals.canonical(name.principal)] = None
    with_entries = {cluster for cluster, _ in entered}
    for row, rows in distinct(facts.of(MappedPrincipal), lambda one: (one.cluster, one.principal, one.username, one.groups)):
        arn = principals.canonical(row.principal)
        mode = _mode(clusters, row.cluster)
        if row.account or mode is AuthenticationMode.API or ((row.cluster, arn) in entered and mode is not AuthenticationMode.CONFIG_MAP):
            continue
        # Without describe-cluster, entries say that the API mode is on and leave open whether the ConfigMap still counts.
        certainty = Certainty.UNKNOWN if mode is None and row.cluster in with_entries else Certainty.SURE
        yield Door(row.cluster, arn, row.username, row.groups, "STANDARD", row.at, (), rows, certainty)


def _mode(clusters: Mapping[str, EksCluster], cluster: str) -> AuthenticationMode | None:
    found = clusters.get(cluster)
    return found.mode if found else None
