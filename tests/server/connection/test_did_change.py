"""Edits of documents, as clients send them."""

from __future__ import annotations

import pytest
from pygls.exceptions import JsonRpcInvalidParams

from kro_ls.features.lsp_types import ContentChange, Position, Range
from kro_ls.server.connection.protocol import read_did_change

PLACE = {"start": {"line": 0, "character": 1}, "end": {"line": 2, "character": 3}}


def _parameters(*changes: object, version: object = 7) -> dict[str, object]:
    return {"textDocument": {"uri": "file:///a.yaml", "version": version}, "contentChanges": changes}


@pytest.mark.parametrize("text", ["", "a\r\nb", "\ud83d", "😀"])
def test_edits_are_read(text: str) -> None:
    partial = {"range": PLACE, "rangeLength": 5, "text": text}
    read = read_did_change(_parameters(partial, {"text": "all"}, {"range": None, "text": "all"}))
    assert (read.text_document.uri, read.text_document.version) == ("file:///a.yaml", 7)
    whole = ContentChange("all")
    assert read.content_changes == (ContentChange(text, Range(Position(0, 1), Position(2, 3))), whole, whole)


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        [],
        {},
        _parameters(version="7"),
        _parameters(None),
        _parameters({"range": PLACE}),
        _parameters({"text": 5}),
        _parameters({"text": "", "range": {"start": PLACE["start"]}}),
        _parameters({"text": "", "range": {**PLACE, "end": {"line": -1, "character": 0}}}),
        _parameters({"text": "", "range": {**PLACE, "end": {"line": 2**31, "character": 0}}}),
        _parameters({"text": "", "range": {**PLACE, "end": {"line": 0.5, "character": 0}}}),
    ],
)
def test_what_is_no_edit_is_refused(parameters: object) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        read_did_change(parameters)
