"""What an instance becomes by its values alone: what kro applies for it, and what conditions leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.passes.reasons import short_reason
from kro_ls.runtime.passes.results import NodeState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.passes.results import NodeResult


def left_out(rgd: RgdAnalysis, instance: JsonObject) -> Iterator[Explanation]:
    """Yield the nodes that an instance leaves out by its values."""
    for node in _nodes(rgd, instance):
        if node.state is NodeState.IGNORED:
            message = f"{node.id} is left out: {short_reason(node)}"
            yield Explanation(CauseKind.LEFT_OUT, message, node.id, node.ignored_because)


def applied_objects(rgd: RgdAnalysis, instance: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield what kro applies for an instance, with the nodes."""
    for node in _nodes(rgd, instance):
        yield from ((node.id, value) for value in node.desired if not node.is_external)


def _nodes(rgd: RgdAnalysis, instance: JsonObject) -> tuple[NodeResult, ...]:
    budget = PreviewBudget()
    admitted = admit_instance(rgd, instance, budget)
    return () if admitted.errors else simulate(rgd, admitted.instance, budget=budget).final.result.nodes
