"""Goes to where a kind's schema describes a field: in a CRD's file, or in a virtual document of a bundled kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lsprotocol import types

from kro_ls.analysis.model.reading import is_rgd
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.features.convert import to_location
from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.render.yaml_text import placed_lines
from kro_ls.uris import file_path, file_uri
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files import read_file
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Scalar, items, key_at, node_at, text_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.analysis.simpleschema.results import FieldDefinition, SchemaResult
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.declared import ValuePath
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

SCHEME = "kro-preview"
_PREFIX = f"{SCHEME}:/kind/"
_HEAD_LINES = 2


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


def schema_location(kind: KindSchema, path: ValuePath) -> types.Location | None:
    """Return where a kind's schema describes the field at a path of its values, None where it does not.

    Of a kind that comes from no file the place is in the virtual document `kind_text`.
    """
    found = schema_path(kind.schema, path)
    if found is None:
        return None
    if Path(kind.source).is_absolute():
        return _in_file(kind, found)
    start = types.Position(_lines(kind)[found] + _HEAD_LINES if found else 0, 0)
    return types.Location(kind_uri(kind.name), types.Range(start, start))


def schema_path(schema: JsonObject, path: ValuePath) -> NodePath | None:
    """Return where in a schema a path of values is described, None where it is not."""
    below: list[str | int] = []
    found: object = schema
    for step in path:
        steps = ("properties", step) if step is not None else ("items",)
        if step is None and isinstance(found, dict) and "items" not in found:
            steps = ("additionalProperties",)
        for each in steps:
            found = found.get(each) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            return None
        below += steps
    return tuple(below)


def kind_uri(name: GroupVersionKind) -> str:
    """Return the URI of the virtual document that shows a kind."""
    return f"{_PREFIX}{quote(name.api_version, safe='')}/{quote(name.kind, safe='')}.yaml"


def is_kind_uri(uri: str) -> bool:
    """Whether a URI is one of `kind_uri`."""
    return uri.startswith(_PREFIX)


def kind_text(uri: str, schemas: SchemaIndex) -> str:
    """Return the virtual document of a kind: its schema as YAML."""
    api_version, _, name = uri.removeprefix(_PREFIX).partition("/")
    kind = schemas.find_api_version(unquote(api_version), unquote(name).removesuffix(".yaml"))
    if kind is None:
        return f"# no kind is known by the name {unquote(uri.removeprefix(_PREFIX))}\n"
    body = "".join(f"{line}\n" for line, _ in placed_lines(kind.schema))
    return f"# {kind.name}, {kind.source}\n# The schema of its objects; it cannot be edited.\n{body}"


@lru_cache(maxsize=8)  # the kinds that a user looks at
def _lines(kind: KindSchema) -> dict[NodePath, int]:
    """Return the line of each part of a kind's schema, as it is written without the head."""
    found: dict[NodePath, int] = {}
    for number, (_, path) in enumerate(placed_lines(kind.schema)):
        for length in range(len(path) + 1):
            found.setdefault(path[:length], number)
    return found


def _in_file(kind: KindSchema, path: NodePath) -> types.Location | None:
    content, uri = read_file(Path(kind.source)), file_uri(kind.source)
    if content is None or uri is None:
        return None
    text = Text(content)
    for document in parse_stream(text).documents:
        root = document.frame.chunk.root
        for definition in (root, *items(node_at(root, ("items",)))):
            for version in _versions(definition, kind.name):
                key = _nearest_key(version, ("schema", "openAPIV3Schema", *path))
                if key:
                    span = document.frame.document_span(key.span)
                    start, end = text.position(span.start), text.position(span.end)
                    return types.Location(
                        uri,
                        types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column)),
                    )
    return None


def _versions(definition: Node | None, name: GroupVersionKind) -> Iterator[Node]:
    group, kind = (text_of(node_at(definition, ("spec", *path))) for path in (("group",), ("names", "kind")))
    if (group, kind) == (name.group, name.kind):
        for version in items(node_at(definition, ("spec", "versions"))):
            if text_of(node_at(version, ("name",))) == name.version:
                yield version


def _nearest_key(node: Node, path: NodePath) -> Scalar | None:
    """Return the key at a path, or at the longest part of it that is written: ObjectMeta is not."""
    for length in range(len(path), 0, -1):
        key = key_at(node, path[:length])
        if isinstance(key, Scalar):
            return key
    return None
