"""A field that an RGD declares, in SimpleSchema or in its status, and which field of a kind that is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.yaml_positions.access import field, key_at, text_of
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.workspace.documents import Document

ValuePath: TypeAlias = tuple[str | None, ...]
"""Steps into an object of a kind: names, and None into an item of a list or a value of a map."""


class DeclaredField(Struct, frozen=True, dict=True):
    """A field of `spec.schema.spec`, of a custom type in `types`, or of `status`; `path` are the names that lead to it.

    Several paths of values lead to a field of a custom type.
    """

    document: Document
    rgd: RgdAnalysis
    schema: PlacedSchema
    root: Literal["spec", "types", "status"]
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        """The field's name."""
        return self.path[-1]

    @property
    def declaration(self) -> Span | None:
        """The key that declares the field, quotes left out, in offsets of `document`."""
        section = self.schema.section
        if self.root == "status":
            key = key_at(section.status, self.path)
        else:
            written = written_field(section, self.root, self.path)
            key = written.entry.key if written else None
        if not isinstance(key, Scalar):
            return None
        return self.schema.placed.document_span(name_span(section.chunk_text, key))

    @cached_property
    def kind(self) -> GroupVersionKind | None:
        """The kind that has the field."""
        return declared_kind(self.rgd)

    @property
    def simple_schema(self) -> SchemaResult:
        """What SimpleSchema makes of the section that declares the field."""
        return simple_schema(self.schema.section)

    def is_at(self, path: ValuePath) -> bool:
        """Whether a path of values, from the object on, leads to this field."""
        return _root_and_names(self.simple_schema, path) == (self.root, self.path)


def declared_field(document: Document, rgd: RgdAnalysis, path: ValuePath) -> DeclaredField | None:
    """Return the field of an RGD that a path of values, from the object on, leads to."""
    schema = rgd.rgd.schema
    found = _root_and_names(simple_schema(schema.section), path) if schema else None
    if schema is None or found is None or not found[1]:
        return None
    root, names = found
    result = DeclaredField(document, rgd, schema, root, names)
    return result if result.declaration else None


def value_path(result: SchemaResult, steps: Sequence[str | int]) -> ValuePath:
    """Return the path of values for keys and indices below an object, where a key may be that of a map."""
    if not steps or steps[0] != "spec":
        return tuple(step if isinstance(step, str) else None for step in steps)
    path: ValuePath = ()
    for step in steps[1:]:
        named = (*path, step) if isinstance(step, str) else path
        path = named if isinstance(step, str) and result.definition_of(named) else (*path, None)
    return ("spec", *path)


def declared_kind(rgd: RgdAnalysis) -> GroupVersionKind | None:
    """Return the kind that an RGD declares, None where it does not say enough."""
    section = rgd.rgd.schema.section if rgd.rgd.schema else None
    version = text_of(field(section.node, "apiVersion")) if section else None
    if section is None or not section.kind or not version:
        return None
    return GroupVersionKind(section.group, version, section.kind)


def name_span(chunk_text: str, key: Scalar) -> Span:
    """Return where the text of a key stands, quotes left out."""
    return source_map(chunk_text, key).source_span(Span(0, len(key.text)))


def _root_and_names(
    result: SchemaResult, path: ValuePath
) -> tuple[Literal["spec", "types", "status"], tuple[str, ...]] | None:
    if not path or path[-1] is None:
        return None
    if path[0] == "status":
        names = tuple(step for step in path[1:] if step is not None)
        return ("status", names) if len(names) == len(path) - 1 else None
    definition = result.definition_of(path[1:]) if path[0] == "spec" else None
    return (definition.root, definition.path) if definition else None
