"""Dependency graphs as JSON: short for people and scripts, and complete for programs that draw them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias, cast

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.printable import printable_literals
from kro_ls.render.graph_view import Change, GroupBy, group_titles
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.render.graph_view import Cause, Comparison, DrawnResource, GraphView
    from kro_ls.render.page_data import Cause as CauseData
    from kro_ls.render.page_data import DrawnGraph, Edge, Field, FieldEdge, Groups, Range, ResourceNode
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.positions import Position, Span

    ToRange: TypeAlias = Callable[[Span], Range]


def render(views: tuple[GraphView, ...]) -> str:
    """Return an array with one object for each definition.

    `position` is a resource's 0-based place in kro's topological order, null in a cycle and after it. `creationPass` is
    the earliest pass in which kro can create it, `applyWave` the wave in which kro deletes it, the highest first; both
    are null for all resources while there is a cycle. Each of `cycles` follows "depends on". What is compared with an
    older version has `changes` as well: the resources by their change, the lines that differ, and the edges.
    """
    return printable_literals(json.dumps([_definition(each) for each in views], indent=2)) + "\n"


def _definition(drawn: GraphView) -> dict[str, object]:
    return {
        "name": drawn.name,
        "resources": [
            {
                "id": resource.id,
                "kind": resource.kind,
                "type": resource.type.value,
                "dependencies": list(resource.dependencies),
                "position": resource.position,
                "creationPass": drawn.passes.get(resource.id),
                "applyWave": drawn.waves.get(resource.id),
            }
            for resource in drawn.resources
        ],
        "cycles": [list(cycle) for cycle in drawn.graph.cycles],
        **({"changes": _changes(drawn, drawn.comparison)} if drawn.comparison else {}),
    }


def _changes(drawn: GraphView, comparison: Comparison) -> dict[str, object]:
    return {
        **{change.value: [each.id for each in drawn.shown if drawn.change(each.id) is change] for change in Change},
        "differences": {id_: list(lines) for id_, lines in comparison.differences.items()},
        "dependencies": [
            {"from": each.resource, "to": each.need, "change": each.change.value}
            for each in drawn.edges()
            if each.change
        ],
    }


def graph_data(
    drawn: GraphView, diagnostics: Iterable[Diagnostic], position: Callable[[int], Position], *, with_fields: bool
) -> DrawnGraph:
    """Return a definition's graph with all that a drawing shows; `docs/editor-commands.md` describes each member.

    `diagnostics` are those of the document: errors and warnings within resources are part of the graph. `position`
    turns an offset into a position in the client's units. `with_fields` adds what resources read of the instance.
    """

    # LSP's own types, which check every number, are too slow for thousands of ranges.
    def to_range(span: Span) -> Range:
        start, end = position(span.start), position(span.end)
        return {
            "start": {"line": start.line, "character": start.column},
            "end": {"line": end.line, "character": end.column},
        }

    analysis = drawn.analysis
    shown = [each for each in diagnostics if each.severity in (Severity.ERROR, Severity.WARNING)]
    owners = _owners(shown, drawn)
    schema = analysis.rgd.schema
    titles = {by.value: group_titles(drawn.shown, by) for by in GroupBy}
    data: DrawnGraph = {
        "name": drawn.name,
        "kind": schema.section.kind if schema else None,
        "isGraph": not analysis.rgd.form.declares_kind,
        "nodes": [
            _node(
                each,
                drawn,
                cast("Groups", {name: found[each.id] for name, found in titles.items()}),
                owners.get(each.id, ()),
                to_range,
            )
            for each in drawn.shown
        ],
        "edges": _edges(drawn, to_range),
        "cycles": [list(cycle) for cycle in drawn.graph.cycles],
        "criticalPath": list(drawn.critical_path),
    }
    if with_fields:
        data["fields"], data["fieldEdges"] = _fields(drawn, to_range)
    return data


def _edges(drawn: GraphView, to_range: ToRange) -> list[Edge]:
    critical = set(zip(drawn.critical_path[1:], drawn.critical_path, strict=False))
    resources = {each.id: each for each in drawn.resources}
    found: list[Edge] = []
    for edge in drawn.edges():
        # A removed edge has no place in the text.
        causes = () if edge.change is Change.REMOVED else resources[edge.resource].causes(edge.need)
        found.append(
            {
                "from": edge.resource,
                "to": edge.need,
                "cyclic": edge.is_cyclic,
                "critical": (edge.resource, edge.need) in critical,
                "causes": [_cause(cause, to_range) for cause in causes],
            }
        )
        if edge.change:
            found[-1]["change"] = edge.change.value
    return found


def _owners(diagnostics: Iterable[Diagnostic], drawn: GraphView) -> dict[str, list[Diagnostic]]:
    """Return the diagnostics by the innermost resource that contains them."""
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        around = [each for each in drawn.resources if each.span.start <= diagnostic.span.start <= each.span.end]
        if around:
            innermost = max(around, key=lambda each: each.span.start)
            found.setdefault(innermost.id, []).append(diagnostic)
    return found


def _node(
    resource: DrawnResource, drawn: GraphView, groups: Groups, problems: Iterable[Diagnostic], to_range: ToRange
) -> ResourceNode:
    change = drawn.change(resource.id)
    is_removed = change is Change.REMOVED
    data: ResourceNode = {
        "id": resource.id,
        "kind": resource.kind,
        "apiVersion": resource.api_version,
        "namespace": resource.namespace,
        "conditions": resource.conditions,
        "type": resource.type.value,
        "pass": drawn.passes.get(resource.id),
        "wave": drawn.waves.get(resource.id),
        "position": resource.position,
        "conditional": resource.is_conditional,
        "range": None if is_removed else to_range(resource.span),
        "idRange": None if is_removed else to_range(resource.id_span),
        "groups": groups,
        "problems": [
            {
                "severity": "error" if each.severity is Severity.ERROR else "warning",
                "code": each.code,
                "message": each.message,
                "range": to_range(each.span),
            }
            for each in problems
        ],
    }
    if change and drawn.comparison:
        data["change"] = change.value
        data["difference"] = list(drawn.comparison.differences.get(resource.id, ()))
    return data


def _cause(cause: Cause, to_range: ToRange) -> CauseData:
    return {
        "reads": cause.reads,
        "expression": cause.expression,
        "path": cause.path,
        "range": to_range(cause.span),
    }


def _fields(drawn: GraphView, to_range: ToRange) -> tuple[list[Field], list[FieldEdge]]:
    """Return the fields of the instance that resources read, in the order of the first read, and the edges to them."""
    schema = drawn.analysis.rgd.schema
    fields: dict[str, Field] = {}
    edges: dict[tuple[str, str], FieldEdge] = {}
    for resource in drawn.resources:
        for cause in resource.causes("schema"):
            found = _read_field(schema, tuple(cause.reads.split(".")[1:]), to_range)
            path = found["path"]
            fields.setdefault(path, found)
            edge = edges.setdefault((resource.id, path), {"from": resource.id, "to": path, "causes": []})
            edge["causes"].append(_cause(cause, to_range))
    return list(fields.values()), list(edges.values())


def _read_field(schema: PlacedSchema | None, steps: tuple[str, ...], to_range: ToRange) -> Field:
    """Return the field at the end of a path; the path is followed as far as SimpleSchema declares it."""
    if schema is None or steps[:1] != ("spec",):
        return {"path": ".".join(steps[:2]) or "schema", "type": None, "range": None}
    for length in range(len(steps), 1, -1):
        definition = simple_schema(schema.section).definition_of(steps[1:length])
        written = written_field(schema.section, definition.root, definition.path) if definition else None
        if written:
            type_ = str(written.text.value).partition("|")[0].strip() if written.text else None
            place = to_range(schema.placed.document_span(written.entry.key.span))
            return {"path": ".".join(steps[:length]), "type": type_, "range": place}
    return {"path": ".".join(steps[:2]), "type": None, "range": None}
