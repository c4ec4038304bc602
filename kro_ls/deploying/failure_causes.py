"""Why nodes of a deployment are not ready: looked up in their objects, pods and events, as for instances of kro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.runtime.causes.cause import CauseKind
from kro_ls.runtime.causes.given_objects import Objects
from kro_ls.runtime.causes.health import trouble_of
from kro_ls.runtime.causes.waiting_nodes import Nodes
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.passes.reasons import short_reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.live_objects import LiveObjects
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.runtime.passes.results import NodeResult

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
        except DeploymentError:  # who may not read them is told less
            continue


def _why(nodes: Nodes, node: NodeResult) -> str:
    found = _explanation(nodes, node)
    if found is None:
        return short_reason(node)
    return f"{found.message} ({found.advice})" if found.advice else found.message


def _explanation(nodes: Nodes, node: NodeResult) -> Explanation | None:
    reason = node.reason or node.unready
    if node.observed is not None and (found := nodes.explain_node(node.id)) is not None:
        return found
    if reason is not None and reason.cause is not None:
        return nodes.explain_expression(node.id, reason.cause.expression)
    return None
