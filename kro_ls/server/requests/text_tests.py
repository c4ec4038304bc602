"""`kro-ls/tests`: the tests in the text of a test file, for clients that list them; the file need not be open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from kro_ls.render.page_data import PlacedTest
    from kro_ls.server.server import KroLanguageServer

_ASKED: Final = "kro-asked:/asked.test.yaml"
"""The name of a text that a client asks about: it is in no file."""


def _tests(server: KroLanguageServer, params: Any) -> list[PlacedTest]:
    from kro_ls.features.previews.refused import client_range
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.test_files import placed_tests
    from kro_ls.yaml_positions.text import Text

    text = getattr(params, "text", None)
    if not isinstance(text, str):
        raise NoAnswerError("'text' must be the text of a test file")
    document = Document(_ASKED, None, Text(text), server.encoding)
    return [{"name": name, "range": client_range(document, span)} for name, span in placed_tests(document.text)]


REGISTERED = (Request("kro-ls/tests", Mode.ACROSS_FILES, _tests),)
