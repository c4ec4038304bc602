"""What the rooms that could be published on their own must not know."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

_WORD = re.compile(r"kro(?!_ls\b)", re.IGNORECASE)


@pytest.mark.parametrize("room", ["cel", "golang", "yaml_positions"])
def test_a_room_of_general_use_does_not_speak_of_kro(room: str) -> None:
    sources = list((ROOT / "kro_ls" / room).rglob("*.py"))
    assert sources
    assert [line for source in sources for line in lines_about_kro(source)] == []


def lines_about_kro(source: Path) -> list[str]:
    lines = source.read_text(encoding="utf-8").splitlines()
    return [f"{source}:{number}: {line}" for number, line in enumerate(lines, 1) if _WORD.search(line)]
