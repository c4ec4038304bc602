"""A simulated cluster: it stores what kro applies, and its controllers act between the passes.

It is deterministic: uids are derived from names, and everything happens at one fixed time.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.runtime.apiserver.storing import stored, with_metadata
from kro_ls.runtime.cluster.refused_objects import FIELD, Namespaces, ObjectRefusals
from kro_ls.runtime.controllers.behaviours import settle, together
from kro_ls.runtime.nodes.node_objects import identity, merge, metadata_text
from kro_ls.runtime.passes.reconciliation import Cluster
from kro_ls.runtime.passes.results import outcome_of
from kro_ls.runtime.values.graph_demands import graph_demands
from kro_ls.runtime.values.maker import completed
from kro_ls.runtime.values.names import subject_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kro_ls.kro.conversion import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.cluster.scenario import Observed, Scenario
    from kro_ls.runtime.controllers.behaviours import Together
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.metadata import Ownership
    from kro_ls.runtime.passes.results import NodeResult, Outcome
    from kro_ls.runtime.values.demands import Demand

Placed = tuple[str, "JsonObject"]
"""An object with the id of its node."""


class SimulatedCluster(Cluster):
    """The objects of one instance and its external references."""

    def __init__(self, graph: CompiledGraph, scenario: Scenario, ownership: Ownership, instance: JsonObject) -> None:
        self._nodes = {node.id: node for node in graph.nodes}
        self._order = {node.id: place for place, node in enumerate(graph.nodes)}
        self._demands = graph_demands(graph)
        self._scenario = scenario
        self._ownership = ownership
        self._objects: dict[str, JsonObject] = {}
        self._applied: dict[str, tuple[str, int, JsonObject]] = {}
        """The objects that were applied last, by identity: the node, the place among its objects, and the object."""
        self._claims: dict[str, dict[str, JsonObject]] = {}
        """By identity the nodes that want an object, each with what it wants."""
        self._wanted: dict[str, list[str]] = {}
        self._contested: dict[str, None] = {}
        self._dependent: dict[str, Together] = {}
        """By identity what settles the objects whose status depends on others."""
        self._external: dict[str, list[JsonObject] | None] = {}
        self._former_external: dict[str, JsonObject] = {}
        self._inherited: dict[str, int] = {}
        """By identity the objects that were there before and that no node has found yet, each with its place."""
        self._refusals = ObjectRefusals(scenario, instance, self._nodes)
        self._namespaces = Namespaces(scenario.namespaces, instance)
        self._refused: dict[str, dict[int, Refusal]] = {}
        """By node the refused objects among its own, by their places."""
        self.begin()

    def inherit(self, objects: Iterable[Placed], applied: Iterable[Placed], external: Iterable[JsonObject]) -> None:
        """Start with the objects that another definition of the kind made, and with external ones that exist.

        `applied` are the objects as kro applied them. The controllers write what the new expressions read of an object
        when its node finds it.
        """
        counts: Counter[str] = Counter()
        for id_, desired in applied:
            key = identity(desired)
            self._applied[key] = id_, counts[id_], desired
            self._inherited[key] = counts[id_]
            counts[id_] += 1
        # What is observed may have another name than kro gave it, as where that is random.
        self._objects |= {key: value for _, value in objects if (key := identity(value)) in self._applied}
        self._former_external = {identity(value): value for value in external}

    def begin(self) -> None:
        """Start a pass."""
        self.created: list[Placed] = []
        """The objects that the pass created, in order."""
        self.updated: list[Placed] = []
        self.deleted: list[Placed] = []

    @property
    def is_changed(self) -> bool:
        """Whether the pass changed any object."""
        return bool(self.created or self.updated or self.deleted)

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects."""
        if node.is_external:
            key = f"{node.id} {identity(desired[0])}"
            if key not in self._external:
                self._external[key] = external_objects(
                    node,
                    desired,
                    self._scenario.observed.get(node.id),
                    self._demands[node.id],
                    self._former_external.get(identity(desired[0])),
                )
            return self._external[key]
        if self._inherited:
            self._adopt(node, desired)
        found = [self._objects[key] for key in map(identity, desired) if key in self._objects]
        return found or ([] if node.is_list else None)

    def _adopt(self, node: CompiledNode, desired: list[JsonObject]) -> None:
        for key in map(identity, desired):
            place = self._inherited.pop(key, None)
            if place is not None and key in self._objects:
                self._objects[key] = self._settled(node, place, self._objects[key])

    def apply(self, desired: Mapping[str, list[JsonObject]], *, prune: bool) -> Mapping[str, list[JsonObject]] | None:
        """Create missing objects, update those that differ, and delete those that no node wants."""
        managed = {id_: objects for id_, objects in desired.items() if not self._nodes[id_].is_external}
        for id_, objects in managed.items():
            self._claim(id_, objects)
        if self._contested:
            return None
        applied = {id_: self._apply_objects(id_, objects) for id_, objects in managed.items()}
        if prune and not self._refused:
            self._prune()
        return {id_: objects for id_, objects in applied.items() if objects}

    def _claim(self, id_: str, objects: list[JsonObject]) -> None:
        before, wanted = self._wanted.get(id_, ()), [identity(each) for each in objects]
        for key in before:
            self._claims[key].pop(id_, None)
        self._wanted[id_] = wanted
        for key, each in zip(wanted, objects, strict=True):
            self._claims.setdefault(key, {})[id_] = each
        for key in (*before, *wanted):
            if len(self._claims[key]) > 1:
                self._contested[key] = None
            else:
                self._contested.pop(key, None)

    def contests(self) -> Mapping[str, str]:
        """Return the nodes that want the same object, each with another one, the later one first."""
        found: dict[str, str] = {}
        for key in self._contested:
            first, *others = sorted(self._claims[key], key=lambda id_: self._order[id_])
            found |= {other: first for other in others if other not in found}
            found.setdefault(first, others[0])
        return found

    def refusals(self) -> Mapping[str, tuple[int, Refusal]]:
        """Return the nodes of which the API server refuses an object: the first, and its place among them."""
        return {id_: next(iter(found.items())) for id_, found in self._refused.items()}

    def all_refusals(self) -> tuple[tuple[str, int, Refusal], ...]:
        """Return the nodes and places of all objects that the API server refuses."""
        return tuple((id_, index, each) for id_, found in self._refused.items() for index, each in found.items())

    def _apply_objects(self, id_: str, objects: list[JsonObject]) -> list[JsonObject]:
        self._refused.pop(id_, None)
        found = (self._apply_object(id_, index, each, len(objects)) for index, each in enumerate(objects))
        return [each for each in found if each is not None]

    def _apply_object(self, id_: str, index: int, desired: JsonObject, size: int) -> JsonObject | None:
        """Return an object as it is in the cluster; None where there is none, for the API server refused it."""
        key = identity(desired)
        before = self._objects.get(key)
        if before is not None and self._applied[key][2] == desired:
            self._applied[key] = id_, index, desired
            return before
        managed = self._ownership.managed(id_, desired, size)
        former = self._applied[key][2] if before is not None else None
        node = self._nodes[id_]
        refused = self._refused_namespace(node, desired) if before is None else None
        refused = refused or self._refusals.of(node, managed, former)
        if refused is not None:
            self._refused.setdefault(id_, {})[index] = refused
            return before
        value = stored(managed, self._nodes[id_].kind, before)
        (self.created if before is None else self.updated).append((id_, value))
        self._applied[key] = id_, index, desired
        self._objects[key] = value
        if (settles := together(value)) is not None:
            self._dependent[key] = settles
        return value

    def _refused_namespace(self, node: CompiledNode, desired: JsonObject) -> Refusal | None:
        if not node.is_namespaced:
            return None
        is_known = self._refusals.is_known(node, FIELD, as_is=True)
        return self._namespaces.refusal(desired, self._objects, self._claims, is_known=is_known)

    def _prune(self) -> None:
        unwanted = [key for key in self._objects if not self._claims.get(key)]
        for key in sorted(unwanted, key=lambda key: -self._place(self._applied[key][0])):
            self.deleted.append((self._applied.pop(key)[0], self._objects.pop(key)))

    def settle(self) -> set[str]:
        """Let the controllers act on what the pass created or updated; returns the nodes whose objects changed."""
        changed = {id_ for id_, _ in (*self.created, *self.updated, *self.deleted)}
        for _, value in (*self.created, *self.updated):
            key = identity(value)
            if key in self._objects:
                id_, index, _ = self._applied[key]
                self._objects[key] = self._settled(self._nodes[id_], index, value)
        if any(value.get("kind") == "Namespace" for _, value in self.created):
            changed |= self._refused.keys()  # kro tries them again, and they may have waited for it
        return {id_ for id_ in changed | self._settle_together() if id_ in self._nodes}

    def _settle_together(self) -> set[str]:
        """Settle what depends on other objects; returns the nodes whose objects changed."""
        changed = set()
        for key, settles in self._dependent.items():
            id_ = self._applied[key][0] if key in self._objects else ""
            if not id_ or id_ in self._scenario.held or id_ in self._scenario.observed:
                continue
            before = self._objects[key]
            self._objects[key] = settles(before, self._objects.values())
            if self._objects[key] != before:
                changed.add(id_)
        return changed

    def objects(self) -> list[Placed]:
        """Return the objects that kro created and that are still there."""
        return [(self._applied[key][0], value) for key, value in self._objects.items()]

    def applied(self) -> list[Placed]:
        """Return the objects that are still there as kro applied them, in topological order."""
        return [
            (id_, value)
            for id_, _, value in sorted(self._applied.values(), key=lambda each: (self._place(each[0]), each[1]))
        ]

    def _place(self, id_: str) -> int:
        """Return the place of a node in the order; nodes of an older definition come last."""
        return self._order.get(id_, len(self._order))

    def _settled(self, node: CompiledNode, index: int, value: JsonObject) -> JsonObject:
        return settled_in(self._scenario, node.id, node, index, value, self._demands[node.id])

    def outcome(self, nodes: Sequence[NodeResult]) -> Outcome:
        """Return what kro reports after the pass."""
        conflict = ""
        contests = self.contests()
        if contests:
            id_, other = next(iter(contests.items()))
            conflict = f"found resources with conflicts: resourceID: {id_} conflicts with resourceID: {other}"
        return outcome_of(nodes, self._nodes, conflict=conflict, mutated=self.is_changed)

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return kro's own conditions."""
        return self.outcome(nodes).conditions


