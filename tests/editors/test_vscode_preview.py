"""The preview view in Visual Studio Code: stepped, live, and tied to the cursor in both directions."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.editors.test_vscode import LOOKS, Server
from tests.editors.test_vscode_graph import LINE, SHOP, VIEW
from tests.editors.vscode import VSCode, missing, vscode
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PREVIEW = VIEW.replace("svg.graph", "main.preview")
AT = "view.querySelector('[role=slider]').getAttribute('aria-valuenow')"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    if reason := missing():
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    home = tmp_path_factory.mktemp("vscode")
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    shutil.copy(SHOP, project / "shop.yaml")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    settings = {**LOOKS, "kro.server.path": str(Server(tmp_path_factory.mktemp("server")).command)}
    with vscode(home / "code", project, environment, settings) as started:
        started.browser.send(
            "Emulation.setDeviceMetricsOverride", width=1700, height=900, deviceScaleFactor=1, mobile=False
        )
        yield started


@pytest.fixture(scope="module")
def file(code: VSCode) -> Path:
    """The definition, open beside its preview."""
    path = code.folder / "shop.yaml"
    code.open(path)
    code.place("- id: web\n")
    code.run("await vscode.commands.executeCommand('kro.showPreview');")
    code.browser.wait(PREVIEW % "view.querySelectorAll('.node').length === 20", "the preview")
    return path


def click(code: VSCode, selector: str) -> None:
    code.browser.evaluate(PREVIEW % f"(view.querySelector({selector!r}).click(), 1)")


def test_a_pass_is_stepped_back(code: VSCode, file: Path) -> None:
    last = int(code.browser.evaluate(PREVIEW % AT))
    assert last > 2
    click(code, "[aria-label^='One pass back']")
    assert code.browser.evaluate(PREVIEW % AT) == str(last - 1)
    if folder := os.environ.get("KRO_SCREENSHOTS"):
        click(code, "[aria-label^='First pass']")
        for _ in range(2):
            click(code, "[aria-label^='One pass on']")
        code.browser.screenshot(ROOT / folder / "vscode-preview-view.png")
    click(code, "[aria-label^='First pass']")
    assert code.browser.evaluate(PREVIEW % AT) == "1"
    shown = code.browser.evaluate(PREVIEW % "view.querySelectorAll('.objects .object').length")
    for _ in range(last):
        click(code, "[aria-label^='One pass on']")
    assert code.browser.evaluate(PREVIEW % "view.querySelectorAll('.objects .object').length") > shown


def test_a_click_moves_the_cursor_and_the_cursor_selects(code: VSCode, file: Path) -> None:
    click(code, "#node-settings")
    code.wait(LINE + "return line === '- id: settings';", "the cursor at the node's line")
    line = "[data-object-of=database] .line[data-source]:nth-child(2)"
    click(code, line)
    code.wait(LINE + "return line === 'kind: StatefulSet';", "the cursor at the template's line")
    code.open(file)
    code.place("kind: Job")
    code.browser.wait(
        PREVIEW % "view.querySelector('.node.selected')?.dataset.node === 'migration'", "the cursor's node"
    )
    code.browser.wait(PREVIEW % "!!view.querySelector('[data-object-of=migration] .line.here')", "the cursor's line")


def test_the_preview_follows_what_is_typed(code: VSCode, file: Path) -> None:
    code.open(file)
    code.replace("stringData: {user: shop}", "stringData: {user: owner}")
    found = "view.querySelector('[data-object-of=password]').textContent.includes('owner')"
    code.browser.wait(PREVIEW % found, "the object with the new value")
    code.run("await vscode.commands.executeCommand('undo');")
    code.browser.wait(PREVIEW % f"!({found})", "the object with the old value")


def test_the_preview_outlives_a_restart_of_the_server(code: VSCode, file: Path) -> None:
    code.run("await vscode.commands.executeCommand('kro.restartServer');")
    code.open(file)
    code.replace("user: shop", "user: restarted")
    found = "view.querySelector('[data-object-of=password]').textContent.includes('restarted')"
    code.browser.wait(PREVIEW % found, "the preview from the new server")
    code.run("await vscode.commands.executeCommand('undo');")
