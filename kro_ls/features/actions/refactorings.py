"""Changes of a definition in which nothing is wrong: each is offered where the cursor stands on what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.convert import to_offset, to_text_edit
from kro_ls.repairs.proof import brings_no_error
from kro_ls.shortening import menu_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.writing import Replacement


class Refactoring(Struct, frozen=True):
    """A change: its kind in LSP, what the menu shows, and the replacements in document offsets."""

    kind: types.CodeActionKind
    title: str
    replacements: tuple[Replacement, ...]


def refactorings(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the refactorings of what stands where the range begins that bring no error; none in broken YAML."""
    cursor = Cursor(document, to_offset(document, selected.start))
    if cursor.rgd is None or cursor.rgd.rgd.document.errors:
        return []
    return [_action(document, each) for each in found_refactorings(cursor)]


def _action(document: Document, refactoring: Refactoring) -> types.CodeAction:
    edits = [to_text_edit(document, each) for each in refactoring.replacements]
    return types.CodeAction(
        title=menu_title(refactoring.title),
        kind=refactoring.kind,
        edit=types.WorkspaceEdit(changes={document.uri: edits}),
    )


def found_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the refactorings at a cursor that bring no error; other quotes never do."""
    from kro_ls.features.actions.bare_manifests import manifest_refactorings
    from kro_ls.features.actions.collections import collection_refactorings
    from kro_ls.features.actions.copied_resources import copy_refactorings
    from kro_ls.features.actions.expression_refactorings import expression_refactorings
    from kro_ls.features.actions.extracted_variables import variable_refactorings
    from kro_ls.features.actions.quoting import requoted
    from kro_ls.features.actions.resource_refactorings import resource_refactorings
    from kro_ls.features.actions.schema_refactorings import schema_refactorings
    from kro_ls.features.actions.shared_texts import shared_text_refactorings

    for source in (schema_refactorings, expression_refactorings, resource_refactorings, collection_refactorings):
        for each in source(cursor):
            if brings_no_error(cursor.document, each.replacements):
                yield each
    # These prove themselves.
    for source in (variable_refactorings, shared_text_refactorings, copy_refactorings, manifest_refactorings):
        yield from source(cursor)
    yield from requoted(cursor)
