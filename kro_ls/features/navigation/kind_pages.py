"""Goes to where a kind's schema describes a field: in a CRD's file, or in a virtual document of a bundled kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lsprotocol import types

from kro_ls.render.yaml_text import placed_lines
from kro_ls.uris import file_uri
from kro_ls.workspace.files import read_file
from kro_ls.yaml_positions.access import items, key_at, node_at, text_of
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.cursor.fields.declared import ValuePath
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.yaml_positions.nodes import Node

SCHEME = "kro-preview"
_PREFIX = f"{SCHEME}:/kind/"


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


_HEAD_LINES = 2


@lru_cache(maxsize=8)  # the kinds that somebody looks at
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
