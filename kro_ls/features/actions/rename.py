"""Renames a resource id, an iterator, a macro variable or a custom type, with all its uses in the RGD.

A field and the kind that an RGD declares are renamed in the whole workspace, unless kro would then refuse a definition
that it accepts now.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.analysis.analysis import default_schemas
from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS as CEL_WORDS
from kro_ls.cel.syntax.identifiers import escape, selectable_name
from kro_ls.cursor.everywhere import kind_at, symbol_at
from kro_ls.cursor.fields.declared import declared_kind
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.fields.uses import FieldUse, Form, may_use, uses_in
from kro_ls.cursor.symbol import CustomType
from kro_ls.features.convert import to_range
from kro_ls.golang.plural import plural
from kro_ls.kro import identifiers
from kro_ls.kro.simple_schema_words import TYPES
from kro_ls.repairs.proof import document_after
from kro_ls.rules.diagnostics import Severity
from kro_ls.uris import file_path
from kro_ls.yaml_positions.nodes import entries, node_at
from kro_ls.yaml_positions.scalars.writing import Replacement, can_be_plain, edited
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.everywhere import FoundSymbol, NamedKind
    from kro_ls.cursor.fields.declared import DeclaredField
    from kro_ls.cursor.symbol import Occurrence, Symbol
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.positions import Span

_FIELD_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_RENAMABLE = (Meaning.RESOURCE, Meaning.ITERATOR, None)


class RenameError(Exception):
    """The new name cannot be used; the text says why."""


def prepare_rename(cursor: Cursor) -> types.PrepareRenamePlaceholder | None:
    """Return the name at the cursor if it can be renamed."""
    found = symbol_at(cursor)
    for document, occurrence in _declared_occurrences(found, cursor.others) if found else ():
        if found and document.uri == cursor.document.uri and occurrence.span.contains(cursor.offset):
            return types.PrepareRenamePlaceholder(to_range(document, occurrence.span), found.symbol.name)
    if found:
        return None
    place = field_at(cursor)
    if place:
        return types.PrepareRenamePlaceholder(to_range(cursor.document, place.span), place.field.name)
    written = _kind_written_at(cursor)
    if written is None:
        return None
    kind, span = written
    return types.PrepareRenamePlaceholder(to_range(cursor.document, span), kind.name.kind)


def rename(cursor: Cursor, new_name: str) -> types.WorkspaceEdit | None:
    """Return the edits that rename what is at the cursor. Raises `RenameError` where kro would refuse the name."""
    found = symbol_at(cursor)
    if found is None:
        return _rename_everywhere(cursor, new_name)
    if isinstance(found.symbol, CustomType):
        _check_type(found.symbol, new_name)
    elif _is_renamable(found.symbol):
        _check_symbol(found.symbol, new_name)
    else:
        return None
    return _workspace_edit(_by_document(_declared_occurrences(found, cursor.others), new_name))


def _by_document(
    occurrences: Iterable[tuple[Document, Occurrence]], new_name: str
) -> dict[Document, tuple[Replacement, ...]]:
    found: dict[Document, tuple[Replacement, ...]] = {}
    for document, each in occurrences:
        found[document] = (*found.get(document, ()), Replacement(each.span, new_name))
    return found


def _workspace_edit(edits: Mapping[Document, Iterable[Replacement]]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(
        changes={
            document.uri: [types.TextEdit(to_range(document, each.span), each.text) for each in replacements]
            for document, replacements in edits.items()
        }
    )


def _rename_everywhere(cursor: Cursor, new_name: str) -> types.WorkspaceEdit | None:
    place = field_at(cursor)
    if place:
        return rename_field(place.field, new_name, cursor.others)
    found = _kind_written_at(cursor)
    return rename_kind(found[0], new_name, cursor.others) if found else None


def _kind_written_at(cursor: Cursor) -> tuple[NamedKind, Span] | None:
    """Return the kind whose name is at a cursor, and where; None on its `apiVersion`."""
    kind = kind_at(cursor)
    spans = (each.span for each in kind.here() if each.span.contains(cursor.offset)) if kind else iter(())
    span = next(spans, None)
    return (kind, span) if kind and span else None


def _is_renamable(symbol: Symbol | CustomType) -> bool:
    return isinstance(symbol, CustomType) or symbol.meaning in _RENAMABLE


def _declared_occurrences(found: FoundSymbol, others: AllDocuments) -> Iterator[tuple[Document, Occurrence]]:
    """Return the places of a name that can be renamed, or none where it has no declaration."""
    can_change = _is_renamable(found.symbol) and found.symbol.declaration
    return found.occurrences(others) if can_change else iter(())


def _check_symbol(symbol: Symbol, new_name: str) -> None:
    if symbol.variable is None and not identifiers.is_lower_camel_case(new_name):
        raise RenameError(f"'{new_name}' is not a valid name: it must be lower camel case, such as 'myResource'.")
    if new_name in (CEL_WORDS if symbol.variable else identifiers.RESERVED_WORDS):
        raise RenameError(f"'{new_name}' is a reserved word.")
    if not new_name.isidentifier() or not new_name.isascii():
        raise RenameError(f"'{new_name}' is not a name: letters, digits and '_' only, no digit first.")
    if new_name != symbol.name and new_name in symbol.owner.rgd.resources:
        raise RenameError(f"'{new_name}' is the id of another resource.")


def _check_type(custom_type: CustomType, new_name: str) -> None:
    if (
        not new_name.isalnum()
        or not new_name.isascii()
        or new_name[0].isdigit()
        or not can_be_plain(new_name, in_flow=False)
    ):
        raise RenameError(f"'{new_name}' is not a good name for a type: letters and digits only, no digit first.")
    if new_name in TYPES:
        raise RenameError(f"'{new_name}' is a built-in type.")
    if new_name != custom_type.name and new_name in simple_schema(custom_type.section).type_names:
        raise RenameError(f"'{new_name}' is the name of another type.")


def rename_field(field: DeclaredField, new_name: str, others: AllDocuments) -> types.WorkspaceEdit:
    """Return the edits that rename a field. Raises RenameError where kro would then refuse what it accepts now."""
    _check_field(field, new_name)
    documents = {field.document.uri: field.document}
    for document in may_use(field, others):
        documents.setdefault(document.uri, document)
    uses = {document: found for document in documents.values() if (found := uses_in(field, document))}
    edits = {document: _replacements(found, new_name) for document, found in uses.items()}
    defining = [document for document in uses if document.analysis.rgds]
    if len(defining) > 1 or not _reads_alone_change(field, uses.get(field.document, ()), new_name):
        check_renamed(edits, new_name, others)
    return _workspace_edit(edits)


def _check_field(field: DeclaredField, new_name: str) -> None:
    if not _FIELD_NAME.fullmatch(new_name) or escape(new_name) is None:
        raise RenameError(f"'{new_name}' is not a name for a field: letters, digits and '_' only, no digit first.")
    if not can_be_plain(new_name, in_flow=True):
        raise RenameError(f"YAML reads '{new_name}' as something else than a name.")
    if new_name != field.name and new_name in _siblings(field):
        raise RenameError(f"'{new_name}' is another field of the same object.")


def _siblings(field: DeclaredField) -> Iterator[str]:
    """Yield the names of the fields in the same object, its own included."""
    if field.root == "status":
        beside = entries(node_at(field.schema.section.status, field.path[:-1]))
        yield from (entry.name for entry in beside if entry.name is not None)
        return
    for root, path in field.simple_schema.definitions:
        if root == field.root and path and path[:-1] == field.path[:-1]:
            yield path[-1]


def _written(use: FieldUse, new_name: str) -> str:
    return selectable_name(escape(new_name) or new_name) if use.form is Form.SELECTED else new_name


def _replacements(uses: Iterable[FieldUse], new_name: str) -> tuple[Replacement, ...]:
    return tuple(Replacement(use.span, _written(use, new_name)) for use in uses)


def _reads_alone_change(field: DeclaredField, uses: tuple[FieldUse, ...], new_name: str) -> bool:
    """Whether kro will accept the field's own document as before; nothing that reads the field is checked again.

    The field is renamed in its schema alone. If only the reads that will be renamed are wrong then, there are no
    others; and a read of the new name has the type that the read of the old name had.
    """
    document = field.document
    chunk = field.schema.placed
    declared = [use for use in uses if chunk.start <= use.span.start and use.span.end <= chunk.end]
    reads = {use.span.start for use in uses} - {use.span.start for use in declared}
    if any(each.form is Form.KEY and each not in declared for each in uses):
        return False
    after = document_after(document, _replacements(declared, new_name))
    moved = len(after.text.content) - len(document.text.content)
    starts = ((each, each.span.start) for each in _errors(after))
    others = (each for each, start in starts if (start if start < chunk.start else start - moved) not in reads)
    return not any(_new_errors(document, others))


def rename_kind(kind: NamedKind, new_name: str, others: AllDocuments) -> types.WorkspaceEdit:
    """Return the edits that rename a kind. Raises RenameError where kro would then refuse what it accepts now."""
    _check_kind(kind, new_name)
    edits = _by_document(kind.everywhere(others), new_name)
    check_renamed(edits, new_name, others)
    return _workspace_edit(edits)


def _check_kind(kind: NamedKind, new_name: str) -> None:
    if not identifiers.is_kind(new_name):
        raise RenameError(f"'{new_name}' is not a valid kind: it must be upper camel case, such as 'WebApp'.")
    if not can_be_plain(new_name, in_flow=True):
        raise RenameError(f"YAML reads '{new_name}' as something else than a name.")
    for other in _others_of_group(kind):
        if other.kind == new_name:
            raise RenameError(f"The kind '{new_name}' exists already in the group '{other.group}'.")
        if plural(other.kind) == plural(new_name):
            raise RenameError(f"The kind '{other.kind}' has the same plural as '{new_name}': '{plural(new_name)}'.")


def _others_of_group(kind: NamedKind) -> Iterator[GroupVersionKind]:
    declared = (kind.declaring.schemas or default_schemas()).kinds()
    own = (declared_kind(rgd) for rgd in kind.declaring.analysis.rgds)
    for other in (*declared, *own):
        if other and other.group == kind.name.group and other.kind != kind.name.kind:
            yield other


def check_renamed(edits: Mapping[Document, tuple[Replacement, ...]], new_name: str, others: AllDocuments) -> None:
    """Raise RenameError where a definition has a new error after the edits."""
    renamed = {each: edited(each.text.content, edits[each]) for each in edits if each.analysis.rgds}
    index = _index(renamed, others)
    for document, content in renamed.items():
        after = replace(document, text=Text(content), schemas=index or document.schemas)
        for error in _new_errors(document, _errors(after)):
            line = after.text.position(error.span.start).line + 1
            file = document.uri.rpartition("/")[2]
            raise RenameError(f"With the name '{new_name}' kro would refuse {file}:{line}: {error.message}")


def _index(renamed: Mapping[Document, str], others: AllDocuments) -> SchemaIndex | None:
    """Return all kinds after the renaming; None where only those of the documents themselves are available."""
    schemas = others.schemas
    for document, content in renamed.items() if schemas else ():
        path = file_path(document.uri)
        if schemas and path:
            schemas = schemas.with_file(path, content)
    return schemas.index if schemas else None


def _new_errors(document: Document, after: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield those errors after a change that the document did not have; errors of one code are counted."""
    found = list(after)
    left = Counter(each.code for each in _errors(document)) if found else Counter()
    for error in found:
        left[error.code] -= 1
        if left[error.code] < 0:
            yield error


def _errors(document: Document) -> Iterator[Diagnostic]:
    """Return what kro refuses in a document."""
    return (each for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR)
