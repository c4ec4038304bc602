"""Pictures of the documentation: each is made by `scripts/pictures`, shown by a page, and small."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.pictures.camera import FOLDERS, path_of
from tests.pictures.png import SIGNATURE, with_words, words_of
from tests.pictures.stages import STAGES

NAMES = [name for stage in STAGES for name in stage.names]
PICTURES = sorted(str(path.relative_to(ROOT)) for folder in FOLDERS.values() for path in (ROOT / folder).glob("*.png"))
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "editors").glob("*/README.md")]
SHOWN = re.compile(r'!\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"')


def shown_by(page: Path) -> set[str]:
    """Return the pictures that a page shows, as paths in the repository."""
    found = SHOWN.findall(page.read_text(encoding="utf-8"))
    return {str((page.parent / (link or source)).resolve().relative_to(ROOT)) for link, source in found}


def test_the_command_makes_every_picture_and_no_other() -> None:
    assert sorted(path_of(name) for name in NAMES) == PICTURES


def test_every_picture_is_shown() -> None:
    manifest = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    steps = [step for tour in manifest["contributes"]["walkthroughs"] for step in tour["steps"]]
    shown = {f"editors/vscode/{path}" for step in steps for path in step["media"].get("image", {}).values()}
    for page in PAGES:
        shown |= shown_by(page)
    pictures = {path for path in shown if path.endswith(".png")}
    assert sorted(pictures) == PICTURES


def test_pictures_of_both_themes_come_in_pairs() -> None:
    for page in PAGES:
        shown = shown_by(page)
        for path in shown:
            if path.endswith("-light.png"):
                assert path.replace("-light.png", "-dark.png") in shown, page


@pytest.mark.parametrize("path", PICTURES)
def test_a_picture_is_small_and_holds_its_words(path: str) -> None:
    data = (ROOT / path).read_bytes()
    assert data.startswith(SIGNATURE)
    assert len(data) < 120_000
    assert words_of(data) is not None


def test_words_are_kept_in_a_picture() -> None:
    data = (ROOT / PICTURES[0]).read_bytes()
    words = "two lines\nand ↺"
    assert words_of(SIGNATURE + data[-12:]) is None
    assert words_of(with_words(SIGNATURE + data[-12:], words)) == words
