"""`workspace/textDocumentContent`: the texts of virtual documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer


_FILE_LINK = re.compile(r"\[([^\]\n]+)\]\(file:[^)\s]*\)")
"""A link that VS Code, for security, does not follow but shows as it is written."""


async def _content(
    server: KroLanguageServer, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    return types.TextDocumentContentResult(await _text(server, params.uri))


async def _text(server: KroLanguageServer, uri: str) -> str:
    from kro_ls.analysis.analysis import default_schemas
    from kro_ls.features.diagnostics import RULE_PAGES
    from kro_ls.features.navigation.kind_pages import is_kind_uri, kind_text
    from kro_ls.server.views.virtual_documents import read_virtual_uri, render

    if uri.startswith(RULE_PAGES):
        return _rule_page(uri.removeprefix(RULE_PAGES).removesuffix(".md"))
    if is_kind_uri(uri):
        schemas = server.schema_keeper.current
        return kind_text(uri, schemas.index if schemas else default_schemas())
    try:
        view = read_virtual_uri(uri)
        server.previews.show(uri, view.uri, of_files=view.name == "why")
        return _FILE_LINK.sub(r"\1", (await render(server, view))["text"])
    except NoAnswerError as error:
        return f"# {error}\n"


def _rule_page(code: str) -> str:
    from kro_ls.render.rule_page import page
    from kro_ls.rules.registry import RULES

    return next((page(rule) for rule in RULES if rule.code == code), f"There is no rule '{code}'.\n")


REGISTERED = (Request(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, Mode.IN_STEPS, _content),)
