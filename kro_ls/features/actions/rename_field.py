"""Renames a field that an RGD declares, with all its uses in the workspace, or tells why that would break something."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.syntax.identifiers import escape, selectable_name
from kro_ls.cursor.fields.uses import FieldUse, Form, may_use, uses_in
from kro_ls.features.actions.accepted_renaming import RenameError, check_renamed, errors
from kro_ls.features.convert import to_range
from kro_ls.repairs.proof import document_after
from kro_ls.yaml_positions.writing import Replacement, can_be_plain, edited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.fields.declared import DeclaredField
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def rename_field(field: DeclaredField, new_name: str, others: AllDocuments) -> types.WorkspaceEdit:
    """Return the edits that rename a field. Raises RenameError where kro would then refuse what it accepts now."""
    _check(field, new_name)
    uses = {document: found for document in _documents(field, others) if (found := uses_in(field, document))}
    defining = {document: found for document, found in uses.items() if document.analysis.rgds}
    if len(defining) > 1 or not _reads_alone_change(field, uses.get(field.document, ()), new_name):
        renamed = {document: _renamed(document, found, new_name) for document, found in defining.items()}
        check_renamed(renamed, new_name, others)
    return types.WorkspaceEdit(
        changes={
            document.uri: [types.TextEdit(to_range(document, use.span), _written(use, new_name)) for use in found]
            for document, found in uses.items()
        }
    )


def _documents(field: DeclaredField, others: AllDocuments) -> Iterator[Document]:
    found = {field.document.uri: field.document}
    for document in may_use(field, others):
        found.setdefault(document.uri, document)
    yield from found.values()


def _check(field: DeclaredField, new_name: str) -> None:
    if not _NAME.fullmatch(new_name) or escape(new_name) is None:
        raise RenameError(f"'{new_name}' is not a name for a field: letters, digits and '_' only, no digit first.")
    if not can_be_plain(new_name, in_flow=True):
        raise RenameError(f"YAML reads '{new_name}' as something else than a name.")
    siblings = {path[-1] for _, path in _siblings(field)}
    if new_name != field.name and new_name in siblings:
        raise RenameError(f"'{new_name}' is another field of the same object.")


def _siblings(field: DeclaredField) -> Iterator[tuple[str, tuple[str, ...]]]:
    from kro_ls.yaml_positions.access import entries, node_at

    if field.root == "status":
        for entry in entries(node_at(field.schema.section.status, field.path[:-1])):
            if entry.name is not None:
                yield "status", (*field.path[:-1], entry.name)
        return
    for root, path in field.simple_schema.definitions:
        if root == field.root and path and path[:-1] == field.path[:-1]:
            yield root, path


def _written(use: FieldUse, new_name: str) -> str:
    return selectable_name(escape(new_name) or new_name) if use.form is Form.SELECTED else new_name


def _renamed(document: Document, uses: tuple[FieldUse, ...], new_name: str) -> str:
    return edited(document.text.content, _replacements(uses, new_name))


def _replacements(uses: Iterable[FieldUse], new_name: str) -> tuple[Replacement, ...]:
    return tuple(Replacement(use.span, _written(use, new_name)) for use in uses)


def _reads_alone_change(field: DeclaredField, uses: tuple[FieldUse, ...], new_name: str) -> bool:
    """Whether kro accepts the field's own document as before, told without checking anew all that reads the field.

    The field is renamed in its schema alone. If what is wrong then are just the reads that are going to be renamed,
    these are all there are; and a read of the new name has the type that the read of the old one had.
    """
    document = field.document
    chunk = field.schema.placed
    declared = [use for use in uses if chunk.start <= use.span.start and use.span.end <= chunk.end]
    reads = {use.span.start for use in uses} - {use.span.start for use in declared}
    if any(each.form is Form.KEY and each not in declared for each in uses):
        return False
    after = document_after(document, _replacements(declared, new_name))
    moved = len(after.text.content) - len(document.text.content)
    known = Counter(each.code for each in errors(document))
    for error in errors(after):
        start = error.span.start
        if (start if start < chunk.start else start - moved) not in reads:
            known[error.code] -= 1
            if known[error.code] < 0:
                return False
    return True
