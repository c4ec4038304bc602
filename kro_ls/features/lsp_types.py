"""Our own versions of some LSP types beside lsprotocol's: those sent by the thousand, or at every key.

An outline has tens of thousands of ranges, and lists of completion are asked for at every key. msgspec makes and writes
such values many times faster than lsprotocol, which needs longer for that than the computation of their contents. They
may hold values of lsprotocol whose fields have one-word names, since msgspec writes those as LSP does.

`textDocument/didChange` comes at every key as well and must not be misread: lsprotocol takes eight times as long,
reads the line 0.5 as 0 and the text 5 as "5", and refuses a whole text whose range is null.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didChange
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol import types

UInteger: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]

Lookup: TypeAlias = dict[str, "str | int"]
"""The data of a completion item, where it was offered, by which its documentation is found later."""


class Position(Struct, frozen=True, order=True, gc=False):
    """LSP's `Position`."""

    line: UInteger
    character: UInteger


class Range(Struct, frozen=True, gc=False):
    """LSP's `Range`."""

    start: Position
    end: Position


class TextEdit(Struct, frozen=True, rename="camel"):
    """LSP's `TextEdit`."""

    range: types.Range
    new_text: str


class CompletionItem(Struct, frozen=True, omit_defaults=True, rename="camel"):
    """LSP's `CompletionItem`."""

    label: str
    kind: types.CompletionItemKind | None = None
    detail: str | None = None
    insert_text: str | None = None
    insert_text_format: types.InsertTextFormat | None = None
    insert_text_mode: types.InsertTextMode | None = None
    filter_text: str | None = None
    sort_text: str | None = None
    text_edit: TextEdit | None = None
    text_edit_text: str | None = None
    additional_text_edits: tuple[TextEdit, ...] = ()
    tags: tuple[types.CompletionItemTag, ...] = ()
    documentation: types.MarkupContent | None = None
    data: Lookup | None = None


class ItemDefaults(Struct, frozen=True, rename="camel"):
    """LSP's `CompletionItemDefaults`."""

    edit_range: types.Range


class CompletionList(Struct, frozen=True, omit_defaults=True, rename="camel"):
    """LSP's `CompletionList`."""

    is_incomplete: bool
    items: list[CompletionItem]
    item_defaults: ItemDefaults | None = None


class Location(Struct, frozen=True, gc=False):
    """LSP's `Location`."""

    uri: str
    range: Range


class RelatedInformation(Struct, frozen=True, gc=False):
    """LSP's `DiagnosticRelatedInformation`."""

    location: Location
    message: str


class CodeDescription(Struct, frozen=True, gc=False):
    """LSP's `CodeDescription`."""

    href: str


class SentDiagnostic(Struct, frozen=True, omit_defaults=True, rename="camel", gc=False):
    """LSP's `Diagnostic`."""

    range: Range
    message: str
    severity: types.DiagnosticSeverity
    code: str | None = None
    code_description: CodeDescription | None = None
    source: str | None = None
    related_information: Sequence[RelatedInformation] | None = None
    tags: Sequence[types.DiagnosticTag] | None = None


class SentDiagnostics(Struct, frozen=True, omit_defaults=True):
    """LSP's `PublishDiagnosticsParams`."""

    uri: str
    diagnostics: Sequence[SentDiagnostic]
    version: int | None = None


class SentReport(Struct, frozen=True, tag_field="kind", tag="full", rename="camel"):
    """LSP's `FullDocumentDiagnosticReport`."""

    items: Sequence[SentDiagnostic]
    result_id: str


class CodeLens(Struct, frozen=True, gc=False):
    """LSP's `CodeLens`."""

    range: Range
    data: dict[str, str | int]


class DocumentSymbol(Struct, frozen=True, omit_defaults=True, rename="camel", gc=False):
    """LSP's `DocumentSymbol`."""

    name: str
    kind: types.SymbolKind
    range: Range
    selection_range: Range
    detail: str | None = None
    children: Sequence[DocumentSymbol] = ()


class FoldingRange(Struct, frozen=True, rename="camel", gc=False):
    """LSP's `FoldingRange`."""

    start_line: int
    end_line: int


class ContentChange(Struct, frozen=True):
    """LSP's `TextDocumentContentChangeEvent`: of the whole document where it has no range."""

    text: str
    range: Range | None = None


class VersionedDocument(Struct, frozen=True):
    """LSP's `VersionedTextDocumentIdentifier`."""

    uri: str
    version: int


class DidChange(Struct, frozen=True, rename="camel"):
    """LSP's `DidChangeTextDocumentParams`."""

    text_document: VersionedDocument
    content_changes: tuple[ContentChange, ...]
