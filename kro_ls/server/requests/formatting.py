"""`textDocument/formatting`, `textDocument/rangeFormatting` and `textDocument/onTypeFormatting`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode

_ON_TYPE = types.DocumentOnTypeFormattingOptions(first_trigger_character="}", more_trigger_character=["\n"])


def _formatting(asked: Asked[types.DocumentFormattingParams]) -> list[types.TextEdit]:
    from kro_ls.features.expression_formatting import format_expressions

    return format_expressions(asked.document)


def _range_formatting(asked: Asked[types.DocumentRangeFormattingParams]) -> list[types.TextEdit]:
    from kro_ls.features.expression_formatting import format_expressions
    from kro_ls.features.indentation import indent_pasted

    document, selected = asked.document, asked.params.range
    return indent_pasted(document, selected) or format_expressions(document, selected)


def _on_type_formatting(asked: Asked[types.DocumentOnTypeFormattingParams]) -> list[types.TextEdit]:
    from kro_ls.features.expression_formatting import format_closed
    from kro_ls.features.indentation import indent_new_line

    cursor = asked.cursor(asked.params.position)
    return indent_new_line(cursor) if asked.params.ch == "\n" else format_closed(cursor)


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_FORMATTING, Mode.BACKGROUND, _formatting),
    DocumentRequest(types.TEXT_DOCUMENT_RANGE_FORMATTING, Mode.QUICK, _range_formatting),
    DocumentRequest(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, Mode.QUICK, _on_type_formatting, _ON_TYPE),
)
