"""Why a deployment does not go on: warnings of Kubernetes since it began, and causes in objects, pods and events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind
from kro_ls.runtime.causes.given_objects import Objects
from kro_ls.runtime.causes.health import trouble_of
from kro_ls.runtime.causes.waiting_nodes import Nodes
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.passes.reasons import short_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.live_objects import LiveObjects
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.runtime.passes.results import NodeResult


_READ_EVERY = 3
_QUOTED = re.compile(r'"[^"]*"')
_COMBINED = "(combined from similar events): "
_MADE_BY_CONTROLLERS = frozenset({"Pod", "ReplicaSet", "Job"})


class WarningEvents:
    """Reads Events; without the permission there are none."""

    def __init__(self, api: ClusterApi, namespaces: Iterable[str]) -> None:
        self._api = api
        self._seen: set[str] = set()
        self._reported: set[tuple[object, object, str]] = set()
        self._denied: set[str] = set()
        self._calls = 0
        for namespace in namespaces:
            self._seen |= {metadata_text(each, "uid") for each in self._listed(namespace)}

    def new(self, objects: Iterable[tuple[str, JsonObject]]) -> Iterator[tuple[str, JsonObject, str]]:
        """Yield the new warnings, each with its object and the node of that; only every third call reads them.

        A warning about a pod that a controller made for an object is about the object.
        """
        self._calls += 1
        if self._calls % _READ_EVERY != 1:
            return
        in_namespaces: dict[str, list[tuple[str, JsonObject]]] = {}
        for node, each in objects:
            in_namespaces.setdefault(metadata_text(each, "namespace") or "default", []).append((node, each))
        for namespace, values in in_namespaces.items():
            for event in self._listed(namespace):
                about = as_object(event.get("involvedObject"))
                found = next((each for each in values if _is_about(about, each[1])), None)
                if found is None or metadata_text(event, "uid") in self._seen:
                    continue
                self._seen.add(metadata_text(event, "uid"))
                # Those of a ReplicaSet name each pod that it tries to make.
                text = _QUOTED.sub('""', as_text(event.get("message")).removeprefix(_COMBINED))
                key = about.get("uid"), event.get("reason"), text
                if key not in self._reported:
                    self._reported.add(key)
                    named = f"{about.get('kind')} {about.get('name')}"
                    yield *found, f"{named}: {event.get('reason')}: {as_text(event.get('message')).strip()}"

    def _listed(self, namespace: str) -> Iterator[JsonObject]:
        if namespace in self._denied:
            return
        try:
            yield from self._api.listed("v1", "Event", namespace, fieldSelector="type=Warning")
        except DeploymentError:
            self._denied.add(namespace)


def _is_about(about: JsonObject, value: JsonObject) -> bool:
    if about.get("uid") and about.get("uid") == as_object(value.get("metadata")).get("uid"):
        return True
    name = metadata_text(value, "name")
    return about.get("kind") in _MADE_BY_CONTROLLERS and as_text(about.get("name")).startswith(f"{name}-")


_FINAL = frozenset({CauseKind.JOB_FAILED})
_AROUND = (("apps/v1", "ReplicaSet"), ("v1", "Pod"), ("v1", "Event"))


def final_trouble(objects: Sequence[JsonObject]) -> str:
    """Return what keeps objects from ever being ready; empty where they may still be."""
    for each in objects:
        found = trouble_of(each, Objects(tuple(objects)))
        if found is not None and found.kind in _FINAL:
            return f"{found.message}; {found.advice}"
    return ""


def why_not_ready(api: ClusterApi, target: Target, live: LiveObjects, open_: list[NodeResult]) -> str:
    """Return a sentence for each node that is not ready because of itself, with what would unblock it."""
    children: dict[str, list[JsonObject]] = {}
    for node, value in live.objects():
        children.setdefault(node, []).append(value)
    own = [each for values in children.values() for each in values]
    namespaces = {metadata_text(each, "namespace") for each in own} - {""}
    around = [each for namespace in sorted(namespaces) for each in _around(api, namespace)]
    objects = Objects((*own, *(value for _, value in live.external()), *around))
    nodes = Nodes(target.rgd, children, objects)
    blocking = [each for each in open_ if each.reason is None or each.reason.waits_for is None] or open_
    return "; ".join(f"{each.id}: {_why(nodes, each)}" for each in blocking)


def _around(api: ClusterApi, namespace: str) -> Iterator[JsonObject]:
    for api_version, kind in _AROUND:
        try:
            yield from api.listed(api_version, kind, namespace)
        except DeploymentError:  # without the permission the answer has fewer causes
            continue


def _why(nodes: Nodes, node: NodeResult) -> str:
    found = _explanation(nodes, node)
    if found is None:
        return short_reason(node)
    return f"{found.message} ({found.advice})" if found.advice else found.message


def _explanation(nodes: Nodes, node: NodeResult) -> Explanation | None:
    reason = node.why
    if node.observed is not None and (found := nodes.explain_node(node.id)) is not None:
        return found
    if reason is not None and reason.cause is not None:
        return nodes.explain_expression(node.id, reason.cause.expression)
    return None
