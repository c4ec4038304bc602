"""Adds the fields that an object lacks, removes those that are misplaced, and finds the kinds that a name may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.analysis.model.model import Resource
from kro_ls.cursor.cursor import Cursor
from kro_ls.kro.identifiers import REQUIRED_TEMPLATE_FIELDS, to_lower_camel_case
from kro_ls.rules.diagnostics import Fix
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.text.added_fields import add_field, end_of_field_before
from kro_ls.spelling import closest
from kro_ls.yaml_positions.nodes import Entry, Mapping, entry_of, field, is_null, resolved, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.yaml_positions.documents.runs import PlacedChunk


_NAME: Final = "name: ${schema.metadata.name}"


def added_template(place: Place) -> Iterator[Fix]:
    """Yield a template for a resource without one, of a kind that every user may create."""
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
    missing = [name for name in REQUIRED_TEMPLATE_FIELDS if entry_of(template, name) is None]
    for fields in _missing_fields(place, part.part, template, missing):
        edits = _added(template, fields, part.placed.chunk.text)
        moved = (Replacement(part.span(each.span), each.text) for each in edits)
        first_line, *_ = next(iter(fields.values())).split("\n")
        yield Fix(f"Add '{first_line}'", tuple(moved))


def _added(template: Mapping, fields: dict[str, str], text: str) -> Iterator[Replacement]:
    """Yield the edits that add fields to a template, each at its usual place."""
    first = template.entries[0].start
    indent = " " * (first - (text.rfind("\n", 0, first) + 1))
    places: dict[int | None, list[str]] = {}
    for name, written in fields.items():
        place = end_of_field_before(template, name, text, REQUIRED_TEMPLATE_FIELDS)
        places.setdefault(place, []).extend(f"{indent}{line}" for line in written.split("\n"))
    for place, lines in places.items():
        if place is None:
            yield Replacement(Span(first, first), "\n".join(lines).lstrip() + f"\n{indent}")
        else:
            yield Replacement(Span(place, place), "".join(f"\n{line}" for line in lines))


def _named(place: Place, metadata: Entry) -> Iterator[Fix]:
    """Yield a name for empty metadata."""
    part = place.part
    if part:
        chunk = part.placed.chunk.text
        column = metadata.key.start - (chunk.rfind("\n", 0, metadata.key.start) + 1)
        colon = chunk.find(":", metadata.key.end) + 1
        text = f"\n{' ' * (column + 2)}{_NAME}"
        yield Fix(f"Add '{_NAME}'", (Replacement(part.span(Span(colon, colon)), text),))


def _missing_fields(
    place: Place, resource: Resource, template: Mapping, missing: list[str]
) -> Iterator[dict[str, str]]:
    """Yield values for the missing fields, by name, in the usual order."""
    version, kind = text_of(field(template, "apiVersion")), text_of(field(template, "kind"))
    metadata = {"metadata": f"metadata:\n  {_NAME}"} if "metadata" in missing else {}
    known = place.rgd.schemas.kinds() if place.rgd else ()
    if "apiVersion" not in missing and "kind" not in missing:
        yield from [metadata] if metadata else []
    elif "kind" not in missing and kind:
        for each in known:
            if each.kind == kind:
                yield {"apiVersion": f"apiVersion: {each.api_version}", **metadata}
    elif "apiVersion" not in missing and version:
        kinds = [each.kind for each in known if each.api_version == version]
        likely = sorted(kinds, key=lambda each: not _is_alike(each, resource.id or ""))
        meant = closest(resource.id or "", likely)
        for name in dict.fromkeys(filter(None, (meant, *likely[:12]))):
            yield {"kind": f"kind: {name}", **metadata}
    else:
        yield {"apiVersion": "apiVersion: v1", "kind": "kind: ConfigMap", **metadata}


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
    for each in rgd.similar_kinds((written, name)):
        edits = []
        if each.api_version != written:
            edits.append(Replacement(part.span(version.span), each.api_version))
        if each.kind != name:
            edits.append(Replacement(part.span(kind.span), each.kind))
        changed = " ".join(edit.text for edit in edits)
        yield Fix(f"Change to '{changed}'", tuple(edits))


def removed_field(place: Place) -> Iterator[Fix]:
    """Yield the removal of the marked field and everything below it."""
    located = place.cursor.yaml.located if place.cursor.yaml else None
    if located and located.key and located.key_placed is located.placed and located.key_span == place.span:
        entry = Entry(located.key, located.node, str(located.path[-1]))
        yield from _removed(located.placed, entry, f"Remove '{entry.name}'")


def removed_repetition(place: Place) -> Iterator[Fix]:
    """Yield the removal of the first of two fields with the same name, whose value has no effect."""
    for first in place.diagnostic.related:
        around = Cursor(place.document, first.span.start).yaml
        node = around.located.node if around else None
        for entry in node.entries if around and isinstance(node, Mapping) else ():
            if around and around.located.placed.document_span(entry.key.span) == first.span:
                yield from _removed(around.located.placed, entry, f"Remove the first '{entry.name}'")


def _removed(placed: PlacedChunk, entry: Entry, title: str) -> Iterator[Fix]:
    removal = remove_entry(placed.chunk.text, entry, ())
    if removal:
        yield Fix(title, (Replacement(placed.document_span(removal.span), removal.text),))
