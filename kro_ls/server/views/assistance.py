"""Completion, hover and diagnostics for a text of a preview's scenario that the user edits in a page.

Such a text is not an open document: each question has it. Positions are LSP's, in UTF-16 code units, as in browsers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import msgspec
from lsprotocol import types
from msgspec import Struct

from kro_ls.features.lsp_types import Position
from kro_ls.server.background import in_thread
from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.views.scenarios import asked_document
from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_TYPED = "kro-scenario:/instance.yaml"


class Item(Struct, frozen=True):
    """The item of a completion that a question is about."""

    label: str = ""
    data: dict[str, str | int] | None = None


class Question(Struct, frozen=True, rename="camel"):
    """A question about a text; `docs/editor-commands.md` describes each member."""

    method: Literal["completion", "description", "hover", "diagnostics"]
    of: Literal["instance", "observed"]
    text: str
    api_version: str = ""
    kind: str = ""
    position: Position = Position(0, 0)
    item: Item = Item()


async def assistance(server: KroLanguageServer, uri: object, number: int, question: object) -> Any:
    """Return the answer to a question about a text of the scenario of a definition, None if there is none.

    Raises NoAnswerError if the question is wrong or there is no such definition.
    """
    from kro_ls.workspace.text_files import LARGEST_FILE

    try:
        asked = msgspec.convert(_as_json(question), Question)
    except msgspec.ValidationError as error:
        raise NoAnswerError(str(error)) from error
    document = asked_document(server, uri, number)
    if len(asked.text) > LARGEST_FILE:
        return None

    def answer() -> Any:
        return msgspec.to_builtins(_answer(_typed(document, document.analysis.rgds[number], asked), asked))

    return await in_thread("assistance", answer)


def _as_json(value: Any) -> Any:
    """Return parameters of a request, which pygls converts to named tuples, as JSON."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _as_json(inner) for name, inner in value._asdict().items()}
    return value


def _typed(definition: Document, rgd: RgdAnalysis, asked: Question) -> Document:
    """Return the text as a document that sees the kinds of the definition."""
    from kro_ls.analysis.analysis import default_schemas
    from kro_ls.openapi.json_values import HeldObject
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.kind_making import kind_of_instances
    from kro_ls.workspace.observed_objects import SCHEME
    from kro_ls.yaml_positions.positions import PositionEncoding
    from kro_ls.yaml_positions.text import Text

    schemas = definition.schemas or default_schemas()
    uri, kind = _TYPED, None
    if asked.of == "instance":
        kind = kind_of_instances(rgd, path_of(definition.uri), HeldObject(schemas.object_meta))
    else:
        uri = f"{SCHEME}:/{quote(asked.api_version)}/{quote(asked.kind)}/0/status.yaml"
    text = Text(asked.text)
    return Document(uri, None, text, PositionEncoding.UTF16, definition.settings, schemas, instance_of=kind)


def _answer(document: Document, asked: Question) -> object:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.completion.completion_list import completion, resolve
    from kro_ls.features.convert import to_offset
    from kro_ls.features.hover.hover import hover
    from kro_ls.workspace.check import check_document

    cursor = Cursor(document, to_offset(document, types.Position(asked.position.line, asked.position.character)))
    match asked.method:
        case "diagnostics":
            return [_with_fixes(document, each) for each in check_document(document).diagnostics]
        case "completion":
            return completion(cursor, snippets=True)
        case "description":
            item = types.CompletionItem(asked.item.label, data=asked.item.data)
            return resolve(item, {document.uri: document}).documentation
        case "hover":
            return hover(cursor)


def _with_fixes(document: Document, diagnostic: Diagnostic) -> dict[str, Any]:
    from kro_ls.features.convert import to_text_edit
    from kro_ls.features.diagnostics import to_sent

    fixes = [
        {"title": fix.title, "edits": [_edit(to_text_edit(document, each)) for each in fix.replacements]}
        for fix in diagnostic.fixes
    ]
    shown: dict[str, Any] = msgspec.to_builtins(to_sent(document, diagnostic))
    return {**shown, "fixes": fixes}


def _edit(edit: types.TextEdit) -> dict[str, Any]:
    return {"range": msgspec.to_builtins(edit.range), "newText": edit.new_text}
