"""A preview for a client that draws it: every pass, the objects with the lines that they come from, the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec.structs import replace

from kro_ls.features.previews.refused import client_range, error_rows, missing_rows, state_of
from kro_ls.graphs import at_path
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.render.preview_table import node_kind, reason
from kro_ls.render.yaml_text import placed_lines, to_yaml
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.cluster.preview_data import deletion_json, missing_json, objects_of, passes
from kro_ls.runtime.cluster.simulation import status_after, without_state
from kro_ls.runtime.passes.metadata import unmanaged
from kro_ls.runtime.passes.reasons import missing_status, object_name, state_word
from kro_ls.yaml_positions.nodes import field, nearest_at, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import ReadScenario
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.render.page_data import (
        ExploredPreview,
        Fault,
        InstanceForm,
        MadeObject,
        Pass,
        PlacedText,
        PreviewNode,
        Range,
    )
    from kro_ls.runtime.cluster import preview_data as runtime
    from kro_ls.runtime.cluster.instance import AdmittedInstance
    from kro_ls.runtime.cluster.simulation import Simulation, Step
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Node

    _Text = Literal["instance", "then", "observed"]
    _Named = tuple[str, str]
    """What names an object: its node, and its kind and name."""


def explored(document: Document, preview: Preview, scenario: ReadScenario) -> ExploredPreview:
    """Return what `kro-ls/preview` answers; `docs/editor-commands.md` describes each field."""
    simulation = preview.simulation or preview.previous
    is_previous = preview.simulation is None or bool(scenario.unread)
    if simulation is not None and is_previous:
        simulation = without_state(simulation, "")
    # A refused instance is nothing to go back to; one of a file, or a sample, is.
    shown = scenario.texts.instance or to_yaml(preview.instance.value)
    texts = replace(scenario.texts, instance=shown if preview.simulation else scenario.readable.instance)
    form = instance_form(preview, scenario)
    found: ExploredPreview = {
        "instance": {"uri": preview.instance.uri, "label": preview.instance.label},
        "instanceText": to_yaml(preview.instance.value),
        "instanceValue": preview.instance.value,
        "then": None if scenario.then is None else {"text": to_yaml(scenario.then), "value": scenario.then},
        "schema": form["schema"],
        "namespaced": form["namespaced"],
        "faults": form["faults"],
        "name": preview.rgd.rgd.name,
        "version": document.version,
        "refusals": list(preview.refusals),
        "problems": list(scenario.problems),
        "readable": {"instance": texts.instance, "then": texts.then, "observed": texts.observed},
        "errors": error_rows(document, preview),
        "missing": missing_rows(document, preview),
        "state": None if is_previous and not preview.errors else state_of(preview),
        "settled": None,
    }
    if simulation is None:
        return found
    places = _Places(document, preview.rgd)
    objects = objects_of(preview.rgd, simulation, with_metadata=False)
    final = {(id_, object_name(value)): value for id_, value in objects}
    found["settled"] = None if is_previous else simulation.settled
    found["nodes"] = [_node(places, simulation, each) for each in simulation.final.result.nodes]
    found["objects"] = [{"node": id_, "name": name, **places.object(id_, each)} for (id_, name), each in final.items()]
    found["status"] = places.status(simulation.status)
    found["passes"] = [
        _pass(places, step, row, final, is_previous=is_previous)
        for row, step in zip(passes(simulation), simulation.steps, strict=True)
    ]
    found["deletion"] = deletion_json(preview.rgd, simulation)
    return found


def _pass(
    places: _Places, step: Step, row: runtime.Pass, final: Mapping[_Named, JsonObject], *, is_previous: bool
) -> Pass:
    """Return a pass with what only a view shows: the status, the instance's generation, texts that change later."""
    changed = {id_ for id_, _ in (*step.created, *step.updated)}
    applied = {
        (node.id, object_name(value)): unmanaged(value)
        for node in step.result.nodes
        if node.id in changed
        for value in node.desired
    }

    def made(id_: str, value: JsonObject) -> MadeObject:
        key = id_, object_name(value)
        if applied[key] == final.get(key):
            return {"node": id_, "object": key[1]}
        return {"node": id_, "object": key[1], **places.object(id_, applied[key])}

    return {
        **row,
        "state": None if is_previous else row["state"],
        "status": to_yaml(status_after(step)),
        "generation": cast("int", as_object(step.result.instance.get("metadata")).get("generation")),
        "created": [made(*each) for each in step.created],
        "updated": [made(*each) for each in step.updated],
        "missingStatus": [
            {**missing_json(each), "range": places.cause(each.cause) if each.cause else None}
            for each in missing_status(step.result)
        ],
    }


