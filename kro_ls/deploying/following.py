"""Follows an instance until kro reports that it is ready, and yields the events of its nodes meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from kro_ls.deploying.cluster_api import external_objects
from kro_ls.deploying.course import is_done
from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError
from kro_ls.deploying.deployment_events import EventKind, Placed, Result
from kro_ls.deploying.failure_causes import WarningEvents
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.causes.explaining import explain
from kro_ls.runtime.causes.given_objects import Objects, conditions_of, metadata_of, status_of
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.passes.reconciliation import Cluster, Reconciliation
from kro_ls.runtime.passes.results import outcome_of
from kro_ls.workspace.gathering.instance_objects import objects_around
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.live_objects import Applied
    from kro_ls.deploying.target import Target
    from kro_ls.kro.conversion import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.results import NodeResult, Pass


READY: Final = "Ready"
_KRO_STATUS: Final = ("state", "conditions")
_HEAD: Final = "resource reconciliation failed: "
_MUTATED: Final = "cluster mutated"


class Patience(Protocol):
    """How long an error may stay, how long to wait for fields of the status, and how often to poll, in seconds."""

    patience: float
    settle: float
    poll: float


class Following:
    """An instance that was applied, while kro works on it."""

    def __init__(self, patience: Patience, api: ClusterApi, target: Target, applied: Applied, course: Course) -> None:
        self._patience = patience
        self._api = api
        self._target = target
        self._course = course
        self._graph = course.log.watched(target.graph)
        self._is_new = applied.before is None
        self._instance = applied.after
        self._objects = KroObjects(api, self._graph, applied.after)
        self._warnings = WarningEvents(api, {target.namespace or "default"})
        self._seen: set[object] = set()
        self._ready_since: float | None = None
        self._error: tuple[str, float] = "", 0.0

    def until_ready(self) -> Iterator[Event]:
        """Yield what happens, and set the result. Raises DeploymentError where kro gives up, or the time is up."""
        # The readiness of nodes is computed from their objects, as kro does it: kro reports only the first.
        reconciliation = Reconciliation(self._graph, self._target.instance, self._objects)
        is_first = True
        while True:
            self._instance = self._api.find(self._target.written) or self._instance
            self._objects.read()
            yield from self._created(silently=is_first and not self._is_new)
            result = reconciliation.run_pass()
            yield from self._course.news_of(result.nodes, len(self._graph.nodes))
            yield from self._warned()
            self._course.result = self._result()
            if self._is_settled(result):
                return
            if self._ready_since is None:
                self._check()
                if self._error[0] or all(map(is_done, result.nodes)):  # else the nodes have the reasons
                    message = self._message or "kro has not looked at it yet"
                    yield from self._course.news(EventKind.WAITING, "", self._target.name, message)
            self._course.pause(self._patience.poll)
            is_first = False

    @property
    def _message(self) -> str:
        text = as_text(conditions_of(self._instance).get(READY, {}).get("message")).removeprefix(_HEAD)
        return "kro looks again, because it has changed objects" if text == _MUTATED else text

    def _created(self, *, silently: bool) -> Iterator[Event]:
        for node, value in self._objects.objects():
            uid = metadata_of(value).get("uid")
            if uid not in self._seen and not silently:
                yield self._course.event(EventKind.CREATED, node, value)
            self._seen.add(uid)

    def _warned(self) -> Iterator[Event]:
        for node, value, text in self._warnings.new(self._objects.objects()):
            yield self._course.event(EventKind.WARNING, node, value, text)

    def _is_settled(self, result: Pass) -> bool:
        """Whether kro reports the instance as ready, with the status that our evaluator computes."""
        if not is_true(self._instance, READY):
            self._ready_since = None
            return False
        now = self._course.seconds
        self._ready_since = now if self._ready_since is None else self._ready_since
        missing = any(not each.reads_left_out for each in result.missing_fields)
        ours = {name: each for name, each in result.status.items() if name not in _KRO_STATUS}
        is_written = result.status_error is None and not missing and ours == self._course.result.status
        return is_written or now - self._ready_since > self._patience.settle

    def _check(self) -> None:
        """Raise DeploymentError where an error stays, or the time is up."""
        now = self._course.seconds
        error = self._message if status_of(self._instance).get("state") == "ERROR" else ""
        if error != self._error[0]:
            self._error = error, now
        if error and now - self._error[1] > self._patience.patience:
            raise DeploymentError(self._why())
        if self._course.is_late:
            raise DeploymentError(f"not ready after {self._course.timeout:g} seconds: {self._why()}")

    def _result(self) -> Result:
        status = status_of(self._instance)
        return Result(
            status={name: value for name, value in status.items() if name not in _KRO_STATUS},
            state=as_text(status.get("state")),
            conditions=tuple(conditions_of(self._instance).values()),
            objects=tuple(Placed(node, value) for node, value in self._objects.objects()),
        )

    def _why(self) -> str:
        """Return why the instance does not go on, by the objects of the cluster."""
        named: JsonObject = {**self._target.written, "metadata": as_object(self._instance["metadata"])}
        try:
            around = tuple(objects_around(self._api, named, self._target.kinds))
        except UnusableError:
            around = (self._instance,)
        found = explain(around[0], Objects(around), {group_kind(named): self._target.rgd}).causes
        return "; ".join(f"{each.message} ({each.advice})" if each.advice else each.message for each in found)


def is_true(value: JsonObject, condition: str) -> bool:
    """Whether a condition of an object is true, of its newest generation."""
    return conditions_of(value).get(condition, {}).get("status") == "True" and is_current(value)


def is_current(value: JsonObject) -> bool:
    """Whether the conditions of an object are about its newest generation."""
    seen = [each.get("observedGeneration") for each in conditions_of(value).values()]
    generations = [each for each in seen if isinstance(each, int)]
    newest = metadata_of(value).get("generation")
    return not generations or not isinstance(newest, int) or min(generations) >= newest


class KroObjects(Cluster):
    """The objects that kro has created for an instance, as the cluster of a pass; nothing is applied.

    It has neither contests nor refusals: kro reports them.
    """

    def __init__(self, api: ClusterApi, graph: CompiledGraph, instance: JsonObject) -> None:
        self._api = api
        self._nodes = {each.id: each for each in graph.nodes}
        self._instance = instance
        self._denied: set[tuple[str, str]] = set()
        self._children: dict[str, list[JsonObject]] = {}

    def read(self) -> None:
        """Read what is there now. Raises DeploymentError."""
        kinds = dict.fromkeys(
            (as_text(each.template.get("apiVersion")), as_text(each.template.get("kind")))
            for each in self._nodes.values()
            if not each.is_external
        )
        found = [value for api_version, kind in kinds for value in self._listed(api_version, kind)]
        self._children = Objects(tuple(found)).children(self._instance)

    def _listed(self, api_version: str, kind: str) -> list[JsonObject]:
        """Return the objects of a kind; those in its own namespace where not all can be read."""
        metadata = as_object(self._instance["metadata"])
        selector = f"{labels.INSTANCE_ID}={metadata.get('uid')}"
        own = as_text(metadata.get("namespace"))
        for namespace in dict.fromkeys(("", own)):
            if (kind, namespace) in self._denied:
                continue
            try:
                return list(self._api.listed(api_version, kind, namespace, labelSelector=selector))
            except RefusedRequestError as error:
                if not error.is_not_found:
                    self._denied.add((kind, namespace))
        return []

    def objects(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield what is there, each with its node, in topological order."""
        return ((id_, each) for id_ in self._nodes for each in self._children.get(id_, ()))

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects, None where nothing was found."""
        if node.is_external:
            try:
                return external_objects(self._api, node, desired[0])
            except DeploymentError:  # kro may be able to read it
                return None
        return self._children.get(node.id)

    def apply(
        self,
        desired: Mapping[str, list[JsonObject]],
        *,
        prune: bool,  # noqa: ARG002 (as a pass asks)
    ) -> Mapping[str, list[JsonObject]] | None:
        """Return what is there: kro applies."""
        return {id_: self._children.get(id_, []) for id_ in desired if not self._nodes[id_].is_external}

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return what kro's own conditions would be after a pass."""
        return outcome_of(nodes, self._nodes).conditions
