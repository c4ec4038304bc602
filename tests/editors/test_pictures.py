"""The pictures of the documentation are not old: those of pages and terminals, taken again, show the same words.

`scripts/pictures` takes them again, and `scripts/pictures --check` does the same for those of VS Code, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import skip_if_missing
from tests.paths import ROOT
from tests.pictures import in_pages, in_terminals
from tests.pictures.camera import Camera, changed_words, path_of
from tests.pictures.png import size_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.pictures.camera import Stage


@pytest.mark.parametrize("stage", [in_pages.STAGE, in_terminals.STAGE], ids=["pages", "terminals"])
def test_pictures_show_what_they_would_show_now(stage: Stage, tmp_path: Path, need: Callable[[str], str]) -> None:
    skip_if_missing()
    need("pngquant")
    if not (ROOT / "kro_ls/render/views/graph.js").exists():
        pytest.skip("the views are not built: run scripts/views build")
    camera = Camera(tmp_path, frozenset(stage.names))
    stage.play(camera)
    assert sorted(camera.taken) == sorted(stage.names)
    assert [line for name in stage.names for line in changed_words(tmp_path, name)] == [], "run scripts/pictures"
    for name in stage.names:
        kept, now = ((folder / path_of(name)).read_bytes() for folder in (ROOT, tmp_path))
        assert size_of(kept) == size_of(now), name
