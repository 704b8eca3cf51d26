"""The people and groups of identity stores, as nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_identity_center import Assignee, Instance, Membership, StoreGroup, StoreUser
from partywall.model.node import Kind, Node


@dataclass(frozen=True, slots=True)
class Member:
    """A person is in a group."""

    person: Node
    group: Node
    at: Evidence


@dataclass(frozen=True, slots=True)
class People:
    """Nodes by id. A group that tenancy files name by its id keeps the id as its name, so that claim and node meet."""

    users: Mapping[str, StoreUser]
    groups: Mapping[str, StoreGroup]
    named: Mapping[tuple[Kind, str], Node]
    store: str

    def node(self, assignee: Assignee, identity: str) -> Node:
        """Return the node of a user's or group's id."""
        kind = Kind.PERSON if assignee is Assignee.USER else Kind.IDENTITY_GROUP
        known = self.users.get(identity) if assignee is Assignee.USER else self.groups.get(identity)
        for name in (identity, known.name if known else ""):
            if name and (kind, name) in self.named:
                return self.named[kind, name]
        return Node(kind, known.store if known else self.store, (known.name if known else "") or identity)

    def place(self, assignee: Assignee, identity: str) -> tuple[Evidence, ...]:
        """Return where a user or group is described."""
        known = self.users.get(identity) if assignee is Assignee.USER else self.groups.get(identity)
        return (known.at,) if known else ()


def people(facts: Facts) -> People:
    """Join the identity stores of the input."""
    users = {user.id: user for user in facts.of(StoreUser)}
    groups = {group.id: group for group in facts.of(StoreGroup)}
    named: dict[tuple[Kind, str], Node] = {
        (fact.node.kind, fact.node.name): fact.node for fact in facts.of(Named) if fact.node.kind in (Kind.PERSON, Kind.IDENTITY_GROUP)
    }
    stores = sorted(
        {instance.store for instance in facts.of(Instance)}
        | {user.store for user in users.values()}
        | {group.store for group in groups.values()}
    )
    return People(users, groups, named, stores[0] if len(stores) == 1 else "")


def members(facts: Facts) -> Iterator[Member]:
    """Yield who is in which group of the identity stores."""
    known = people(facts)
    for membership in facts.of(Membership):
        person, group = known.node(Assignee.USER, membership.user_id), known.node(Assignee.GROUP, membership.group_id)
        yield Member(person, group, membership.at)
