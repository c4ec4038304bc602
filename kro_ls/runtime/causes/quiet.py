"""What an instance that is ACTIVE has not: resources that conditions leave out."""

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


def left_out(rgd: RgdAnalysis, instance: JsonObject) -> Iterator[Explanation]:
    """Yield the nodes that an instance leaves out by its values."""
    budget = PreviewBudget()
    admitted = admit_instance(rgd, instance, budget)
    if admitted.errors:
        return
    for node in simulate(rgd, admitted.instance, budget=budget).final.result.nodes:
        if node.state is NodeState.IGNORED:
            message = f"{node.id} is left out: {short_reason(node)}"
            yield Explanation(CauseKind.LEFT_OUT, message, node.id, node.ignored_because)