def settled_in(
    scenario: Scenario, path: str, node: CompiledNode, index: int, value: JsonObject, demand: Demand
) -> JsonObject:
    """Return an object of a node after its controllers acted, or as the scenario gives or holds it."""
    given = scenario.observed.get(path)
    if given is not None:
        changed: JsonObject = merge(value, given.of(index) or {})
        return changed
    return value if path in scenario.held else settle(value, node.kind, demand)


def external_objects(
    node: CompiledNode,
    desired: list[JsonObject],
    given: Observed | None,
    demand: Demand,
    former: JsonObject | None = None,
) -> list[JsonObject] | None:
    """Return the objects that an external reference finds: the given ones, otherwise ones that fit the demand.

    `former` is what an expression has seen of the object before.
    """
    template = _found_by(node, desired)
    if given is not None:
        objects = [with_metadata(merge(template, each)) for each in given.objects]
        return objects or ([] if node.is_list else None)
    value = settle(former or stored(template, node.kind), node.kind, demand)
    names = [name for name in demand.fields if name not in ("apiVersion", "kind")]
    schema = Schema(node.kind.schema) if node.kind else None
    return [completed(value, demand, schema, names, subject_of(value))]


def _found_by(node: CompiledNode, desired: list[JsonObject]) -> JsonObject:
    """Return the least that an object must have to be what an external reference finds."""
    reference = desired[0]
    if not node.is_list:
        return reference
    metadata = as_object(reference.get("metadata"))
    labels = as_object(as_object(metadata.get("selector")).get("matchLabels"))
    named: JsonObject = {"name": f"{node.id.lower()}-1", "labels": labels}
    if node.is_namespaced:
        named["namespace"] = metadata_text(reference, "namespace") or "default"
    return {**reference, "metadata": named}
