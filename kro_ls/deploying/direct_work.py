"""The work of a direct deployment: level by level on live objects, with a rollback if it fails."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from kro_ls.analysis.names.longest_chains import creation_passes
from kro_ls.deploying.course import Course, is_done
from kro_ls.deploying.deletion_waves import delete_entries
from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind, Placed, Result
from kro_ls.deploying.failure_causes import WarningEvents, final_trouble, why_not_ready
from kro_ls.deploying.inventory import Entry, Inventory
from kro_ls.deploying.live_objects import Applying, LiveObjects
from kro_ls.deploying.own_fields import own_fields
from kro_ls.deploying.target import inner_target
from kro_ls.openapi.json_values import as_text
from kro_ls.runtime.passes.reasons import short_reason
from kro_ls.runtime.passes.reconciliation import Reconciliation
from kro_ls.runtime.passes.results import NodeState, outcome_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.results import NodeResult, Pass


class Manner(Protocol):
    """The options of a deployment; see `Direct`."""

    manager: str
    force: bool
    adopt: bool
    parallel: int
    poll: float
    settle: float

    def unready(self, node: CompiledNode, objects: Sequence[JsonObject]) -> str:
        """Return why the objects of a node are not ready yet."""

    def prepare(self, node: str, value: JsonObject) -> JsonObject:
        """Return what is applied for an object of a node."""


class DirectWork:
    """The deployment of one instance, which may contain instances of other definitions."""

    def __init__(self, manner: Manner, api: ClusterApi, target: Target, course: Course) -> None:
        self._manner = manner
        self._api = api
        self.target = target
        self.course = course
        self._graph = course.log.watched(target.graph)
        external = {each.id for each in self._graph.nodes if each.is_external}
        self._levels = creation_passes(target.rgd.graph, external)
        self.inventory = Inventory(api, target.instance, manner.manager)
        self._previous: tuple[Entry, ...] = ()
        self._declared = {each.named: each for each in target.used}
        self._inner: list[DirectWork] = []
        self._pool = ThreadPoolExecutor(manner.parallel)
        applying = Applying(manner.manager, manner.force, manner.adopt)
        self._live = LiveObjects(
            api,
            self.inventory,
            self._graph.nodes,
            self._levels,
            self._pool,
            applying,
            manner.prepare,
            {each.id for each in self._graph.nodes if not each.is_external and _named(each.template) in self._declared},
        )
        self._reported = 0

    @property
    def is_new(self) -> bool:
        """Whether the instance was not deployed previously."""
        return not self._previous

    def deployed(self) -> Iterator[Event]:
        """Yield what happens until all is ready, and set the result. Raises DeploymentError."""
        try:
            self._previous = self.inventory.read().entries
            self._warnings = WarningEvents(self._api, {self.target.namespace or "default"})
            last = max(self._levels.values(), default=1)
            for level in range(1, last):
                with self.course.phase(f"level {level}"):
                    yield from self._settled(self._up_to(level))
            with self.course.phase(f"level {last}"):
                result = yield from self._settled(self._graph)
            with self.course.phase("pruning"):
                yield from self._prune()
            self.course.result = self._result(result)
            yield self.course.event(EventKind.READY, value=self.target.name)
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _up_to(self, level: int) -> CompiledGraph:
        """Return the graph of the nodes up to a level, without the status."""
        nodes = tuple(each for each in self._graph.nodes if self._levels[each.id] <= level)
        return replace(self._graph, nodes=nodes, status=(), conditions=())

    def _settled(self, graph: CompiledGraph) -> Generator[Event, None, Pass]:
        """Run passes until the nodes of a graph are ready, and return the last one."""
        reconciliation = Reconciliation(graph, self.target.instance, self._live, unready=self._manner.unready)
        result = yield from self._passed(reconciliation, None)
        ready_since: float | None = None
        while True:
            open_ = [each for each in result.nodes if not is_done(each)]
            changed = yield from self._deployed_inside()
            if changed:
                result = yield from self._passed(reconciliation, changed)
            elif not open_:
                ready_since = self.course.seconds if ready_since is None else ready_since
                changed = self._live.refresh(each.id for each in graph.nodes)
                if not changed and self._is_complete(result, ready_since):
                    return result
                result = yield from self._refreshed(reconciliation, result, changed, open_)
            else:
                self._check(open_)
                yield from self._warned()
                changed = self._live.refresh(_concerned(graph, open_))
                result = yield from self._refreshed(reconciliation, result, changed, open_)

    def _refreshed(
        self, reconciliation: Reconciliation, result: Pass, changed: set[str], open_: list[NodeResult]
    ) -> Generator[Event, None, Pass]:
        """Run a pass where something has changed, else wait, and return the last pass."""
        if changed:
            return (yield from self._passed(reconciliation, changed))
        if self.course.is_late:
            self._give_up(open_)
        self.course.pause(self._manner.poll)
        return result

    def _is_complete(self, result: Pass, ready_since: float) -> bool:
        """Whether all fields of the status are computed, or the wait for them is over."""
        awaited = any(not each.reads_left_out for each in result.missing_fields)
        return not awaited or self.course.seconds - ready_since > self._manner.settle

    def _passed(self, reconciliation: Reconciliation, changed: Iterable[str] | None) -> Generator[Event, None, Pass]:
        """Run a pass, yield its events, and return it."""
        failure: DeploymentError | None = None
        result: Pass | None = None
        try:
            result = reconciliation.run_pass(changed)
        except DeploymentError as error:
            failure = error
        applied, self._reported = self._live.applied[self._reported :], len(self._live.applied)
        for each in applied:
            yield self.course.event(each.kind, each.node, each.after)
        if failure is not None or result is None:
            raise failure or DeploymentError("the pass has no result")
        yield from self.course.news_of(result.nodes, len(self._graph.nodes))
        for node in result.nodes:
            if node.state is NodeState.ERROR or node.unready_is_error:
                raise DeploymentError(f"{node.id}: {short_reason(node)}")
        if result.status_error is not None and all(map(is_done, result.nodes)):
            raise DeploymentError(f"the status cannot be evaluated: {result.status_error.text}")
        return result

    def _check(self, open_: list[NodeResult]) -> None:
        """Raise DeploymentError where a node will never be ready, or the time is up."""
        for each in open_:
            trouble = final_trouble(each.observed or ())
            if trouble:
                raise DeploymentError(f"{each.id}: {trouble}")
        if self.course.is_late:
            self._give_up(open_)

    def _give_up(self, open_: list[NodeResult]) -> None:
        reasons = why_not_ready(self._api, self.target, self._live, open_)
        raise DeploymentError(f"not ready after {self.course.timeout:g} seconds: {reasons}")

    def _warned(self) -> Iterator[Event]:
        for node, value, text in self._warnings.new(self._live.objects()):
            yield self.course.event(EventKind.WARNING, node, value, text)

    def _prune(self) -> Iterator[Event]:
        """Delete what previous deployments of the instance created and this one did not."""
        wanted = self._live.entries()
        keys = {each.key for each in wanted}
        stale = [each for each in self.inventory.entries if each.key not in keys]
        yield from self._deleted(stale)
        self.inventory.save(wanted)

    def _result(self, result: Pass) -> Result:
        outcome = outcome_of(result.nodes, {each.id: each for each in self._graph.nodes})
        own = result.conditions.conditions or outcome.conditions
        return Result(
            status={name: each for name, each in result.status.items() if name not in ("state", "conditions")},
            state=outcome.state.value,
            conditions=tuple({name: text for name, text in each.fields.items() if text} for each in own),
            objects=tuple(Placed(node, value) for node, value in self._live.objects()),
        )

    def rolled_back(self) -> Iterator[Event]:
        """Delete created objects and restore updated ones, the last first. Raises DeploymentError."""
        for inner in reversed(self._inner):
            if not inner.is_new:
                yield from inner.rolled_back()
        created = {Entry.of(each.after, each.node, 0).key for each in self._live.applied if each.before is None}
        created |= {Entry.of(inner.target.instance, "", 0).key for inner in self._inner if inner.is_new}
        for each in reversed(self._live.applied):
            if each.kind is EventKind.UPDATED and Entry.of(each.after, each.node, 0).key not in created:
                self._api.apply(own_fields(each.before or {}, self._manner.manager), self._manner.manager, force=True)
                yield self.course.event(EventKind.RESTORED, each.node, each.before)
        yield from self._deleted(each for each in self.inventory.entries if each.key in created)
        if self._previous:
            self.inventory.save(self._previous)
        elif self.inventory.exists:
            self.inventory.remove()

    def deleted(self) -> Iterator[Event]:
        """Delete all that the inventory lists, the last first. Raises DeploymentError."""
        self._pool.shutdown()
        if not self.inventory.read().exists:
            raise DeploymentError(f"{self.target.name} is not deployed in {self.target.namespace or 'the cluster'}")
        yield from self._deleted(self.inventory.entries)
        self.inventory.remove()

    def _deleted(self, entries: Iterable[Entry]) -> Iterator[Event]:
        yield from delete_entries(
            self._api, self.inventory, entries, self.course, self._manner.poll, self._deleted_inside
        )

    def _deployed_inside(self) -> Generator[Event, None, set[str]]:
        """Deploy the instances of other definitions that a pass wanted, and return their nodes."""
        wanted, self._live.inside = self._live.inside, {}
        for id_, objects in wanted.items():
            values = []
            for each in objects:
                course = Course(self.course.timeout - self.course.seconds, self.course.log)
                inner = self._work_of(each, course)
                self._inner.append(inner)
                yield from self._placed(id_, inner.deployed())
                found = inner.course.result
                conditions: list[JsonValue] = [*found.conditions]
                status: JsonObject = {**found.status, "state": found.state, "conditions": conditions}
                values.append({**inner.target.instance, "status": status})
            self._live.put(id_, values)
        return set(wanted)

    def _deleted_inside(self, entry: Entry) -> Iterator[Event] | None:
        """Return what deletes the instance of another definition; None for any other object."""
        if (entry.api_version, entry.kind) not in self._declared:
            return None
        inner = self._work_of(entry.reference, self.course)
        return self._placed(entry.node, inner.deleted()) if inner.inventory.read().exists else iter(())

    def _work_of(self, instance: JsonObject, course: Course) -> DirectWork:
        declared = self._declared[_named(instance)]
        target = inner_target(self.target, declared, instance)
        return DirectWork(self._manner, self._api, target, course)

    def _placed(self, id_: str, events: Iterator[Event]) -> Iterator[Event]:
        """Yield events of an instance inside, under the node that it is of."""
        for event in events:
            node = "/".join(filter(None, (id_, event.node)))
            yield replace(event, node=node, progress=self.course.progress, seconds=round(self.course.seconds, 3))


def _named(value: JsonObject) -> tuple[str, str]:
    return as_text(value.get("apiVersion")), as_text(value.get("kind"))


def _concerned(graph: CompiledGraph, open_: list[NodeResult]) -> set[str]:
    """Return the nodes whose objects decide how open ones go on: their own, and those that they read."""
    names = {each.id for each in open_}
    return names | {name for each in graph.nodes if each.id in names for name in each.dependencies}
