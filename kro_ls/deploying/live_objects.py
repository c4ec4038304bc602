"""The objects of a direct deployment: applied, found and read again in a real cluster, as kro's passes need them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.deploying.cluster_api import external_objects
from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind
from kro_ls.deploying.inventory import Entry, owner_of
from kro_ls.deploying.own_fields import own_fields
from kro_ls.openapi.json_values import as_text
from kro_ls.runtime.nodes.node_objects import identity
from kro_ls.runtime.passes.metadata import unmanaged
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.runtime.passes.reconciliation import Cluster
from kro_ls.runtime.passes.results import outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from concurrent.futures import ThreadPoolExecutor

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.inventory import Inventory
    from kro_ls.kro.conversion import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.passes.results import NodeResult

_TRIES: Final = 20
_PAUSE: Final = 0.25


class Applying(Struct, frozen=True):
    """How objects are applied: as which field manager, whether over conflicts, and whether over what others made."""

    manager: str
    force: bool = False
    adopt: bool = False


class Applied(Struct, frozen=True):
    """An object that was applied: its node, its previous version if it existed, and the new one."""

    node: str
    before: JsonObject | None
    after: JsonObject
    manager: str

    @property
    def kind(self) -> EventKind:
        """What has become of the object."""
        return became(self.before, self.after, self.manager)


def became(before: JsonObject | None, after: JsonObject, manager: str) -> EventKind:
    """Return what a field manager has made of an object, whatever others write at the same time."""
    if before is None:
        return EventKind.CREATED
    is_same = own_fields(before, manager) == own_fields(after, manager)
    return EventKind.UNCHANGED if is_same else EventKind.UPDATED


class LiveObjects(Cluster):
    """A cluster as a pass sees it. It has no refusals: what the API server refuses is raised."""

    def __init__(
        self,
        api: ClusterApi,
        inventory: Inventory,
        nodes: Sequence[CompiledNode],
        levels: Mapping[str, int],
        pool: ThreadPoolExecutor,
        applying: Applying,
        prepare: Callable[[str, JsonObject], JsonObject],
        inside: AbstractSet[str] = frozenset(),
    ) -> None:
        """The nodes `inside` are instances of other definitions, which another DirectWork deploys."""
        self.inside: dict[str, list[JsonObject]] = {}
        """The instances that are wanted of these nodes, until the caller takes them; see `put`."""
        self.applied: list[Applied] = []
        """What was applied, in order."""
        self._api = api
        self._inventory = inventory
        self._nodes = {each.id: each for each in nodes}
        self._levels = levels
        self._pool = pool
        self._applying = applying
        self._prepare = prepare
        self._instances = inside
        self._wanted: dict[str, list[JsonObject]] = {}
        self._live: dict[str, list[JsonObject]] = {}
        self._read: dict[str, tuple[list[JsonObject], list[JsonObject] | None]] = {}
        """What was asked for each external reference, and what was found."""
        self._contests: dict[str, str] = {}

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects, None where nothing was found. Raises DeploymentError."""
        if not node.is_external:
            return self._live.get(node.id)
        asked, found = self._read.get(node.id, (None, None))
        if asked != desired:
            found = external_objects(self._api, node, desired[0])
            self._read[node.id] = desired, found
        return found

    def apply(
        self,
        desired: Mapping[str, list[JsonObject]],
        *,
        prune: bool,  # noqa: ARG002 (as a pass asks)
    ) -> Mapping[str, list[JsonObject]] | None:
        """Apply what has changed since it was applied last, all at once; unwanted objects are deleted later.

        Raises DeploymentError; `applied` has the objects applied until then.
        """
        wanted = {**self._wanted, **{id_: each for id_, each in desired.items() if not self._nodes[id_].is_external}}
        self._contests = _contested(wanted)
        if self._contests:
            return None
        changed = {id_: each for id_, each in wanted.items() if self._wanted.get(id_) != each or id_ not in self._live}
        self._inventory.add(Entry.of(each, id_, self._levels[id_]) for id_, found in changed.items() for each in found)
        self._wanted = wanted
        self.inside |= {id_: found for id_, found in changed.items() if id_ in self._instances}
        futures = {
            id_: [self._pool.submit(self._apply_one, id_, each) for each in objects]
            for id_, objects in changed.items()
            if id_ not in self._instances
        }
        problems: list[DeploymentError] = []
        observed: dict[str, list[JsonObject]] = {}
        for id_, found in futures.items():
            observed[id_] = []
            for future in found:
                try:
                    applied = future.result()
                except DeploymentError as error:
                    problems.append(error)
                    continue
                self.applied.append(applied)
                observed[id_].append(applied.after)
        if problems:
            raise DeploymentError("\n".join(dict.fromkeys(map(str, problems))))
        self._live |= observed
        return observed

    def put(self, id_: str, instances: list[JsonObject]) -> None:
        """Take the instances of a node `inside` as they are now."""
        self._live[id_] = instances

    def _apply_one(self, node: str, desired: JsonObject) -> Applied:
        self._await_kind(desired)
        before = self._api.find(desired)
        if before is not None and not self._inventory.owns(before):
            self._check_foreign(before)
        value = self._inventory.marked(self._prepare(node, unmanaged(desired)))
        manager = self._applying.manager
        return Applied(node, before, self._api.apply(value, manager, force=self._applying.force), manager)

    def _await_kind(self, value: JsonObject) -> None:
        """Wait a little until a kind is served that the definition itself brings."""
        if any(each.template.get("kind") == "CustomResourceDefinition" for each in self._nodes.values()):
            named = as_text(value.get("apiVersion")), as_text(value.get("kind"))
            for _ in range(_TRIES):
                if self._api.kind(*named) is not None:
                    return
                time.sleep(_PAUSE)

    def _check_foreign(self, value: JsonObject) -> None:
        """Raise DeploymentError where an object belongs to others."""
        owner = owner_of(value)
        if owner:
            text = f"{object_name(value)} belongs to another deployment (ApplySet {owner})"
            raise DeploymentError(f"{text}; let the template's name depend on the instance")
        if not self._applying.adopt:
            text = f"{object_name(value)} exists already, and this deployment has not made it"
            raise DeploymentError(f"{text}; choose another name, or take it over with adopt=True")

    def contests(self) -> Mapping[str, str]:
        """Return the nodes that want the same object, each with another one."""
        return self._contests

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return kro's own conditions after a pass."""
        return outcome_of(nodes, self._nodes).conditions

    def refresh(self, ids: Iterable[str]) -> set[str]:
        """Read the objects of nodes again, and return the nodes whose objects changed. Raises DeploymentError."""
        read = {id_: self._pool.submit(self._now, id_) for id_ in ids}
        changed = set()
        for id_, future in read.items():
            objects = future.result()
            node = self._nodes[id_]
            if node.is_external:
                if id_ in self._read and self._read[id_][1] != objects:
                    self._read[id_] = self._read[id_][0], objects
                    changed.add(id_)
            elif id_ in self._live and self._live[id_] != objects:
                if len(objects or ()) < len(self._live[id_]):  # an object was deleted: create it again
                    del self._live[id_]
                else:
                    self._live[id_] = objects or []
                changed.add(id_)
        return changed

    def _now(self, id_: str) -> list[JsonObject] | None:
        node = self._nodes[id_]
        if node.is_external:
            return external_objects(self._api, node, self._read[id_][0][0]) if id_ in self._read else None
        if id_ in self._instances:
            return self._live.get(id_)
        found = (self._api.find(each) for each in self._live.get(id_, ()))
        return [each for each in found if each is not None]

    def entries(self) -> list[Entry]:
        """Return what is wanted, for the inventory."""
        return [Entry.of(each, id_, self._levels[id_]) for id_, found in self._wanted.items() for each in found]

    def objects(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield the objects that were made, each with its node, in topological order."""
        return ((id_, each) for id_ in self._nodes for each in self._live.get(id_, ()))

    def external(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield what external references found, each with its node."""
        return ((id_, each) for id_, (_, found) in self._read.items() for each in found or ())


def _contested(wanted: Mapping[str, list[JsonObject]]) -> dict[str, str]:
    first: dict[str, str] = {}
    contested: dict[str, str] = {}
    for id_, objects in wanted.items():
        for each in objects:
            other = first.setdefault(identity(each), id_)
            if other != id_:
                contested |= {id_: other, other: id_}
    return contested
