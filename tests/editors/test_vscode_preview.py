"""The preview view in Visual Studio Code: stepped, live, and tied to the cursor in both directions."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import LINE, Server, VSCode, inside_view, project
from tests.fixtures.graphs import SHOP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

in_view = partial(inside_view, "main.preview")
CONTROL = 2
"""What the DevTools protocol calls the key."""
AT = "view.querySelector('[role=slider]').getAttribute('aria-valuenow')"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, {"shop.yaml": SHOP}, server, width=1700, height=900) as started:
        yield started


@pytest.fixture(scope="module")
def file(code: VSCode) -> Path:
    """The definition, open beside its preview."""
    path = code.folder / "shop.yaml"
    code.hide_sidebar()
    code.open(path)
    code.place("- id: web\n")
    code.run("await vscode.commands.executeCommand('kro.showPreview');")
    code.browser.wait(in_view("view.querySelectorAll('.node').length === 20"), "the preview")
    return path


def click(code: VSCode, selector: str) -> None:
    code.click_in_view("main.preview", f"view.querySelector({selector!r})")


def test_the_node_with_the_cursor_is_selected_from_the_beginning(code: VSCode, file: Path) -> None:
    code.browser.wait(in_view("view.querySelector('.node.selected')?.dataset.node === 'web'"), "the cursor's node")


def test_the_status_bar_goes_on_to_show_the_definition(code: VSCode, file: Path) -> None:
    item = "document.querySelector('.statusbar-item[id$=\"kro.status\"]')"
    seen = f"(({item}?.offsetParent && {item}.ariaLabel) || '')"
    code.browser.wait(f"{seen}.includes('kro')", "the item in the status bar")
    before = code.browser.evaluate(seen)
    x, y, width, height = code.browser.evaluate(
        "(({x, y, width, height}) => [x, y, width, height])"
        "(document.querySelector('iframe.webview').getBoundingClientRect())"
    )
    code.browser.point(x + width / 2, y + height - 8, click=True)
    active = "vscode.window.tabGroups.activeTabGroup.activeTab.input"
    code.wait(f"return {active} instanceof vscode.TabInputWebview;", "the focus in the preview")
    code.browser.evaluate("new Promise((go) => setTimeout(go, 500))")
    code.browser.wait(f"{seen} === {json.dumps(before)}", f"what the status bar said before: {before}")
    code.run("await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');")


def test_a_pass_is_stepped_back(code: VSCode, file: Path) -> None:
    last = int(code.browser.evaluate(in_view(AT)))
    assert last > 2
    click(code, "[aria-label^='One pass back']")
    code.browser.wait(in_view(f"{AT} === '{last - 1}'"), "the pass before")
    click(code, "[aria-label^='First pass']")
    code.browser.wait(in_view(f"{AT} === '1'"), "the first pass")
    shown = code.browser.evaluate(in_view("view.querySelectorAll('.objects .object').length"))
    for _ in range(last):
        click(code, "[aria-label^='One pass on']")
    code.browser.wait(in_view(f"view.querySelectorAll('.objects .object').length > {shown}"), "more objects")


def test_a_click_moves_the_cursor_and_the_cursor_selects(code: VSCode, file: Path) -> None:
    click(code, "#node-settings")
    code.wait(LINE + "return line === '- id: settings';", "the cursor at the node's line")
    line = "[data-object-of=database] .line[data-source]:nth-child(2)"
    click(code, line)
    code.wait(LINE + "return line === 'kind: StatefulSet';", "the cursor at the template's line")
    code.open(file)
    code.place("kind: Job")
    code.browser.wait(
        in_view("view.querySelector('.node.selected')?.dataset.node === 'migration'"), "the cursor's node"
    )
    code.browser.wait(in_view("!!view.querySelector('[data-object-of=migration] .line.here')"), "the cursor's line")


def test_the_preview_follows_what_is_typed(code: VSCode, file: Path) -> None:
    code.open(file)
    code.replace("stringData: {user: shop}", "stringData: {user: owner}")
    found = "view.querySelector('[data-object-of=password]').textContent.includes('owner')"
    code.browser.wait(in_view(found), "the object with the new value")
    code.run("await vscode.commands.executeCommand('undo');")
    code.browser.wait(in_view(f"!({found})"), "the object with the old value")


def test_the_editor_in_the_page_checks_what_is_typed(code: VSCode, file: Path) -> None:
    click(code, "#tab-instance")
    editor = "view.querySelector('#instance-yaml')?.shadowRoot.querySelector('.cm-content')"
    code.browser.wait(in_view(f"{editor}?.textContent.includes('kind: OnlineShop')"), "the editor of the instance")
    code.browser.evaluate(in_view(f"({editor}.focus(), 1)"))
    code.browser.press("End", 35, modifiers=CONTROL)
    code.browser.type("nope: 1")
    problems = "view.querySelector('.instance .problems').textContent"
    code.browser.wait(in_view(f"{problems}.includes('nope')"), "the server's diagnosis")
    click(code, "[title='Take all changes of the scenario back']")
    code.browser.evaluate(in_view("(view.querySelector('#tab-instance').focus(), 1)"))
    code.browser.wait(in_view(f"{problems} === ''"), "the text as it was")
    click(code, "#tab-nodes")


def test_the_preview_outlives_a_restart_of_the_server(code: VSCode, file: Path) -> None:
    code.run("await vscode.commands.executeCommand('kro.restartServer');")
    code.open(file)
    code.replace("user: shop", "user: restarted")
    found = "view.querySelector('[data-object-of=password]').textContent.includes('restarted')"
    code.browser.wait(in_view(found), "the preview from the new server")
    code.run("await vscode.commands.executeCommand('undo');")


def test_badge_lens_and_status_bar_say_that_kro_refuses_it(code: VSCode, file: Path) -> None:
    code.open(file)
    code.replace("- id: cache\n", "- id: halfTyped\n    - id: cache\n")
    verdict = "kro refuses this: 1 error"
    code.browser.wait(in_view(f"view.querySelector('.state-pill').innerText === '{verdict}'"), "the badge")
    code.browser.wait(
        f"document.getElementById('kro-ls.kro-ls.kro.status')?.innerText.includes('{verdict}')", "the status bar"
    )
    code.place("kind: ResourceGraphDefinition")
    lenses = (
        "[...document.querySelectorAll('.codelens-decoration')].map(each => each.innerText.replaceAll('\\u00a0', ' '))"
    )
    code.browser.wait(f"{lenses}.some(text => text.includes('{verdict}'))", "the lens")
    code.browser.wait(in_view("view.querySelectorAll('.node .sign.state-unfinished').length === 1"), "the node's sign")
    click(code, ".errors .error")
    code.wait(LINE + "return line === '- id: halfTyped';", "the cursor at the error")
    code.open(file)
    code.replace("- id: halfTyped\n    - id: cache\n", "- id: cache\n")
    code.browser.wait(in_view("view.querySelector('.state-pill').innerText === 'ACTIVE'"), "the state")
