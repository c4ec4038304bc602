"""That docs/places.md tells the truth."""

from __future__ import annotations

from tests.paths import ROOT
from tests.server.places import tables


def test_the_page_says_what_the_server_answers() -> None:
    assert (ROOT / "docs" / "places.md").read_text(encoding="utf-8") == tables()
