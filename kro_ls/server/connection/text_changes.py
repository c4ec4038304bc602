"""What `textDocument/didChange` says, in types of our own.

It comes at every key, and must not be misread: lsprotocol takes eight times as long, reads the line 0.5 as 0 and the
text 5 as "5", and refuses a whole text whose range is null.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didChange
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from pygls.exceptions import JsonRpcInvalidParams

UInteger = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Position(Struct, frozen=True):
    """LSP's `Position`."""

    line: UInteger
    character: UInteger


class Range(Struct, frozen=True):
    """LSP's `Range`."""

    start: Position
    end: Position


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


def read_did_change(parameters: Any) -> DidChange:
    """Return what the parameters of the notification say. Raises JsonRpcInvalidParams."""
    try:
        return msgspec.convert(parameters, DidChange)
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(str(error)) from error
