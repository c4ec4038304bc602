"""The texts that a command shows: a preview, a graph, a CRD, a sample instance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.features.previews.refused import error_lines, error_rows, missing_rows
from kro_ls.render.preview_table import aligned, node_rows, reason
from kro_ls.render.yaml_text import lines, to_yaml
from kro_ls.runtime.cluster.preview_data import as_json, objects_of
from kro_ls.runtime.passes.reasons import object_name, state_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.render.page_data import NodeState
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.workspace.documents import Document

FORMATS = {
    "preview": ("yaml", "json", "table"),
    "graph": ("mermaid", "dot", "json"),
    "crd": ("yaml", "json"),
    "instance": ("yaml",),
    "why": ("markdown",),
}
"""The formats of each text, the usual one first."""


def preview_text(document: Document, preview: Preview, output_format: str, resource: str | None = None) -> str:
    """Return a judged preview in one of its formats; with the id of a resource only its part."""
    simulation = preview.simulation
    if output_format == "json" and simulation is not None:
        found = _as_json(preview, simulation, resource)
        found |= {"errors": error_rows(document, preview), "missing": missing_rows(document, preview)}
        return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    start = "" if output_format == "table" else "# "
    text = "".join(f"{start}{line}\n" for line in error_lines(document, preview))
    if simulation is None:
        reasons = "".join(f"#   {line}\n" for each in preview.refusals for line in each.splitlines())
        return f"{text}# The API server would refuse this instance ({preview.instance.label}):\n{reasons}"
    if output_format == "table":
        return text + "".join(f"{line}\n" for line in _table(preview, simulation, resource))
    return text + _yaml(preview, simulation, resource)


def nodes_of(preview: Preview) -> list[NodeState]:
    """Return each resource's id, state, number of objects, and why it is not ready."""
    simulation = preview.simulation
    return [] if simulation is None else [_node_state(simulation, each) for each in simulation.final.result.nodes]


def _node_state(simulation: Simulation, result: NodeResult) -> NodeState:
    why = reason(simulation, result)
    return {"id": result.id, "state": state_word(result), "objects": len(result.desired), "reason": why}


def _heading(preview: Preview, simulation: Simulation) -> str:
    instance = object_name(simulation.final.result.instance)
    if preview.errors:
        return f"{instance} ({preview.instance.label}): what it would be without the errors"
    settled = "" if simulation.settled else ", and still changing"
    return f"{instance} ({preview.instance.label}): {simulation.state.value}{settled}"


def _yaml(preview: Preview, simulation: Simulation, resource: str | None) -> str:
    text = f"# {_heading(preview, simulation)}\n"
    for each in nodes_of(preview):
        if each["reason"] and resource in (None, each["id"]):
            text += f"# {each['id']} is {each['state']}: {' '.join(each['reason'].split())}\n"
    for id_, value in objects_of(preview.rgd, simulation, with_metadata=False):
        if resource in (None, id_):
            text += f"---\n# {id_}\n{to_yaml(value)}"
    if resource is None:
        text += "---\n# status of the instance\n" + to_yaml({"status": simulation.status})
    return text


def _as_json(preview: Preview, simulation: Simulation, resource: str | None) -> dict[str, Any]:
    found = as_json(preview.rgd, simulation, with_metadata=False)
    if resource is not None:
        found["nodes"] = [each for each in found["nodes"] if each["id"] == resource]
        found["objects"] = [each for each in found["objects"] if each["node"] == resource]
    return found


def _table(preview: Preview, simulation: Simulation, resource: str | None) -> Iterator[str]:
    yield _heading(preview, simulation)
    yield ""
    yield from aligned(node_rows(preview.rgd, simulation, resource))
    if resource is None:
        yield ""
        yield from lines({"status": simulation.status})


def graph_text(rgd: RgdAnalysis, output_format: str) -> str:
    """Return the drawing of an RGD's dependency graph in one of its formats."""
    from kro_ls.render import dot, graph_json, mermaid
    from kro_ls.render.graph_view import view

    render = {"mermaid": mermaid.render, "dot": dot.render, "json": graph_json.render}[output_format]
    return render((view(rgd),))


def crd_text(rgd: RgdAnalysis, output_format: str) -> str | None:
    """Return the CRD that kro generates, in one of its formats; None where the RGD declares no usable kind."""
    crd = generated_crd(rgd)
    if crd is None:
        return None
    return json.dumps(crd, indent=2, ensure_ascii=False) + "\n" if output_format == "json" else to_yaml(crd)


def instance_text(rgd: RgdAnalysis) -> str | None:
    """Return the YAML of a sample instance; None where the RGD declares no usable kind."""
    from kro_ls.render.sample_yaml import instance_yaml
    from kro_ls.runtime.values.sample_instance import instance_demand

    crd = generated_crd(rgd)
    return None if crd is None else instance_yaml(crd, instance_demand(rgd))
