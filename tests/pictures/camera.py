"""Where the pictures of the documentation are kept, and how one is taken."""

from __future__ import annotations

import base64
import subprocess
import tempfile
import time
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.editors.chromium import Browser

FOLDERS = {"": "docs/images", "walkthrough": "editors/vscode/walkthrough"}
"""The folder of the repository for the first part of a picture's name."""


def path_of(name: str) -> str:
    """Return the path of a picture in the repository."""
    folder, _, file = name.rpartition("/")
    return f"{FOLDERS[folder]}/{file}.png"


@dataclass(frozen=True, slots=True)
class Stage:
    """Pictures that are taken in one session: of an editor, of a page, or of a terminal."""

    play: Callable[[Camera], None]
    names: tuple[str, ...]


class Camera:
    """Takes those pictures that are wanted, and writes them below a folder as they are kept in the repository."""

    def __init__(self, target: Path, wanted: frozenset[str]) -> None:
        self._target = target
        self._wanted = wanted
        self.taken: list[str] = []

    def wants(self, name: str) -> bool:
        """Whether a picture is to be taken, so that what only it needs can be left out."""
        return name in self._wanted

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Show why a picture could not be taken, and go on to the next."""
        try:
            yield
        except (AssertionError, OSError, subprocess.SubprocessError):
            traceback.print_exc()

    def take(self, browser: Browser, name: str, clip: Mapping[str, float] | None = None) -> None:
        """Take a picture of what the browser shows, or of a part of it in CSS pixels."""
        if not self.wants(name):
            return
        time.sleep(0.5)  # animations end
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        data = base64.b64decode(browser.send("Page.captureScreenshot", format="png", **options)["data"])
        path = self._target / path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(smaller(data))
        self.taken.append(name)


def smaller(data: bytes) -> bytes:
    """Return a PNG with at most 256 colours, or the same one where that would be seen or would not be smaller."""
    with tempfile.TemporaryDirectory() as folder:
        full, reduced = Path(folder, "full.png"), Path(folder, "reduced.png")
        full.write_bytes(data)
        command = ["pngquant", "--quality=85-100", "--speed=1", "--strip", "--nofs", "--skip-if-larger"]
        subprocess.run([*command, "--output", str(reduced), str(full)], check=False, timeout=60)
        return reduced.read_bytes() if reduced.exists() else data
