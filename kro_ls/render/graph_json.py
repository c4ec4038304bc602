"""Dependency graphs as JSON, with the order and the apply waves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.analysis.names.graph import apply_waves
from kro_ls.render.graph_view import view

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis


def render(definitions: tuple[RgdAnalysis, ...]) -> str:
    """Return an array with one object for each definition.

    `position` is a resource's 0-based place in kro's topological order, null in a cycle and after it. `applyWave` is
    the number of its apply wave, null for all while there is a cycle. Each of `cycles` follows "depends on".
    """
    return json.dumps([_definition(each) for each in definitions], indent=2) + "\n"


def _definition(analysis: RgdAnalysis) -> dict[str, object]:
    drawn = view(analysis)
    waves = apply_waves(analysis.graph)
    return {
        "name": drawn.name,
        "resources": [
            {
                "id": resource.id,
                "kind": resource.kind,
                "type": resource.type.value,
                "dependencies": list(resource.dependencies),
                "position": resource.position,
                "applyWave": waves.get(resource.id),
            }
            for resource in drawn.resources
        ],
        "cycles": [list(cycle) for cycle in analysis.graph.cycles],
    }
