"""Helix in a terminal without a screen (tmux), with the settings of `editors/helix/README.md`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.conftest import ASKED, FAULTY
from tests.fixtures.browser import Browser
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXTRACTED = ROOT / ".cache/editors/helix"
SIGN = "●"  # Helix puts it in front of a line with a diagnostic, and into the status line with their number


class Terminal:
    """A tmux server with one pane."""

    def __init__(self, tmux: str, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._tmux = [tmux, "-S", str(folder / "socket"), "-f", "/dev/null"]
        self._environment = environment
        self._run("new-session", "-d", "-x", "160", "-y", "50", "-c", str(folder), shlex.join(command))

    def _run(self, *arguments: str) -> str:
        run = subprocess.run(
            [*self._tmux, *arguments], env=self._environment, capture_output=True, text=True, timeout=60, check=True
        )
        return run.stdout

    def keys(self, *keys: str) -> None:
        """Presses named keys, such as `Enter`."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Types a text as a person does, key by key: Helix may send the edits of a burst in another order."""
        for key in text:
            self._run("send-keys", "-l", key)
            time.sleep(0.03)

    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def wait(self, what: str, condition: Callable[[str], bool]) -> str:
        """Gives the first screen that meets the condition; fails with the last one after a minute."""
        deadline = time.monotonic() + 60
        while not condition(screen := self.screen()):
            if time.monotonic() > deadline:
                pytest.fail(f"waited in vain for {what}:\n{screen}")
            time.sleep(0.05)
        return screen

    def close(self) -> None:
        self._run("kill-server")


def helix() -> list[str] | None:
    """The command that starts Helix: the installed one, or another Debian's with its C library."""
    if installed := shutil.which("hx"):
        return [installed]
    loaders = sorted(EXTRACTED.glob("usr/lib*/ld-linux-*.so.*"))
    libraries = sorted(EXTRACTED.glob("usr/lib/*-linux-gnu"))
    if not loaders or not libraries:
        return None
    return [str(loaders[0]), "--library-path", str(libraries[0]), str(EXTRACTED / "usr/lib/hx/hx")]


@pytest.fixture
def opened(tmp_path: Path, environment: dict[str, str]) -> Path:
    """The file to which a fake browser writes the address of a page."""
    file, programs = tmp_path / "opened", tmp_path / "programs"
    programs.mkdir()
    browser = programs / "xdg-open"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >{file}.part && mv {file}.part {file}\n', encoding="utf-8")
    browser.chmod(0o755)
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    return file


@pytest.fixture
def terminal(
    faulty_file: Path,
    environment: dict[str, str],
    opened: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> Iterator[Terminal]:
    command = helix() or [need("hx")]
    settings = Path(environment["HOME"]) / ".config/helix/languages.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(documented("helix", "toml")[0], encoding="utf-8")
    if command[-1].startswith(str(EXTRACTED)):
        environment["HELIX_RUNTIME"] = str(EXTRACTED / "usr/lib/hx/runtime")
    terminal = Terminal(need("tmux"), [*command, str(faulty_file)], faulty_file.parent, environment)
    yield terminal
    terminal.close()


@pytest.fixture
def servers(tmp_path: Path, opened: Path) -> Callable[[], list[int]]:
    """Gives the processes of the servers that were started so far: the command on the PATH notes them down."""
    starts, command = tmp_path / "starts", opened.parent / "programs/kro-ls"
    program = Path(sys.executable).with_name("kro-ls")
    command.write_text(f'#!/bin/sh\necho $$ >>{starts}\nexec {program} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return lambda: [int(line) for line in starts.read_text().split()] if starts.exists() else []


def test_a_server_that_is_killed_while_somebody_types_takes_nothing_along(
    servers: Callable[[], list[int]], faulty_file: Path, terminal: Terminal
) -> None:
    terminal.wait("a diagnostic", lambda screen: SIGN in screen)
    terminal.type("ge")  # the last line
    terminal.type("o# typed bef")
    os.kill(servers()[-1], signal.SIGKILL)
    terminal.type("ore and after")
    terminal.keys("Enter")
    terminal.type("and on")  # Helix goes on with the comment
    terminal.keys("Escape")
    terminal.wait("the lines", lambda screen: "# typed before and after" in screen and "# and on" in screen)
    terminal.type(":lsp-restart")
    terminal.keys("Enter")
    terminal.wait("another server", lambda screen: len(servers()) == 2)
    terminal.wait("its diagnostics", lambda screen: SIGN in screen)
    terminal.type("%snmae")
    terminal.keys("Enter")
    terminal.type("cname")
    terminal.keys("Escape")
    terminal.wait("no diagnostics", lambda screen: "schema.spec.name" in screen and SIGN not in screen)
    terminal.type(":w")
    terminal.keys("Enter")
    wanted = FAULTY.replace("nmae", "name") + "          # typed before and after\n          # and on\n"
    terminal.wait("the saved text", lambda screen: faulty_file.read_text(encoding="utf-8") == wanted)


def test_diagnostics_hover_and_completion(terminal: Terminal) -> None:
    terminal.wait("a diagnostic", lambda screen: SIGN in screen)
    terminal.type(" d")  # the list of diagnostics has the whole message
    terminal.wait("the diagnostic's text", lambda screen: screen.count("nmae") > 1)
    terminal.keys("Escape")

    def replace(old: str, new: str) -> None:
        terminal.type("%s")
        terminal.type(old)
        terminal.keys("Enter")
        terminal.type("c" + new)

    replace("nmae", "name")
    terminal.keys("Escape")
    mended = terminal.wait("no diagnostics", lambda screen: "schema.spec.name" in screen and SIGN not in screen)

    terminal.type("h k")
    terminal.wait("hover", lambda screen: screen.count("string") > mended.count("string"))
    terminal.keys("Escape")

    replace("schema.spec.name", "schema.spec.")
    terminal.wait("completions", lambda screen: screen.count("replicas") > mended.count("replicas"))


@pytest.mark.parametrize(("up", "kind"), [(2, "graph"), (1, "preview")])
def test_a_page_in_the_browser_and_back(up: int, kind: str, terminal: Terminal, opened: Path) -> None:
    terminal.wait("a diagnostic", lambda screen: SIGN in screen)
    terminal.type(" a")
    terminal.wait("the actions", lambda screen: "Show the preview in the browser" in screen)
    terminal.keys(*["Up"] * up, "Enter")  # the two are the last ones
    seen = terminal.wait("the page", lambda screen: opened.exists() or "not in this copy" in screen)
    if "not in this copy" in seen:
        pytest.skip("the views are not built: run scripts/views build")
    visitor = Browser(opened.read_text().strip())
    with visitor.talk(visitor.enter()) as connection:
        connection.send(json.dumps(ASKED[kind]))
        assert json.loads(connection.recv(60))["type"] == kind
        place = {"start": {"line": 11, "character": 0}, "end": {"line": 11, "character": 0}}
        connection.send(json.dumps({"type": "reveal", "range": place, "takesFocus": True}))
        terminal.wait("the line", lambda screen: "12:1" in screen)
