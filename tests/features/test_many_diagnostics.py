"""A document with thousands of faults shows the first, and says how many there are more."""

from __future__ import annotations

from kro_ls.features.diagnostics import MOST_SHOWN, diagnostics
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps


def shown(faults: int) -> list[str]:
    text = Text(rgd_of_config_maps(*((f"r{number}", f"${{shema.spec.name}}-{number}") for number in range(faults))))
    return [each.message for each in diagnostics(Document("file:///a.yaml", 1, text, PositionEncoding.UTF16))]


def test_as_many_as_can_be_shown_are_shown() -> None:
    messages = shown(MOST_SHOWN)
    assert len(messages) == MOST_SHOWN
    assert not any("more" in message for message in messages)


def test_of_more_the_number_is_reported() -> None:
    messages = shown(MOST_SHOWN + 1234)
    assert len(messages) == MOST_SHOWN + 1
    assert messages[-1] == "and 1,234 more; `kro-ls check` lists them all"
