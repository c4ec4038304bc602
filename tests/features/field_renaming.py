"""Renames every field that a text's definitions declare to a fresh name and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.fields.declared import DeclaredField
from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.convert import to_offset
from kro_ls.openapi.index import SchemaIndex
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.nodes import Node, entries
from kro_ls.yaml_positions.text import Text

FRESH = "freshName"


class RoundTrip(NamedTuple):
    """What came of a field: an empty `problem` where all was well."""

    field: str
    problem: str


def round_trips(text: str, schemas: SchemaIndex | None = None) -> Iterator[RoundTrip]:
    """Yield the result for each field of the definitions in a text that kro accepts."""
    document = Document("file:///rgd.yaml", 1, Text(text), schemas=schemas)
    for field in declared_fields(document):
        declared = field.declaration
        assert declared
        name = f"{field.root}.{'.'.join(field.path)}"
        yield RoundTrip(name, _problem(document, declared.end, field.name))


def declared_fields(document: Document) -> Iterator[DeclaredField]:
    for rgd in document.analysis.rgds:
        schema = rgd.rgd.schema
        if schema is None:
            continue
        for root, path in simple_schema(schema.section).definitions:
            if len(path) > (1 if root == "types" else 0):
                yield DeclaredField(document, rgd, schema, root, path)
        for names in (each for each in _names(schema.section.status, ()) if each != ("conditions",)):
            yield DeclaredField(document, rgd, schema, "status", names)


def _names(node: Node | None, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for entry in entries(node):
        if entry.name is not None:
            yield (*path, entry.name)
            yield from _names(entry.value, (*path, entry.name))


def _problem(document: Document, offset: int, name: str) -> str:
    if prepare_rename(Cursor(document, offset)) is None:
        return "there is nothing to rename"
    try:
        renamed = _renamed(document, offset, FRESH)
        errors = _errors(renamed) - _errors(document)
        if errors:
            return f"refused: {min(errors)}"
        start = renamed.text.content.index(FRESH)
        back = _renamed(renamed, start, name)
    except RenameError as error:
        return str(error)
    return "" if back.text.content == document.text.content else "other bytes"


def _renamed(document: Document, offset: int, new_name: str) -> Document:
    edit = rename(Cursor(document, offset), new_name)
    assert edit
    assert edit.changes
    return Document(document.uri, 1, Text(applied(document, edit.changes[document.uri])), schemas=document.schemas)


def applied(document: Document, edits: Sequence[types.TextEdit]) -> str:
    """Return the text after edits, which may be in any order."""
    content = document.text.content
    for edit in sorted(edits, key=lambda each: each.range.start, reverse=True):
        start, end = to_offset(document, edit.range.start), to_offset(document, edit.range.end)
        content = content[:start] + edit.new_text + content[end:]
    return content


def _errors(document: Document) -> set[str]:
    return {each.code for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR}
