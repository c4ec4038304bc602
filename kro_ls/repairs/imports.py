"""Adds the objects of manifests to a definition, and proves that it gives them beside what it gave before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.model.model import ResourceType
from kro_ls.authoring.from_manifests.drafting import imported, read_manifests
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError, key_of
from kro_ls.authoring.from_manifests.proof import differences
from kro_ls.authoring.from_manifests.writing import resources_yaml
from kro_ls.cursor.parts import rgd_at
from kro_ls.openapi.json_values import copy_json
from kro_ls.repairs.declarations import line_of
from kro_ls.repairs.proof import document_after, errors
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.yaml_positions.nodes import Sequence as Items
from kro_ls.yaml_positions.nodes import entry_of, field, is_null, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.authoring.from_manifests.drafting import Manifests
    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.documents import Document


class Import(Struct, frozen=True):
    """The edit that adds resources to a definition, and their ids."""

    replacement: Replacement
    ids: tuple[str, ...]


def import_manifests(document: Document, rgd: RgdAnalysis, values: Iterable[JsonObject]) -> Import:
    """Return how the objects of manifests become resources at the end of a definition's.

    Raises UnusableObjectsError, whose text says why and what to do.
    """
    if not rgd.rgd.form.declares_kind:
        raise UnusableObjectsError("manifests can be imported into a ResourceGraphDefinition only")
    if errors(document):
        raise UnusableObjectsError("kro refuses the definition as it is; mend its errors first")
    names = (text_of(field(field(each.resource.object, "metadata"), "name")) for each in rgd.rgd.resources)
    manifests = read_manifests(values, rgd.schemas, [each for each in names if each])
    if rgd.rgd.schema and rgd.rgd.schema.section.scope == "Cluster":
        manifests = replace(manifests, names=replace(manifests.names, namespaces=("",)))  # each keeps its own
    try:
        return _import(document, rgd, manifests)
    except UnusableObjectsError:
        if not manifests.names.is_named:
            raise
        return _import(document, rgd, replace(manifests, names=replace(manifests.names, names=("",))))


def _import(document: Document, rgd: RgdAnalysis, manifests: Manifests) -> Import:
    instance = _instance(rgd, manifests)
    before = _objects(rgd, instance)
    namespace = manifests.names.namespaces[0]
    there = {_in_namespace(key_of(value), namespace) for _, value in before}
    for key in manifests.objects:
        if _in_namespace(key, namespace) in there:
            raise UnusableObjectsError(f"{key} is an object that the definition creates already")
    single = {
        each.resource.id
        for each in rgd.rgd.resources
        if each.resource.type is ResourceType.RESOURCE and entry_of(each.resource.node, "includeWhen") is None
    }
    known = {id_: value for id_, value in before if id_ in single}
    nodes = imported(manifests, known, rgd.resources, rgd.schemas)
    made = Import(_added(document, rgd, lambda indent: resources_yaml(nodes, indent)), tuple(each.id for each in nodes))
    after = document_after(document, (made.replacement,))
    changed = rgd_at(after.analysis, rgd.rgd.document.start)
    found = errors(after)
    if found or changed is None:
        raise UnusableObjectsError(f"kro would refuse what comes of it: {found[0].message if found else 'no YAML'}")
    expected = [*(value for _, value in before), *manifests.objects.values()]
    rendered = [value for _, value in _objects(changed, instance)]
    difference = next(differences(expected, rendered, namespace, rgd.schemas), None)
    if difference:
        raise UnusableObjectsError(f"the definition would not give the same objects: {difference}")
    return made


def _in_namespace(key: Key, namespace: str) -> Key:
    return replace(key, namespace=key.namespace or namespace)


def _instance(rgd: RgdAnalysis, manifests: Manifests) -> JsonObject:
    """Return an instance that is called as in the manifests, and is in their namespace."""
    instance: dict[str, Any] = copy_json(sample_instance(rgd))
    names = manifests.names
    if names.namespaces[0]:
        instance["metadata"]["namespace"] = names.namespaces[0]
    if names.is_named:
        holder = instance
        *above, last = names.code.split(".")[1:]
        for step in above:
            holder = holder.setdefault(step, {})
        holder[last] = names.names[0]
    return instance


def _objects(rgd: RgdAnalysis, instance: JsonObject) -> list[tuple[str, JsonObject]]:
    admission = admit_instance(rgd, instance)
    if admission.errors:
        raise UnusableObjectsError(
            f"no instance can be called as in the manifests: {admission.errors[0].placed_message}"
        )
    return objects_of(rgd, simulate(rgd, admission.instance), with_metadata=False)


def _added(document: Document, rgd: RgdAnalysis, write: Callable[[int], str]) -> Replacement:
    """Return the edit that adds entries, written for a column, to `spec.resources`."""
    content = document.text.content
    resources = rgd.rgd.resources
    if resources:
        last = resources[len(resources) - 1]
        span = last.placed.document_span(last.resource.node.span)
        _, before = line_of(content, span.start)
        if before.strip(" ") != "-":
            raise UnusableObjectsError(
                "write the resources below each other, each after a dash; then more can be added"
            )
        end = span.start + len(content[span.start : span.end].rstrip())
        line_end = content.find("\n", end)
        text = write(before.index("-"))
        if line_end < 0:
            return Replacement(Span(len(content), len(content)), f"\n{text}")
        return Replacement(Span(line_end + 1, line_end + 1), text)
    spec = rgd.rgd.document.child(("spec",))
    entry = entry_of(spec.node, "resources") if spec else None
    if spec is None or entry is None or not (is_null(entry.value) or isinstance(entry.value, Items)):
        raise UnusableObjectsError("the definition has no list of resources; add 'resources: []' to its spec")
    key = spec.placed.document_span(entry.key.span)
    start, _ = line_of(content, key.start)
    end = key.end + 1 if is_null(entry.value) else spec.placed.document_span(entry.value.span).end
    text = write(key.start - start)
    return Replacement(Span(key.end + 1, end), f"\n{text.removesuffix(chr(10))}")
