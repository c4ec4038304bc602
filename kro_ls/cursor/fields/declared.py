"""A field that an RGD declares, in SimpleSchema or in its status, and the objects of its kind that write it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.queries.cells import cached_attribute
from kro_ls.workspace.declared_kinds import kind_of as kind_of_schema
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, field, key_at, text_of, walk
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.analysis.model.paths import Path
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.positions import Span


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
        return self.schema.placed.document_span(text_span(section.chunk_text, key))

    @cached_attribute
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


def value_path(result: SchemaResult, steps: Path) -> ValuePath:
    """Return the path of values for keys and indices below an object, where a key may be that of a map."""
    if not steps or steps[0] != "spec":
        return tuple(step if isinstance(step, str) else None for step in steps)
    path: ValuePath = ()
    for step in steps[1:]:
        named = (*path, step) if isinstance(step, str) else path
        path = named if isinstance(step, str) and result.definition_of(named) else (*path, None)
    return ("spec", *path)


def declared_kind(rgd: RgdAnalysis) -> GroupVersionKind | None:
    """Return the kind that an RGD declares, None where it names none."""
    return kind_of_schema(rgd.rgd.schema)


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


_ROOTS = ("spec", "status")


def kind_of(node: Node | None) -> GroupVersionKind | None:
    """Return the kind that a mapping names in `apiVersion` and `kind`."""
    api_version, kind = (text_of(field(node, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind:
        return None
    group, _, version = api_version.rpartition("/")
    return GroupVersionKind(group, version, kind)


def keys_in(document: YamlDocument, wanted: DeclaredField) -> Iterator[tuple[PlacedChunk, Scalar]]:
    """Yield the keys in the objects of a document that write a field of the kind that declares it."""
    for placed in (document.frame, *document.chunks):
        if wanted.kind and wanted.name in placed.chunk.text:
            for node in objects_of(placed, wanted.kind):
                for key in _keys_of_object(node, wanted):
                    yield placed, key


def objects_of(placed: PlacedChunk, kind: GroupVersionKind) -> Iterator[Mapping]:
    """Yield the objects of a kind in a chunk; the walk ends when no more can follow."""
    root, text = placed.chunk.root, placed.chunk.text
    left = text.count(kind.kind)
    for node in walk(root) if root and left else ():
        if isinstance(node, Mapping) and kind_of(node) == kind:
            yield node
            left -= 1
            if left == 0 and "*" not in text:  # what an alias names it does not write
                return


def _keys_of_object(node: Mapping, wanted: DeclaredField) -> Iterator[Scalar]:
    for name in _ROOTS:
        inner = node.get(name)
        if inner is not None:
            yield from _keys(inner, wanted, (name,))


def _keys(node: Node, wanted: DeclaredField, path: ValuePath) -> Iterator[Scalar]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _keys(item, wanted, (*path, None))
    elif isinstance(node, Mapping):
        for entry in node.entries:
            if isinstance(entry.key, Scalar) and entry.name == wanted.name and wanted.is_at((*path, entry.name)):
                yield entry.key
            for step in _steps(entry.name, wanted, path):
                yield from _keys(entry.value, wanted, (*path, step))


def _steps(name: str | None, wanted: DeclaredField, path: ValuePath) -> tuple[str | None, ...]:
    """Return how a key leads on: as the name of a field, else as a key of a map."""
    if path[0] == "status":
        return (name,)
    is_field = name is not None and wanted.simple_schema.definition_of((*path[1:], name)) is not None
    return (name,) if is_field else (None,)
