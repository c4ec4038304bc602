"""Changes of a definition without faults: each is offered where the cursor stands on what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.refactoring import Refactoring
from kro_ls.features.convert import to_offset, to_text_edit
from kro_ls.repairs.proof import brings_no_error
from kro_ls.shortening import menu_title
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, can_be_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.documents import Document

_QUOTED = (ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED)


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
    """Yield the refactorings at a cursor that bring no error."""
    from kro_ls.features.actions.config_maps import shared_text_refactorings, variable_refactorings
    from kro_ls.features.actions.copied_resources import copy_refactorings
    from kro_ls.features.actions.resource_refactorings import (
        collection_refactorings,
        manifest_refactorings,
        resource_refactorings,
    )
    from kro_ls.features.actions.schema_refactorings import expression_refactorings, schema_refactorings

    for source in (schema_refactorings, expression_refactorings, resource_refactorings, collection_refactorings):
        for each in source(cursor):
            if brings_no_error(cursor.document, each.replacements):
                yield each
    # These check themselves that the objects stay the same.
    for source in (variable_refactorings, shared_text_refactorings, copy_refactorings, manifest_refactorings):
        yield from source(cursor)
    yield from requoted(cursor)


def requoted(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the other ways to write the quoted text at the cursor, if it is on one line."""
    located = cursor.yaml.located if cursor.yaml and not cursor.yaml.in_key else None
    scalar = located.node if located else None
    if located is None or not isinstance(scalar, Scalar) or not isinstance(scalar.value, str):
        return
    span = located.placed.document_span(scalar.span)
    text = scalar.value
    # Quotes around a plain text would change nothing.
    if scalar.style not in _QUOTED or not span.contains(cursor.offset) or not text.isprintable():
        return
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    single = text.replace("'", "''")
    ways = (
        ("Write without quotes", ScalarStyle.PLAIN, text),
        ("Write in single quotes", ScalarStyle.SINGLE_QUOTED, f"'{single}'"),
        ("Write in double quotes", ScalarStyle.DOUBLE_QUOTED, f'"{escaped}"'),
    )
    for title, style, written in ways:
        # What may stand in `{...}` without quotes is for people to see, so none are taken away as in there.
        if style is not scalar.style and (style is not ScalarStyle.PLAIN or can_be_plain(text, in_flow=True)):
            yield Refactoring(types.CodeActionKind.RefactorRewrite, title, (Replacement(span, written),))
