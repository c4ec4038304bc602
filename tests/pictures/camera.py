"""Where the pictures of the documentation are kept, and how one is taken."""

from __future__ import annotations

import base64
import difflib
import subprocess
import time
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.paths import ROOT
from tests.pictures.png import smaller, with_words, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tests.editors.chromium import Browser

FOLDERS = {"": "docs/images", "walkthrough": "editors/vscode/walkthrough"}
"""The folder of the repository for the first part of a picture's name."""

POPUPS = ".monaco-hover:not(.hidden), .suggest-widget.visible, .action-widget, .markers-panel, .test-explorer"
"""What of VS Code's window shows words of ours, beside the views."""

WORDS = f"""(() => {{
  const views = [...document.querySelectorAll('iframe.webview')].map((each) => each.contentDocument)
    .map((page) => page?.querySelector('iframe#active-frame')?.contentDocument?.body).filter((body) => body);
  const isEditor = !!document.querySelector('.monaco-workbench');
  const found = [];
  for (const root of isEditor ? [...document.querySelectorAll('{POPUPS}'), ...views] : [document.body]) {{
    const walk = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {{
      const node = walk.currentNode;
      const isText = node.nodeType === Node.TEXT_NODE;
      const [text, shown] = isText ? [node.data, node.parentElement] : [node.value, node];
      const isSeen = !shown.closest('script, style, option') && shown.checkVisibility();
      if (isSeen && typeof text === 'string' && text.trim()) {{
        found.push(text.trim());
      }}
    }}
  }}
  return found.join('\\n');
}})()"""
"""JavaScript for the browser: the words that are shown, and the values of fields, a line for each."""


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

    def take(self, browser: Browser, name: str, clip: Mapping[str, float] | None = None, words: str = "") -> None:
        """Take a picture of what the browser shows, or of a part of it in CSS pixels.

        It holds the words that are shown: those of the page, or the given ones.
        """
        if not self.wants(name):
            return
        time.sleep(0.5)  # animations end
        words = words or browser.evaluate(WORDS)
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        data = base64.b64decode(browser.send("Page.captureScreenshot", format="png", **options)["data"])
        path = self._target / path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(with_words(smaller(data), words))
        self.taken.append(name)


def changed_words(target: Path, name: str) -> list[str]:
    """Return how the words of a picture that was taken now differ from those of the kept one, as a unified diff."""
    path = path_of(name)
    kept, now = ((folder / path) for folder in (ROOT, target))
    before, after = ((words_of(file.read_bytes()) or "").split("\n") for file in (kept, now))
    return list(difflib.unified_diff(before, after, path, "now", lineterm="", n=1))