def _node(places: _Places, simulation: Simulation, result: NodeResult) -> PreviewNode:
    why = result.why
    found: PreviewNode = {
        "id": result.id,
        "state": state_word(result),
        "objects": result.count,
        "reason": reason(simulation, result),
        "external": result.is_external,
        "apiVersion": _api_version(places.rgd, result),
        "kind": node_kind(places.rgd, result.id),
        "line": places.node_line(result.id),
        "observed": [to_yaml(_editable(each)) for each in result.observed or ()],
    }
    if why is not None:
        found["kro"] = why.text
        if why.waits_for:
            found["waitsFor"] = why.waits_for
        if why.cause is not None:
            found["range"] = places.cause(why.cause)
        elif why.refused is not None:
            found["range"] = places.field(result.id, why.refused.path)
    return found


def _editable(value: JsonObject) -> JsonObject:
    """Return the editable fields of an object in the cluster. The status comes first because people look for it."""
    names = [name for name in value if name not in ("apiVersion", "kind", "metadata")]
    return {name: value[name] for name in sorted(names, key=lambda name: name != "status")}


def _api_version(rgd: RgdAnalysis, result: NodeResult) -> str:
    """Return the `apiVersion` of a node's objects, or what its template says as long as there are none."""
    value = next(iter((*(result.observed or ()), *result.desired)), None)
    if value is not None:
        return as_text(value.get("apiVersion"))
    found = at_path(rgd, result.id)
    return text_of(field(found.resource.object if found else None, "apiVersion")) or ""


def instance_form(preview: Preview, scenario: ReadScenario) -> InstanceForm:
    """Return the members of an answer to `kro-ls/preview` that forms read; `docs/editor-commands.md` describes them."""
    kind = instance_kind(preview.rgd)
    properties = as_object(kind.schema.get("properties")) if kind else {}
    return {
        "schema": as_object(properties.get("spec")),
        "namespaced": kind is not None and kind.namespaced,
        "faults": [
            *_unread(scenario),
            *_faults("instance", preview.admitted),
            *_faults("then", scenario.admitted_then),
        ],
    }


def _unread(scenario: ReadScenario) -> Iterator[Fault]:
    for each in scenario.unread:
        yield {
            "of": cast("_Text", each.name),
            "severity": "error",
            "line": each.line,
            "path": [],
            "message": each.message,
        }


def _faults(of: _Text, admitted: AdmittedInstance | None) -> Iterator[Fault]:
    for error in admitted.errors if admitted else ():
        if not error.is_about_others:
            message, text = error.message, error.text
            yield {"of": of, "severity": "error", "path": list(error.path), "message": message, "text": text}
    for path in admitted.unknown_fields if admitted else ():
        message = f"unknown field '{path[-1]}'; the API server drops it"
        yield {"of": of, "severity": "warning", "path": list(path), "message": message}


class _Places:
    """Where in a document things come from. Lines are 0-based, ranges in the client's units."""

    def __init__(self, document: Document, rgd: RgdAnalysis) -> None:
        self._document = document
        self.rgd = rgd

    def node_line(self, id_: str) -> int:
        """Return the line of a resource."""
        found = at_path(self.rgd, id_)
        return self._line(found.placed, found.resource.id_node or found.resource.object) or 0 if found else 0

    def object(self, id_: str, value: Any) -> PlacedText:
        """Return the text of an object, and the line of the template that each of its lines comes from."""
        found = at_path(self.rgd, id_)
        return self._lines(value, found.resource.object if found else None, found.placed if found else None)

    def status(self, value: Any) -> PlacedText:
        """Return the text of the status, and the line of the definition that each of its lines comes from."""
        schema = self.rgd.rgd.schema
        return self._lines(value, schema.section.status if schema else None, schema.placed if schema else None)

    def cause(self, cause: Cause) -> Range | None:
        """Return the range of the part of an expression that failed."""
        owner = at_path(self.rgd, cause.node)
        placed = owner.placed if owner else self.rgd.rgd.schema.placed if self.rgd.rgd.schema else None
        if placed is None:
            return None
        expression = cause.expression
        span = expression.whole if cause.start < 0 else expression.span(cause.start, cause.end)
        return client_range(self._document, placed.document_span(span))

    def field(self, id_: str, path: Path) -> Range | None:
        """Return the range of a field of a resource's template, or of the last one that is there on the way to it."""
        owner = at_path(self.rgd, id_)
        node = nearest_at(owner.resource.object, path) if owner else None
        if owner is None or node is None:
            return None
        return client_range(self._document, owner.placed.span(node))

    def _lines(self, value: Any, source: Node | None, placed: PlacedChunk | None) -> PlacedText:
        written = list(placed_lines(value))
        lines: dict[Path, int | None] = {}
        for _, path in written:
            if path not in lines:
                lines[path] = self._line(placed, nearest_at(source, path)) if placed is not None else None
        return {"text": "".join(f"{line}\n" for line, _ in written), "lines": [lines[path] for _, path in written]}

    def _line(self, placed: PlacedChunk | None, node: Node | None) -> int | None:
        if node is None or placed is None:
            return None
        span = placed.document_span(Span(node.start, node.end))
        return self._document.text.position(span.start).line
