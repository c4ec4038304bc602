"""Pictures of terminals: the command line, Neovim, Emacs and Helix, with the settings of their pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.editors.chromium import chromium
from tests.editors.test_helix import EXTRACTED, helix
from tests.editors.test_neovim import NEWER
from tests.paths import ROOT
from tests.pictures.camera import Stage
from tests.pictures.in_vscode import BROKEN, FILES
from tests.pictures.terminal import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.editors.chromium import Browser
    from tests.pictures.camera import Camera

MISTAKE = "deployment.metadata.name", "deployment.metadata.nmae"
NEOVIM = """
vim.o.number, vim.o.signcolumn, vim.o.cursorline, vim.o.laststatus = true, "yes", true, 2
vim.o.hlsearch = false
vim.diagnostic.config({ virtual_text = true })
"""
EMACS = """
(setq inhibit-startup-screen t make-backup-files nil eglot-autoshutdown t)
(setq warning-minimum-level :error)
(setq resize-mini-windows nil)  ; a long message at the moment of a split would decide the windows' heights
(menu-bar-mode -1)
(load-theme 'modus-vivendi t)
(global-display-line-numbers-mode)
"""
HELIX = """
theme = "dark_plus"
[editor]
true-color = true
"""


def block(editor: str, language: str) -> str:
    """Return the first code block of a language in an editor's page: what its users paste."""
    page = (ROOT / "editors" / editor / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^```{language}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def check(run: Run) -> None:
    """What `kro-ls check` says of a definition with four mistakes."""
    with run.terminal(SHELL, columns=110, rows=40) as shown:
        shown.wait("$")
        shown.type("kro-ls check broken.yaml\r")
        shown.wait("Checked 1 file")
        run.take("cli-check", shown)


def preview(run: Run) -> None:
    """What becomes of an instance where the Deployment does not get ready."""
    with run.terminal(SHELL, columns=98, rows=50) as shown:
        shown.wait("$")
        shown.type("kro-ls preview web-app.yaml -i shop.yaml --not-ready deployment\r")
        shown.wait("containerPort")
        run.take("cli-preview", shown)


def neovim(run: Run) -> None:
    """A mistake with its text beside the line, and the documentation of a field."""
    subprocess.run(["bash", "-ec", block("neovim", "sh")], cwd=ROOT, env=run.environment, check=True)
    settings = run.home / "init.lua"
    settings.write_text(block("neovim", "lua") + NEOVIM, encoding="utf-8")
    with run.terminal([str(NEWER), "-u", str(settings), "web-app.yaml"], columns=98, rows=32) as shown:
        shown.wait("web-app.yaml")
        shown.type("/nmae\r")
        shown.wait("did you mean")
        shown.type("?schema.spec.image\r4w")
        shown.repeat("hlK", "Value with")  # the first time there may be none yet
        run.take("neovim", shown)


def emacs(run: Run) -> None:
    """A mistake, in the list of Flymake as well."""
    settings = run.home / "settings.el"
    package = ROOT / "editors/emacs/kro-ls.el"
    start = f'(package-initialize)\n(package-install-file "{package}")\n'
    settings.write_text(EMACS + start + block("emacs", "elisp"), encoding="utf-8")
    command = ["emacs", "-nw", "-q", "-l", str(settings), "web-app.yaml"]
    with run.terminal(command, columns=98, rows=32) as shown:
        shown.wait("web-app.yaml")
        shown.wait("Flymake[1")
        shown.type("\x1bxflymake-show-buffer-diagnostics\r")
        shown.wait("did you mean")
        shown.type("\x13nmae\r")
        shown.wait("Mark saved")
        run.take("emacs", shown)


def in_helix(run: Run) -> None:
    """A mistake with its text, and the offered fixes."""
    command = helix()
    assert command, "no Helix here; scripts/setup-editors installs it"
    folder = run.home / ".config/helix"
    folder.mkdir(parents=True)
    (folder / "languages.toml").write_text(block("helix", "toml"), encoding="utf-8")
    (folder / "config.toml").write_text(HELIX, encoding="utf-8")
    if command[-1].startswith(str(EXTRACTED)):
        run.environment["HELIX_RUNTIME"] = str(EXTRACTED / "usr/lib/hx/runtime")
    with run.terminal([*command, "web-app.yaml"], columns=98, rows=32) as shown:
        shown.wait("●")
        shown.type("/nmae\r")
        shown.wait("did you mean")
        shown.type(" a")
        shown.wait("Change to")
        run.take("helix", shown)


class Run:
    """A project in a new folder, whose definition has a mistake, and terminals there."""

    def __init__(self, camera: Camera, browser: Browser, home: Path) -> None:
        self._camera = camera
        self._browser = browser
        self.home = home
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PS1": r"\[\e[1;32m\]$\[\e[0m\] ",
        }
        self._project = home / "shop"
        (self._project / ".git").mkdir(parents=True)
        for name, text in {**FILES, "broken.yaml": BROKEN}.items():
            (self._project / name).write_text(text, encoding="utf-8")

    @contextmanager
    def terminal(self, command: list[str], *, columns: int, rows: int) -> Iterator[Terminal]:
        """Run a program there in a terminal of this size."""
        with terminal(self._browser, command, self._project, self.environment, columns=columns, rows=rows) as shown:
            yield shown

    def mistype(self) -> None:
        """Put the mistake into the definition."""
        (self._project / "web-app.yaml").write_text(FILES["web-app.yaml"].replace(*MISTAKE, 1), encoding="utf-8")

    def take(self, name: str, shown: Terminal) -> None:
        """Take a picture of the terminal."""
        self._camera.take(self._browser, name, shown.clip(), shown.screen().rstrip())


SHELL = ["bash", "--norc", "--noprofile"]
SCENES: dict[str, Callable[[Run], None]] = {
    "cli-check": check,
    "cli-preview": preview,
    "neovim": neovim,
    "emacs": emacs,
    "helix": in_helix,
}


def terminals(camera: Camera) -> None:
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        size = {"width": 1000, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.send("Emulation.setDeviceMetricsOverride", **size)
        for name, scene in SCENES.items():
            if camera.wants(name):
                with camera.attempt(), tempfile.TemporaryDirectory() as home:
                    run = Run(camera, browser, Path(home))
                    if not name.startswith("cli"):
                        run.mistype()
                    scene(run)


STAGE = Stage(terminals, tuple(SCENES))
