"""Describes resources of an RGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.features.documentation.markdown import code, plain, source_name
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis

_TYPE_WORDS = {
    ResourceType.RESOURCE: "resource",
    ResourceType.COLLECTION: "collection (forEach)",
    ResourceType.EXTERNAL: "external reference by name",
    ResourceType.EXTERNAL_COLLECTION: "external reference by selector",
}


def describe_resource(rgd: RgdAnalysis, resource: Resource) -> str:
    """Return the Markdown that describes a resource and its place in the graph."""
    kind = text_of(field(resource.object, "kind")) or "unknown kind"
    version = text_of(field(resource.object, "apiVersion"))
    name = text_of(field(field(resource.object, "metadata"), "name"))
    known = rgd.kind(resource)
    lines = [
        f"**{plain(resource.id or '')}**: {_TYPE_WORDS[resource.type]}",
        "",
        f"- kind: {code(kind)}" + (f" ({code(version)})" if version else ""),
        f"- schema: {plain(source_name(known.source)) if known else 'unknown, so that its fields are not checked'}",
    ]
    if name:
        lines.append(f"- name: {code(name)}")
    dependencies = dict(rgd.graph.dependencies).get(resource.id or "", ())
    dependents = [each for each, needs in rgd.graph.dependencies if resource.id in needs]
    lines.append(f"- depends on: {_listed(dependencies)}")
    lines.append(f"- used by: {_listed(tuple(dependents))}")
    if resource.id in rgd.graph.order:
        lines.append(f"- order: {rgd.graph.order.index(resource.id) + 1} of {len(rgd.graph.dependencies)}")
    return "\n".join(lines)


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(map(code, ids)) or "nothing"
