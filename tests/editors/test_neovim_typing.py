"""Keys in Neovim with our plugin, where they do something else than in any other YAML."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.editors.test_neovim import NEWER
from tests.editors.test_typing import NEOVIM_SETTINGS
from tests.editors.typing.neovim_window import SECONDS, neovim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.editors.typing.neovim_window import NeovimWindow

HEAD = ["spec:", "  schema:", "    kind: App", "  # Resources"]


@pytest.fixture
def window(environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]) -> Iterator[NeovimWindow]:
    with opened(need(str(NEWER)), environment, tmp_path) as started:
        yield started


@contextmanager
def opened(nvim: str, environment: dict[str, str], folder: Path) -> Iterator[NeovimWindow]:
    settings, file = folder / "init.lua", folder / "definition.yaml"
    settings.write_text(NEOVIM_SETTINGS, encoding="utf-8")
    file.write_text("", encoding="utf-8")
    with neovim(nvim, settings, file, environment) as started:
        started.wait_for_server()
        yield started


def wait_for(window: NeovimWindow, text: str) -> None:
    deadline = time.monotonic() + SECONDS
    while text not in (now := window.screen().text):
        assert time.monotonic() < deadline, now
        time.sleep(0.05)


def type_below(window: NeovimWindow, lines: list[str], typed: str) -> str:
    """Type a line below some others; return it with its indentation."""
    window.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, ...)", lines)
    window.lua("vim.api.nvim_win_set_cursor(0, {...})", len(lines), len(lines[-1]))
    window.press("Enter")
    for key in typed:
        window.press(key)
    wait_for(window, typed)
    return window.screen().text.split("\n")[-1]


@pytest.mark.parametrize("typed", ["resources:", "- id"])
def test_a_line_below_a_comment_stays_where_it_is_typed(window: NeovimWindow, typed: str) -> None:
    assert type_below(window, ["apiVersion: kro.run/v1alpha1", *HEAD], typed) == f"  {typed}"


def test_other_yaml_is_indented_as_neovim_does(window: NeovimWindow) -> None:
    assert type_below(window, HEAD, "resources:") == "resources:"


@pytest.mark.parametrize("key", ["Backspace", "Delete"])
def test_a_place_of_a_snippet_is_emptied_and_typed_into(window: NeovimWindow, key: str) -> None:
    window.lua('vim.snippet.expand("kind: ${1:App}\\nspec: $0")')
    wait_for(window, "kind: App")
    window.call("nvim_input", {"Backspace": "<BS>", "Delete": "<Del>"}[key])
    for letter in "Shop":
        window.press(letter)
    wait_for(window, "kind: Shop\nspec:")


def test_a_snippet_whose_first_word_is_typed_is_accepted(window: NeovimWindow) -> None:
    """The popup is filtered by the typed text alone, not by what the suggestion would write."""
    for letter in "apiVersion":
        window.press(letter)
    deadline = time.monotonic() + SECONDS
    while window.screen().labels[:1] != ("ResourceGraphDefinition",):
        assert time.monotonic() < deadline, window.screen().labels
        time.sleep(0.05)
    window.press("Enter")
    wait_for(window, "kind: ResourceGraphDefinition")
