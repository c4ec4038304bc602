"""`textDocument/semanticTokens`: of a whole document, of its changes, and of a range."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode

_LEGEND = types.SemanticTokensLegend(
    [
        *("variable", "parameter", "property", "function", "method", "macro", "keyword", "number", "string"),
        *("operator", "type", "class", "decorator", "enumMember"),
    ],
    ["declaration", "defaultLibrary"],
)
"""The words for the numbers in `kro_ls/features/tokens.py`."""


async def _full(asked: Asked[Any]) -> types.SemanticTokens:
    from kro_ls.features.semantic_tokens import semantic_tokens

    server, document = asked.server, asked.document
    data = await server.slow_documents.worked_out(document, semantic_tokens, about_all=True)
    return types.SemanticTokens(data, server.sent_tokens.send(document.uri, data, server.documents))


async def _delta(asked: Asked[types.SemanticTokensDeltaParams]) -> types.SemanticTokens | types.SemanticTokensDelta:
    from kro_ls.features.semantic_tokens import changes

    previous, before = asked.server.sent_tokens.of(asked.document.uri)
    after = await _full(asked)
    if previous != asked.params.previous_result_id:
        return after
    edits = await asked.server.slow_documents.worked_out(asked.document, lambda _: changes(before, after.data))
    return types.SemanticTokensDelta(edits, after.result_id)


def _in_range(asked: Asked[types.SemanticTokensRangeParams]) -> types.SemanticTokens:
    from kro_ls.features.semantic_tokens import semantic_tokens

    return types.SemanticTokens(semantic_tokens(asked.document, asked.params.range))


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, Mode.IN_STEPS, _full, _LEGEND),
    DocumentRequest(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, Mode.IN_STEPS, _delta),
    DocumentRequest(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, Mode.QUICK, _in_range, _LEGEND),
)
