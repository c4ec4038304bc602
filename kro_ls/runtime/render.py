"""One pass over an instance where every object exists as soon as it is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.runtime.compiled import compile_graph
from kro_ls.runtime.reconciliation import Cluster, Reconciliation
from kro_ls.runtime.templates import merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.kro.custom_values import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.compiled import CompiledNode
    from kro_ls.runtime.results import NodeResult, Pass


class ObservedState(Cluster):
    """A cluster that has every object, each with the fields that are said to be observed.

    The observed objects of a node are merged onto its desired objects in order; of an external reference they are
    what is found.
    """

    def __init__(self, observed: Mapping[str, Sequence[JsonObject]]) -> None:
        self._observed = observed

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects."""
        given = self._observed.get(node.id, ())
        if node.is_external:
            return list(given) or ([] if node.is_list else None)
        return [merge(each, given[index] if index < len(given) else {}) for index, each in enumerate(desired)]

    def apply(self, desired: Mapping[str, list[JsonObject]], *, prune: bool) -> Mapping[str, list[JsonObject]]:  # noqa: ARG002
        """Change nothing: every object is there already."""
        return {}

    def contests(self) -> Mapping[str, str]:
        """Return nothing: nothing is applied."""
        return {}

    def refusals(self) -> Mapping[str, tuple[int, Refusal]]:
        """Return nothing: nothing is applied."""
        return {}

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:  # noqa: ARG002
        """Return no conditions: there is no controller."""
        return ()


def run_pass(rgd: RgdAnalysis, instance: JsonObject, cluster: Cluster) -> Pass:
    """Return what kro makes of an instance, which must be complete, in its first pass."""
    return Reconciliation(compile_graph(rgd), instance, cluster).run_pass()


def render(rgd: RgdAnalysis, instance: JsonObject, observed: Mapping[str, Sequence[JsonObject]]) -> Pass:
    """Return what kro makes of an instance where every object of a node exists as soon as it is rendered."""
    return run_pass(rgd, instance, ObservedState(observed))
