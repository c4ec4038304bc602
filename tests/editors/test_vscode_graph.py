"""The dependency graph in Visual Studio Code: drawn, live, and tied to the cursor in both directions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import LINE, Server, VSCode, inside_view, project
from tests.fixtures.graphs import SHOP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

in_view = partial(inside_view, "svg.graph")


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, {"shop.yaml": SHOP}, server, width=1500, height=820) as started:
        yield started


@pytest.fixture(scope="module")
def file(code: VSCode) -> Path:
    """The definition, open beside its graph."""
    path = code.folder / "shop.yaml"
    code.hide_sidebar()
    code.open(path)
    code.place("- id: web\n")
    code.run("await vscode.commands.executeCommand('kro.showGraph');")
    code.browser.wait(in_view("view.querySelectorAll('[data-id]').length === 20"), "the graph")
    return path


def test_a_click_moves_the_cursor_and_the_cursor_selects(code: VSCode, file: Path) -> None:
    view = "view.querySelector('[data-id=settings] .card').dispatchEvent(new MouseEvent('click', {bubbles: true})) || 1"
    code.browser.evaluate(in_view(view))
    code.browser.wait(in_view("view.querySelector('.box.selected')?.dataset.id === 'settings'"), "the selected box")
    code.wait(LINE + "return line === '- id: settings';", "the cursor at the box's line")
    code.place("kind: StatefulSet")
    code.browser.wait(in_view("view.querySelector('.box.selected')?.dataset.id === 'database'"), "the cursor's box")


def test_the_graph_follows_what_is_typed(code: VSCode, file: Path) -> None:
    code.open(file)
    code.replace('imagePullSecrets: [{name: "${registry', 'imagePullSecrets: [{name: "${settings')
    code.browser.wait(in_view("!!view.querySelector('[data-arrow=\"settings→account\"]')"), "the new arrow")
    code.run("await vscode.commands.executeCommand('undo');")
    code.browser.wait(in_view("!!view.querySelector('[data-arrow=\"registry→account\"]')"), "the old arrow")


def test_the_graph_outlives_a_restart_of_the_server(code: VSCode, file: Path) -> None:
    code.run("await vscode.commands.executeCommand('kro.restartServer');")
    code.open(file)
    code.replace("kind: StatefulSet", "kind: DaemonSet")
    shown = "view.querySelector('[data-id=database]').getAttribute('aria-label').includes('; DaemonSet;')"
    code.browser.wait(in_view(shown), "the graph from the new server")
    code.run("await vscode.commands.executeCommand('undo');")
