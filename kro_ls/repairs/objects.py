"""What a Kubernetes object lacks, and the kinds that its names may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.analysis.model.model import Resource
from kro_ls.kro.names import REQUIRED_TEMPLATE_FIELDS, to_lower_camel_case
from kro_ls.rules.diagnostics import Fix
from kro_ls.rules.text.added_fields import add_field
from kro_ls.spelling import closest
from kro_ls.yaml_positions.access import entry_of, field, is_null, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.yaml_positions.nodes import Entry

_NAME: Final = "name: ${schema.metadata.name}"


def added_template(place: Place) -> Iterator[Fix]:
    """Yield the template that a resource lacks, of a kind that everybody may create."""
    part = place.part
    node = resolved(part.part.node) if part and isinstance(part.part, Resource) else None
    if part is not None and isinstance(part.part, Resource) and isinstance(node, Mapping):
        for fix in add_field(node, "template", part.part.chunk_text, ("id", "template")):
            edits = (Replacement(part.span(each.span), each.text) for each in fix.replacements)
            yield Fix(fix.title, tuple(edits))


def completed_object(place: Place) -> Iterator[Fix]:
    """Yield the fields that a template lacks: the group and version of its kind, the kind of its version, a name."""
    part = place.part
    if part is None or not isinstance(part.part, Resource) or place.rgd is None:
        return
    template = resolved(part.part.template)
    metadata = entry_of(template, "metadata")
    if metadata and is_null(metadata.value):
        yield from _named(place, metadata)
    if not isinstance(template, Mapping) or template.flow or not template.entries:
        return
    first = template.entries[0]
    chunk = part.placed.chunk.text
    indent = first.start - (chunk.rfind("\n", 0, first.start) + 1)
    at = part.span(Span(first.start, first.start))
    missing = [name for name in REQUIRED_TEMPLATE_FIELDS if entry_of(template, name) is None]
    for lines in _lines(place, part.part, template, missing):
        text = "".join(f"{line}\n{' ' * indent}" for line in lines)
        yield Fix(f"Add '{lines[0]}'", (Replacement(at, text),))


def _named(place: Place, metadata: Entry) -> Iterator[Fix]:
    """Yield a name for metadata that are empty."""
    part = place.part
    if part:
        chunk = part.placed.chunk.text
        column = metadata.key.start - (chunk.rfind("\n", 0, metadata.key.start) + 1)
        colon = chunk.find(":", metadata.key.end) + 1
        text = f"\n{' ' * (column + 2)}{_NAME}"
        yield Fix(f"Add '{_NAME}'", (Replacement(part.span(Span(colon, colon)), text),))


def _lines(place: Place, resource: Resource, template: Mapping, missing: list[str]) -> Iterator[list[str]]:
    version, kind = text_of(field(template, "apiVersion")), text_of(field(template, "kind"))
    metadata = ["metadata:", f"  {_NAME}"] if "metadata" in missing else []
    known = place.rgd.surroundings.schemas.kinds() if place.rgd else ()
    if "apiVersion" not in missing and "kind" not in missing:
        yield from [metadata] if metadata else []
    elif "kind" not in missing and kind:
        yield from ([f"apiVersion: {each.api_version}", *metadata] for each in known if each.kind == kind)
    elif "apiVersion" not in missing and version:
        kinds = [each.kind for each in known if each.api_version == version]
        likely = sorted(kinds, key=lambda each: not _is_alike(each, resource.id or ""))
        meant = closest(resource.id or "", likely)
        yield from ([f"kind: {each}", *metadata] for each in dict.fromkeys(filter(None, (meant, *likely[:12]))))
    else:
        yield ["apiVersion: v1", "kind: ConfigMap", *metadata]


def _is_alike(kind: str, name: str) -> bool:
    word = (to_lower_camel_case(kind) or kind).lower()
    return word in name.lower() or name.lower() in word


def known_kind(place: Place) -> Iterator[Fix]:
    """Yield the kinds that a name may mean, with their group and version."""
    part, rgd = place.part, place.rgd
    if part is None or rgd is None or not isinstance(part.part, Resource):
        return
    version, kind = (field(part.part.object, name) for name in ("apiVersion", "kind"))
    if version is None or kind is None:
        return
    written, name = text_of(version) or "", text_of(kind) or ""
    for each in rgd.surroundings.similar_kinds((written, name)):
        edits = []
        if each.api_version != written:
            edits.append(Replacement(part.span(version.span), each.api_version))
        if each.kind != name:
            edits.append(Replacement(part.span(kind.span), each.kind))
        changed = " ".join(edit.text for edit in edits)
        yield Fix(f"Change to '{changed}'", tuple(edits))
