"""The names of the kinds that RGDs declare, found in the lines of a text without parsing it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS, is_rgd, read, unread_documents, with_list_items
from kro_ls.kro.forms import DEFAULT_GROUP, GROUP, KIND
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.outline import outline, split_documents
from kro_ls.yaml_positions.text import Text, holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.workspace.documents import Document

# The first line below `schema:`; its column is the depth that an outline needs.
_SCHEMA = re.compile(rb"\n[ ]+schema:[ \r]*\n(?:[ ]*(?:#.*)?\n)*([ ]+)")
_DOCUMENT_START = re.compile(r"\n---(?=[ \t\r\n]|\Z)")


def kinds_of(document: Document) -> tuple[GroupVersionKind, ...]:
    """Return the kinds that the RGDs of a document declare, from its analysis if that is complete."""
    analysis = document.analysis
    if analysis.actions.spans or unread_documents(analysis.stream):
        return declared_kinds(document.text.content)
    return tuple(kind for each in analysis.rgds if (kind := kind_of(each.rgd.schema)))


def declared_kinds(text: str) -> tuple[GroupVersionKind, ...]:
    """Return the kinds that the RGDs of a text declare."""
    unread = next(islice(_DOCUMENT_START.finditer(text), MOST_DOCUMENTS - 1, None), None)
    documents = split_documents(text[: unread.start() + 1 if unread else None].encode("utf-8", "surrogatepass"))
    if documents is None:
        return tuple(_parsed_kinds(text))
    found: list[GroupVersionKind] = []
    same: dict[GroupVersionKind, GroupVersionKind] = {}  # a text may declare one kind hundreds of times
    for document in documents:
        kinds = _outlined_kinds(document)
        if kinds is None:
            return tuple(_parsed_kinds(text))
        found += (same.setdefault(kind, kind) for kind in kinds)
    return tuple(found)


def _outlined_kinds(document: bytes) -> tuple[GroupVersionKind, ...] | None:
    """Return the kinds that a document declares, None if it must be parsed for that."""
    if not holds(document, KIND.encode()) and b"\\" not in document:
        return ()
    schema = _SCHEMA.search(document)
    root = outline(document, len(schema[1]) if schema else 0)
    if root is None:
        return None
    api_version, kind = root.get("apiVersion", GROUP), root.get("kind")
    if not isinstance(kind, str) or not isinstance(api_version, str):
        return None
    if kind.endswith("List"):
        return None
    if kind != KIND or api_version.partition("/")[0] != GROUP:
        return ()
    spec = root.get("spec")
    section = spec.get("schema") if isinstance(spec, dict) else None
    if not isinstance(section, dict):
        return None
    group, version, kind = (section.get(name) for name in ("group", "apiVersion", "kind"))
    if version is None or kind is None:
        return ()
    if not isinstance(version, str) or not isinstance(kind, str) or not (group is None or isinstance(group, str)):
        return None
    return (GroupVersionKind(group or DEFAULT_GROUP, version, kind),) if version and kind else ()


def _parsed_kinds(text: str) -> Iterator[GroupVersionKind]:
    documents = with_list_items(parse_stream(Text(text), CUTS, MOST_DOCUMENTS)).documents
    return (kind for document in documents if is_rgd(document) and (kind := kind_of(read(document).schema)))


def kind_of(schema: PlacedSchema | None) -> GroupVersionKind | None:
    """Return the kind that an RGD with this schema declares, None if it declares none."""
    version = text_of(field(schema.section.node, "apiVersion")) if schema else None
    if schema is None or not schema.section.kind or not version:
        return None
    return GroupVersionKind(schema.section.group, version, schema.section.kind)
