"""Goes from the `apiVersion` or `kind` of an object, and from an instance's fields, to the file that declares them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import is_rgd
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.features.convert import to_location
from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.uris import file_path, file_uri
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files import read_file
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.analysis.simpleschema.results import FieldDefinition, SchemaResult
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.positions import Span


def kind_definition(cursor: Cursor) -> types.Location | None:
    """Return where the kind at the cursor is declared; None for kinds that come from no file.

    The file is read as it is on disk, unless it is the cursor's document.
    """
    kind = cursor.named_kind
    declaring = _declaring(kind, cursor.document) if kind else None
    span = _declaration(declaring.text, kind.name) if kind and declaring else None
    return to_location(declaring, span) if declaring and span else None


def instance_field_definition(cursor: Cursor) -> types.Location | None:
    """Return the line of SimpleSchema that declares the field whose key in an instance is at the cursor."""
    kind = cursor.described.kind if cursor.described else None
    path = cursor.yaml.path if cursor.yaml and cursor.yaml.in_key else ()
    declaring = _declaring(kind, cursor.document) if kind and path[:1] == ("spec",) else None
    for rgd in declaring.analysis.rgds if declaring else ():
        schema = rgd.rgd.schema
        if schema and declaring and kind and _declared_by_rgd(rgd.rgd.document, kind.name):
            definition = _definition_of(simple_schema(schema.section), path[1:])
            written = written_field(schema.section, definition.root, definition.path) if definition else None
            span = schema.placed.document_span(written.entry.key.span) if written else None
            return to_location(declaring, span) if span else None
    return None


def _definition_of(schema: SchemaResult, path: NodePath) -> FieldDefinition | None:
    """Return where the field at a path of an instance's spec is declared."""
    steps: list[str | None] = []
    found = schema.definition_of(())
    for step in path:
        named = schema.definition_of((*steps, step)) if isinstance(step, str) else None
        steps.append(step if named and isinstance(step, str) else None)  # else an item, or a value of a map
        found = named or found
    return found


def _declaring(kind: KindSchema, document: Document) -> Document | None:
    """Return the document that declares a kind, None where that is no file."""
    if not Path(kind.source).is_absolute():
        return None
    return document if kind.source == file_path(document.uri) else _on_disk(kind.source, document)


def _on_disk(path: str, like: Document) -> Document | None:
    content, uri = read_file(Path(path)), file_uri(path)
    return None if content is None or uri is None else Document(uri, None, Text(content), like.encoding)


def _declaration(text: Text, name: GroupVersionKind) -> Span | None:
    """Return where a file declares a kind: the name of the version in a CRD, the kind in an RGD's schema."""
    for document in parse_stream(text).documents:
        found = _declared_by_rgd(document, name) if is_rgd(document) else None
        for path in ((), *(("items", number) for number in range(len(document.children(("items",)))))):
            found = found or _declared_by_crd(document, path, name)
        if found:
            return found
    return None


def _declared_by_rgd(document: YamlDocument, name: GroupVersionKind) -> Span | None:
    schema: NodePath = ("spec", "schema")
    group = _text(document, (*schema, "group")) or DEFAULT_GROUP
    declared = (group, _text(document, (*schema, "apiVersion")), _text(document, (*schema, "kind")))
    located = document.child((*schema, "kind"))
    return located.span if located and declared == (name.group, name.version, name.kind) else None


def _declared_by_crd(document: YamlDocument, path: NodePath, name: GroupVersionKind) -> Span | None:
    spec: NodePath = (*path, "spec")
    if (_text(document, (*spec, "group")), _text(document, (*spec, "names", "kind"))) != (name.group, name.kind):
        return None
    for number in range(len(document.children((*spec, "versions")))):
        version: NodePath = (*spec, "versions", number, "name")
        located = document.child(version)
        if located and _text(document, version) == name.version:
            return located.span
    return None


def _text(document: YamlDocument, path: NodePath) -> str | None:
    located = document.child(path)
    return located.node.text if located and isinstance(located.node, Scalar) else None
