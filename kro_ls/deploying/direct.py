"""Deploys without kro: level by level, each when what it depends on is ready."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kro_ls.analysis.names.dependency_graph import creation_passes
from kro_ls.deploying.course import is_done
from kro_ls.deploying.deletion_waves import delete_entries
from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind, Placed, Result
from kro_ls.deploying.failure_causes import final_trouble, why_not_ready
from kro_ls.deploying.inventory import Entry, Inventory
from kro_ls.deploying.live_objects import Applying, LiveObjects
from kro_ls.deploying.live_readiness import unready_node
from kro_ls.deploying.own_fields import own_fields
from kro_ls.deploying.strategy import Strategy
from kro_ls.deploying.trial import try_objects
from kro_ls.deploying.warning_events import WarningEvents
from kro_ls.runtime.passes.outcome import outcome_of
from kro_ls.runtime.passes.reasons import short_reason
from kro_ls.runtime.passes.reconciliation import Reconciliation
from kro_ls.runtime.passes.results import NodeState

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.results import NodeResult, Pass

_WARNINGS_EVERY = 3
"""Rounds of waiting."""


class Direct(Strategy):
    """Needs no kro in the cluster: applies the objects itself, and evaluates the expressions on what is there.

    Within a level `parallel` objects are applied at once. An object that is there already and that no deployment of the
    instance has made is left alone, unless `adopt` takes it over. Fields of the status that are not there when all is
    ready are awaited for `settle` seconds.
    """

    def __init__(
        self, context: str = "", *, parallel: int = 8, adopt: bool = False, settle: float = 5.0, **options: Any
    ) -> None:
        super().__init__(context, **options)
        self.parallel = parallel
        self.adopt = adopt
        self.settle = settle

    def unready(self, node: CompiledNode, objects: Sequence[JsonObject]) -> str:
        """Return why the objects of a node are not ready yet; empty where they are, or `readyWhen` is to decide."""
        return unready_node(node, objects)

    def prepare(self, node: str, value: JsonObject) -> JsonObject:  # noqa: ARG002 (for subclasses)
        """Return what is applied for an object of a node; a subclass may add to it."""
        return value

    def deploying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Apply level after level."""
        work = _Work(self, api, target, course)
        course.undo = work.rolled_back
        try:
            yield from work.deployed()
        finally:
            work.pool.shutdown(cancel_futures=True)

    def deleting(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Delete what the inventory lists."""
        inventory = Inventory(api, target.instance, self.manager).read()
        if not inventory.exists:
            raise DeploymentError(f"{target.name} is not deployed in {target.namespace or 'the cluster'}")
        with course.phase("deletion"):
            yield from delete_entries(api, inventory, inventory.entries, course, self.poll)
            inventory.remove()

    def trying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Try each object that the preview makes."""
        with course.phase("dry run"):
            inventory = Inventory(api, target.instance, self.manager)
            applying = Applying(self.manager, self.force, self.adopt)
            yield from try_objects(
                api, target, course, applying, lambda node, value: inventory.marked(self.prepare(node, value))
            )


class _Work:
    """One deployment."""

    def __init__(self, strategy: Direct, api: ClusterApi, target: Target, course: Course) -> None:
        self._strategy = strategy
        self._api = api
        self._target = target
        self._course = course
        self._graph = course.log.watched(target.graph)
        external = {each.id for each in self._graph.nodes if each.is_external}
        self._levels = creation_passes(target.rgd.graph, external)
        self._inventory = Inventory(api, target.instance, strategy.manager)
        self._before: tuple[Entry, ...] = ()
        self.pool = ThreadPoolExecutor(strategy.parallel)
        applying = Applying(strategy.manager, strategy.force, strategy.adopt)
        self._live = LiveObjects(
            api, self._inventory, self._graph.nodes, self._levels, self.pool, applying, strategy.prepare
        )
        self._reported = 0
        self._rounds = 0

    def deployed(self) -> Iterator[Event]:
        """Yield what happens until all is ready, and set the result. Raises DeploymentError."""
        self._before = self._inventory.read().entries
        self._warnings = WarningEvents(self._api, {self._target.namespace or "default"})
        last = max(self._levels.values(), default=1)
        for level in range(1, last):
            with self._course.phase(f"level {level}"):
                yield from self._settled(self._up_to(level))
        with self._course.phase(f"level {last}"):
            result = yield from self._settled(self._graph)
        with self._course.phase("pruning"):
            yield from self._prune()
        self._course.result = self._result(result)
        yield self._course.event(EventKind.READY, value=self._target.name)

    def _up_to(self, level: int) -> CompiledGraph:
        """Return the graph of the nodes up to a level, without the status."""
        nodes = tuple(each for each in self._graph.nodes if self._levels[each.id] <= level)
        return replace(self._graph, nodes=nodes, status=(), conditions=())

    def _settled(self, graph: CompiledGraph) -> Generator[Event, None, Pass]:
        """Run passes until the nodes of a graph are ready, and return the last one."""
        reconciliation = Reconciliation(graph, self._target.instance, self._live, unready=self._strategy.unready)
        result = yield from self._passed(reconciliation, None)
        ready_since: float | None = None
        while True:
            open_ = [each for each in result.nodes if not is_done(each)]
            if not open_:
                ready_since = self._course.seconds if ready_since is None else ready_since
                changed = self._live.refresh(each.id for each in graph.nodes)
                if not changed and self._is_complete(result, ready_since):
                    return result
            else:
                self._check(open_)
                yield from self._warned()
                changed = self._live.refresh(_concerned(graph, open_))
            if changed:
                result = yield from self._passed(reconciliation, changed)
            else:
                self._wait(open_)

    def _is_complete(self, result: Pass, ready_since: float) -> bool:
        """Whether no field of the status is awaited any more."""
        awaited = any(not each.reads_left_out for each in result.missing_fields)
        return not awaited or self._course.seconds - ready_since > self._strategy.settle

    def _passed(self, reconciliation: Reconciliation, changed: Iterable[str] | None) -> Generator[Event, None, Pass]:
        """Run a pass, yield what has happened in it, and return it."""
        try:
            result = reconciliation.run_pass(changed)
        finally:
            applied, self._reported = self._live.applied[self._reported :], len(self._live.applied)
        for each in applied:
            yield self._course.event(each.kind, each.node, each.after)
        yield from self._course.news_of(result.nodes, len(self._graph.nodes))
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
        if self._course.is_late:
            self._give_up(open_)

    def _wait(self, open_: list[NodeResult]) -> None:
        if self._course.is_late:
            self._give_up(open_)
        self._course.pause(self._strategy.poll)

    def _give_up(self, open_: list[NodeResult]) -> None:
        told = why_not_ready(self._api, self._target, self._live, open_)
        raise DeploymentError(f"not ready after {self._course.timeout:g} seconds: {told}")

    def _warned(self) -> Iterator[Event]:
        self._rounds += 1
        if self._rounds % _WARNINGS_EVERY == 1:
            objects = {id(value): (node, value) for node, value in self._live.objects()}
            for value, text in self._warnings.new(value for _, value in objects.values()):
                yield self._course.event(EventKind.WARNING, objects[id(value)][0], value, text)

    def _prune(self) -> Iterator[Event]:
        """Delete what earlier deployments of the instance made and this one did not."""
        wanted = self._live.entries()
        keys = {each.key for each in wanted}
        stale = [each for each in self._before if each.key not in keys]
        yield from delete_entries(self._api, self._inventory, stale, self._course, self._strategy.poll)
        self._inventory.save(wanted)

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
        """Delete what was created, and make what was updated what it was, the last first. Raises DeploymentError."""
        created = {Entry.of(each.after, each.node, 0).key for each in self._live.applied if each.before is None}
        for each in reversed(self._live.applied):
            if each.before is not None and each.kind is EventKind.UPDATED:
                self._api.apply(own_fields(each.before, self._strategy.manager), self._strategy.manager, force=True)
                yield self._course.event(EventKind.RESTORED, each.node, each.before)
        made = [each for each in self._inventory.entries if each.key in created]
        yield from delete_entries(self._api, self._inventory, made, self._course, self._strategy.poll)
        if self._before:
            self._inventory.save(self._before)
        elif self._inventory.exists:
            self._inventory.remove()


def _concerned(graph: CompiledGraph, open_: list[NodeResult]) -> set[str]:
    """Return the nodes whose objects decide how open ones go on: their own, and those that they read."""
    names = {each.id for each in open_}
    return names | {name for each in graph.nodes if each.id in names for name in each.dependencies}
