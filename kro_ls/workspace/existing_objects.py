"""What an edit of a definition does to existing objects: fields that cannot be changed, and objects that kro deletes.

The API server refuses to change some fields, and kro prunes the objects that no resource makes any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.openapi.validation.objects.edits import immutable_part
from kro_ls.yaml_positions.nodes import Mapping, entries, entry_of, field, text_of, to_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Entry, Node


_EXPRESSION = "${"


class FrozenChange(Struct, frozen=True):
    """A changed value of an immutable field: its resource, the field, its offset, and a message.

    The resource is empty for a field of the definition itself.
    """

    resource: str
    field: str
    offset: int
    message: str


def frozen_changes(old: RgdAnalysis, new: RgdAnalysis) -> Iterator[FrozenChange]:
    """Yield the immutable values of templates that differ from those in the old definition."""
    for id_, placed in new.resources.items():
        before, after = old.resources.get(id_), placed.resource
        if before is None or kind_name(before.resource) != kind_name(after):
            continue
        kind = new.kind(after)
        if kind is None or after.template is None or before.resource.template is None:
            continue
        for path, entry in _changed(before.resource.template, after.template, kind, ()):
            start, name = placed.placed.document_span(entry.key.span).start, ".".join(path)
            yield FrozenChange(id_, name, start, f"'{name}' of resource '{id_}' cannot be changed after creation")


def _changed(old: Node, new: Node, kind: KindSchema, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    """Yield the paths and entries of immutable values that changed; those with expressions are left out."""
    for entry in entries(new):
        before = entry_of(old, entry.name) if entry.name is not None else None
        if before is None or entry.name is None:
            continue
        place = (*path, entry.name)
        if immutable_part(kind, place) is not None:
            if _differ(before.value, entry.value):
                yield place, entry
        elif isinstance(entry.value, Mapping):
            yield from _changed(before.value, entry.value, kind, place)


def _differ(old: Node, new: Node) -> bool:
    try:
        values = to_python(old), to_python(new)
    except RecursionError:
        return False
    return values[0] != values[1] and _EXPRESSION not in f"{values}"


_Identity = tuple[str, str, str, str]


class PrunedObjects(Struct, frozen=True):
    """The objects that a resource made, their kind, and the name in its template.

    `offset` is that of the resource in the new definition, or of the definition if it has no resource with that id.
    """

    resource: str
    kind: str
    name: str
    offset: int
    is_gone: bool

    @property
    def message(self) -> str:
        """A sentence about the objects."""
        why = "is gone" if self.is_gone else "makes another object"
        return f"kro deletes {self.kind} '{self.name}' of each instance: resource '{self.resource}' {why}"


def pruned_objects(old: RgdAnalysis, new: RgdAnalysis) -> Iterator[PrunedObjects]:
    """Yield the objects that resources of the old definition made and no resource makes after the edit.

    Names are compared as they are written, since the values of expressions are unknown.
    """
    made = {identity for each in new.resources.values() if (identity := _identity(each.resource))}
    for id_, placed in old.resources.items():
        identity = _identity(placed.resource)
        if identity is None or identity in made:
            continue
        after = new.resources.get(id_)
        start = after.placed.document_span(after.resource.node.span).start if after else new.rgd.document.start
        yield PrunedObjects(id_, identity[1], identity[3], start, is_gone=after is None)


def _identity(resource: Resource) -> _Identity | None:
    """Return group, kind, namespace and name of what kro applies, as written; None for objects that it only reads."""
    named = kind_name(resource)
    if named is None or resource.template is None:
        return None
    metadata = field(resource.object, "metadata")
    namespace, name = (text_of(field(metadata, each)) or "" for each in ("namespace", "name"))
    group, _, _ = named[0].rpartition("/")
    return group, named[1], namespace, name
