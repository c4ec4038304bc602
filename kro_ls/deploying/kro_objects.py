"""The objects that kro has made for an instance, read as a pass needs them; nothing is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError
from kro_ls.deploying.external_objects import external_objects
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.causes.given_objects import Objects
from kro_ls.runtime.passes.outcome import outcome_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.kro.conversion import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.results import NodeResult


class KroObjects:
    """A cluster as a pass sees it (`kro_ls.runtime.passes.reconciliation.Cluster`), of which kro makes what it is."""

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

    def contests(self) -> Mapping[str, str]:
        """Return none: kro tells of them."""
        return {}

    def refusals(self) -> Mapping[str, tuple[int, Refusal]]:
        """Return none: kro tells of them."""
        return {}

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return what kro's own conditions would be after a pass."""
        return outcome_of(nodes, self._nodes).conditions
