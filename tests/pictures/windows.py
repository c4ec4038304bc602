"""A window of VS Code for pictures: without what only tests need, and put back in order between two scenes."""

from __future__ import annotations

import json
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.editors.vscode import Server, VSCode, project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.pictures.camera import Camera

THEMES = {"light": "Default Light Modern", "dark": "Default Dark Modern"}
SETTINGS = {"editor.lightbulb.enabled": "off", "editor.cursorBlinking": "solid", "remote.autoForwardPorts": False}
# What is about the machine that takes the pictures.
_NOISE = "[id='status.workbench.keyboardLayout'], [id^='status.forwardedPorts'], .result-summary duration"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows: set up in a window of a size in pixels, and taken in the dark theme or in both."""

    name: str
    set_up: Callable[[VSCode], None]
    size: tuple[int, int]
    themes: tuple[str, ...] = ("dark",)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its pictures, which include the theme if there are two."""
        return (self.name,) if len(self.themes) == 1 else tuple(f"{self.name}-{theme}" for theme in self.themes)


class _Folders:
    """Creates folders like pytest's fixture."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def mktemp(self, basename: str) -> Path:
        folder = self._root / basename
        folder.mkdir()
        return folder


@contextmanager
def window(files: Mapping[str, str]) -> Iterator[VSCode]:
    """Start a VS Code in a project with these texts."""
    with tempfile.TemporaryDirectory() as root:
        folders = _Folders(Path(root))
        with project(folders, files, Server(folders.mktemp("server")), width=1240, height=760) as code:
            for name, value in SETTINGS.items():
                set_setting(code, name, value)
            style = json.dumps(f"{_NOISE} {{ display: none !important; }}")
            element = f"Object.assign(document.createElement('style'), {{textContent: {style}}})"
            code.browser.evaluate(f"document.head.append({element}); 1")
            yield code


def set_setting(code: VSCode, name: str, value: object) -> None:
    """Change a setting of the user."""
    code.run("await vscode.workspace.getConfiguration().update(name, value, true);", name=name, value=value)


def command(code: VSCode, name: str, *arguments: object) -> None:
    """Run a command of VS Code."""
    code.run("await vscode.commands.executeCommand(name, ...given);", name=name, given=arguments)


def play(camera: Camera, code: VSCode, files: Mapping[str, str], scenes: tuple[Scene, ...]) -> None:
    """Take the wanted pictures of the scenes, each of which begins in the same window."""
    for scene in scenes:
        if not any(camera.wants(name) for name in scene.names):
            continue
        with camera.attempt():
            _prepare(code, files, scene.size)
            scene.set_up(code)
            for name, theme in zip(scene.names, scene.themes, strict=True):
                _set_theme(code, theme)
                command(code, "notifications.clearAll")
                camera.take(code.browser, name)
        _set_theme(code, "dark")


def _prepare(code: VSCode, files: Mapping[str, str], size: tuple[int, int]) -> None:
    """Give the window a size, all files their text again, and close all that is open."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    code.browser.send("Emulation.setDeviceMetricsOverride", **metrics)
    code.browser.point(width - 1, 1)  # where nothing has a tooltip
    code.run(
        """
        for (const [path, text] of Object.entries(texts)) {
          const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
          if (document.getText() !== text) {
            const edit = new vscode.WorkspaceEdit();
            edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
            await vscode.workspace.applyEdit(edit);
            await document.save();
          }
        }
        await vscode.commands.executeCommand("testing.clearTestResults");
        for (const name of ["closeAllEditors", "closePanel", "closeSidebar"]) {
          await vscode.commands.executeCommand(`workbench.action.${name}`);
        }
        """,
        texts={str(code.folder / name): text for name, text in files.items()},
    )


def _set_theme(code: VSCode, theme: str) -> None:
    set_setting(code, "workbench.colorTheme", THEMES[theme])
    kind = "vs-dark" if theme == "dark" else "vs"
    code.browser.wait(f"!!document.querySelector('.monaco-workbench.{kind}')", THEMES[theme])
    code.run("await new Promise((resolve) => setTimeout(resolve, 1000));")  # the colours of tokens and of views follow
