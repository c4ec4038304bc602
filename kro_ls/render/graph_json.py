"""Dependency graphs as JSON: in short for people and their scripts, and in full for those who draw them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.printable import printable_literals
from kro_ls.render.graph_view import view
from kro_ls.render.schema_reads import schema_reads

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.render.graph_view import Cause, DrawnResource, GraphView
    from kro_ls.yaml_positions.positions import Span

    ToRange: TypeAlias = Callable[[Span], dict[str, Any]]


def render(definitions: tuple[RgdAnalysis, ...]) -> str:
    """Return an array with one object for each definition.

    `position` is a resource's 0-based place in kro's topological order, null in a cycle and after it. `applyWave` is
    the number of its apply wave, null for all while there is a cycle. Each of `cycles` follows "depends on".
    """
    return printable_literals(json.dumps([_definition(each) for each in definitions], indent=2)) + "\n"


def _definition(analysis: RgdAnalysis) -> dict[str, object]:
    drawn = view(analysis)
    return {
        "name": drawn.name,
        "resources": [
            {
                "id": resource.id,
                "kind": resource.kind,
                "type": resource.type.value,
                "dependencies": list(resource.dependencies),
                "position": resource.position,
                "applyWave": drawn.waves.get(resource.id),
            }
            for resource in drawn.resources
        ],
        "cycles": [list(cycle) for cycle in drawn.graph.cycles],
    }


def graph_data(analysis: RgdAnalysis, to_range: ToRange, *, with_fields: bool) -> dict[str, Any]:
    """Return one definition's graph with all that a drawing shows; `docs/editor-commands.md` describes each member.

    `to_range` makes of a span what clients call a range. `with_fields` adds what resources read of the instance.
    """
    drawn = view(analysis)
    critical = set(zip(drawn.critical_path[1:], drawn.critical_path, strict=False))
    schema = analysis.rgd.schema
    data: dict[str, Any] = {
        "name": drawn.name,
        "kind": schema.section.kind if schema else None,
        "nodes": [_node(each, drawn, to_range) for each in drawn.resources],
        "edges": [
            {
                "from": each.id,
                "to": need,
                "cyclic": (each.id, need) in drawn.cyclic_edges,
                "critical": (each.id, need) in critical,
                "causes": [_cause(cause, to_range) for cause in each.causes(need)],
            }
            for each in drawn.resources
            for need in each.dependencies
        ],
        "cycles": [list(cycle) for cycle in drawn.graph.cycles],
        "criticalPath": list(drawn.critical_path),
    }
    if with_fields:
        reads = schema_reads(drawn)
        data["fields"] = [
            {"path": each.path, "type": each.type, "range": to_range(each.span) if each.span else None}
            for each in reads.fields
        ]
        data["fieldEdges"] = [
            {"from": reader, "to": path, "causes": [_cause(cause, to_range) for cause in causes]}
            for (reader, path), causes in reads.edges.items()
        ]
    return data


def _node(resource: DrawnResource, drawn: GraphView, to_range: ToRange) -> dict[str, Any]:
    return {
        "id": resource.id,
        "kind": resource.kind,
        "type": resource.type.value,
        "wave": drawn.waves.get(resource.id),
        "position": resource.position,
        "conditional": resource.is_conditional,
        "range": to_range(resource.span),
        "idRange": to_range(resource.id_span),
    }


def _cause(cause: Cause, to_range: ToRange) -> dict[str, Any]:
    return {
        "reads": cause.reads,
        "expression": cause.expression,
        "path": cause.path,
        "range": to_range(cause.span),
    }
