"""A server-side dry run of the objects that the preview makes of an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.deploying.cluster_api import external_objects
from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError
from kro_ls.deploying.deployment_events import EventKind, Placed, Progress, Result
from kro_ls.deploying.live_objects import became
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_text
from kro_ls.runtime.cluster.scenario import Observed, Scenario
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.passes.metadata import Ownership, unmanaged
from kro_ls.runtime.passes.reasons import object_name, short_reason
from kro_ls.runtime.passes.results import PENDING_STATES, NodeState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.live_objects import Applying
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject


def try_objects(
    api: ClusterApi,
    target: Target,
    course: Course,
    applying: Applying,
    prepare: Callable[[str, JsonObject], JsonObject] = lambda _, value: value,
    instance: JsonObject | None = None,
) -> Iterator[Event]:
    """Yield what would be created or updated, and what refused. Raises DeploymentError where something would be.

    Objects that are not in the cluster yet are simulated for expressions, as in a preview. If kro would apply the
    objects, the user need not be allowed to; `instance` is then the one in the cluster, if there is one.
    """
    simulation = simulate(target.rgd, instance or target.instance, _scenario(api, target, instance))
    ownership = Ownership(target.rgd, instance) if instance else None
    objects = [
        (each.id, ownership.managed(each.id, value, len(each.desired)) if ownership else unmanaged(value))
        for each in simulation.final.result.nodes
        for value in each.desired
        if not each.is_external
    ]
    created = {(as_text(value.get("kind")), metadata_text(value, "name")) for _, value in objects}
    placed: list[Placed] = []
    refused: list[str] = []
    for number, (node, value) in enumerate(objects, 1):
        course.progress = Progress(number, len(objects))
        try:
            before = api.find(value)
            after = api.apply(prepare(node, value), applying.manager, force=applying.force, dry_run=True)
        except RefusedRequestError as error:
            note = _note(error, value, created, applying, target)
            if note:
                yield course.event(EventKind.WAITING, node, value, note)
                continue
            refused.append(f"{object_name(value)}: {error.message}")
            yield course.event(EventKind.REFUSED, node, value, error.message)
            continue
        placed.append(Placed(node, after))
        yield course.event(became(before, after, applying.manager), node, value, "dry run")
    for each in simulation.final.result.nodes:
        if each.state in PENDING_STATES or each.state is NodeState.ERROR:
            yield course.event(EventKind.WAITING, each.id, message=f"cannot be asked about: {short_reason(each)}")
    course.result = Result(objects=tuple(placed))
    if refused:
        raise DeploymentError("the API server would refuse " + "; ".join(refused))


def _scenario(api: ClusterApi, target: Target, instance: JsonObject | None) -> Scenario:
    """Return the scenario in which the objects that are in the cluster are as they are there."""
    nodes = {each.id: each for each in target.graph.nodes}
    observed: dict[str, Observed] = {}
    for result in simulate(target.rgd, instance or target.instance).final.result.nodes:
        if result.is_external and result.desired:
            found = external_objects(api, nodes[result.id], result.desired[0]) or []
        else:
            found = [there for each in result.desired if (there := api.find(each)) is not None]
        if found and (result.is_external or len(found) == len(result.desired)):
            observed[result.id] = Observed(tuple(found))
    return Scenario(observed)


def _note(
    error: RefusedRequestError, value: JsonObject, created: set[tuple[str, str]], applying: Applying, target: Target
) -> str:
    """Return why an object cannot be asked about, which is no refusal; empty where it is refused."""
    namespace = metadata_text(value, "namespace")
    later = f"cannot be asked before what it needs is there: {error.message}"
    if f'namespaces "{namespace}" not found' in error.message and ("Namespace", namespace) in created:
        return later
    if "has no kind" in error.message and any(kind == "CustomResourceDefinition" for kind, _ in created):
        return later
    if any(each.named == (value.get("apiVersion"), value.get("kind")) for each in target.used):
        return "cannot be asked before its definition is deployed"
    if applying.manager == labels.APPLY_MANAGER and error.code == 403 and "cannot patch" in error.message:
        return f"only kro may apply it: {error.message}"
    return ""
