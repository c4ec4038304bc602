"""Describes kinds of Kubernetes objects, and resources of an RGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.features.documentation.markdown import code, plain, prose, source_name
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import Choice, KindSchema
    from kro_ls.openapi.sources.bundled import Lifetime

_MOST_KINDS = 30
_ADVICE = "Add its CustomResourceDefinition to the workspace or to the setting `kro.crds`."
_TYPE_WORDS = {
    ResourceType.RESOURCE: "resource",
    ResourceType.COLLECTION: "collection (forEach)",
    ResourceType.EXTERNAL: "external reference by name",
    ResourceType.EXTERNAL_COLLECTION: "external reference by selector",
}


def describe_kind(kind: KindSchema, lifetime: Lifetime | None, choice: Choice | None = None) -> str:
    """Return what a kind is: scope, plural, stability, where its schema comes from, and what speaks against its use.

    `choice` are its definitions where several files declare it.
    """
    parts = [f"**{plain(kind.name.kind)}** ({code(kind.name.api_version)})"]
    if kind.deprecation:
        parts.append(f"Deprecated: {plain(kind.deprecation)}")
    description = str(kind.schema.get("description") or "").strip()
    if description:
        parts.append(prose(description))
    parts.append("\n".join(f"- {fact}" for fact in (*_facts(kind, lifetime), *_others(choice))))
    return "\n\n".join(parts)


def _facts(kind: KindSchema, lifetime: Lifetime | None) -> Iterator[str]:
    yield f"scope: {'Namespaced' if kind.namespaced else 'Cluster'}"
    yield f"plural: {code(kind.plural)}"
    yield f"stability: {kind.stability}"
    if kind.subresources:
        yield f"subresources: {', '.join(map(code, kind.subresources))}"
    if lifetime and lifetime.added_in:
        yield f"since: Kubernetes {lifetime.added_in}"
    yield f"schema: {plain(source_name(kind.source))}"


def _others(choice: Choice | None) -> Iterator[str]:
    if choice is not None:
        others = ", ".join(plain(source_name(each.source)) for each in choice.kinds[1:])
        yield f"this one counts here: {plain(choice.reason)}"
        yield f"also declared by: {others}"


def describe_unknown_kind(rgd: RgdAnalysis, api_version: str, kind: str) -> str:
    """Return what to do about a kind that no schema describes, and which known kinds may be meant."""
    group, _, version = api_version.rpartition("/")
    lines = [f"**{plain(kind)}** ({code(api_version)})", f"Its schema is unknown. {_ADVICE}"]
    if rgd.schemas.is_kubernetes_group(group, version):
        lines[1] = "Kubernetes has no such kind."
    similar = rgd.similar_kinds((api_version, kind))
    if similar:
        lines.append(
            "Known kinds like it: " + ", ".join(f"{code(name.kind)} ({code(name.api_version)})" for name in similar)
        )
    return "\n\n".join(lines)


def describe_api_version(schemas: SchemaIndex, api_version: str) -> str:
    """Return which kinds a group has in a version."""
    kinds = [name.kind for name in schemas.kinds() if name.api_version == api_version]
    more = ", ..." if len(kinds) > _MOST_KINDS else ""
    if not kinds:
        return f"**{plain(api_version)}**\n\nNo kind of this group and version is known. {_ADVICE}"
    return f"**{plain(api_version)}**\n\nKinds: " + ", ".join(map(code, kinds[:_MOST_KINDS])) + more


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
