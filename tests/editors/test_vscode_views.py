"""Graph and preview in Visual Studio Code beside what happens around them: lenses, reloads of the window, crashes."""

from __future__ import annotations

import json
import os
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.editors.chromium import SECONDS
from tests.editors.vscode import Server, VSCode, inside_view, project
from tests.fixtures.graphs import SHOP

if TYPE_CHECKING:
    from collections.abc import Iterator

in_preview = partial(inside_view, "main.preview")
in_graph = partial(inside_view, "svg.graph")
INSTANCE = """\
apiVersion: kro.run/v1alpha1
kind: OnlineShop
metadata: {{name: {name}, namespace: default}}
spec: {{name: {name}, replicas: 2}}
"""
LENSES = (
    "[...document.querySelectorAll('.codelens-decoration')].map((each) => each.innerText.replaceAll('\\u00a0', ' '))"
)
FIELDS = "[...view.querySelectorAll('button')].find((one) => one.textContent === 'Schema fields')"
CHOSEN = "view.querySelector('[aria-label=Instance]').selectedOptions[0].textContent"
HELD = "view.querySelector('[data-node=web] .sign.state-waiting')"
EDITED = (
    "[...view.querySelectorAll('[data-node=cache] .mark')].some(({textContent}) => textContent === 'status edited')"
)
NODES = "view.querySelectorAll('.node').length === 20"
OBSERVED = (
    "vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({label}) => label === 'cache.status.yaml')"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    return Server(tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[VSCode]:
    files = {"shop.yaml": SHOP} | {f"{name}.yaml": INSTANCE.format(name=name) for name in ("north", "south")}
    with project(tmp_path_factory, files, server, width=1700, height=900) as started:
        started.hide_sidebar()
        started.open(started.folder / "shop.yaml")
        started.place("- id: web\n")
        started.run("await vscode.commands.executeCommand('kro.showPreview');")
        started.browser.wait(in_preview(NODES), "the preview")
        yield started


def click(code: VSCode, found: str) -> None:
    code.click_in_view("main.preview", found)


def press_in_node(code: VSCode, node: str, label: str) -> None:
    click(code, f"view.querySelector('#node-{node}')")
    button = f"[...view.querySelectorAll('[data-node={node}] button')].find((one) => one.textContent === '{label}')"
    code.browser.wait(in_preview(f"!!{button}?.offsetParent"), label)
    click(code, button)


def choose(code: VSCode, label: str) -> None:
    select = "view.querySelector('[aria-label=Instance]')"
    option = f"[...{select}.options].find((one) => one.textContent.includes('{label}'))"
    code.browser.wait(in_preview(f"!!{option}"), f"the instance {label}")
    change = f"({select}.value = {option}.value, {select}.dispatchEvent(new view.defaultView.Event('change')))"
    code.browser.evaluate(in_preview(change))
    code.browser.wait(in_preview(f"{CHOSEN}.includes('{label}')"), label)


def test_lenses_of_all_panes_say_what_the_preview_shows(code: VSCode) -> None:
    code.open(code.folder / "shop.yaml")
    code.run("await vscode.commands.executeCommand('workbench.action.splitEditorDown');")

    def wait_in_both_panes(text: str) -> None:
        found = f"{LENSES}.filter((text) => text.includes({json.dumps(text)})).length === 2"
        deadline = time.monotonic() + SECONDS
        while not code.browser.evaluate(found):
            assert time.monotonic() < deadline, f"waited in vain for {text!r} in both panes"
            # A click on a node has one of them show its lines.
            code.run(
                "vscode.window.visibleTextEditors.forEach((one) => one.revealRange(new vscode.Range(0, 0, 0, 0)));"
            )
            time.sleep(0.2)

    choose(code, "south")
    wait_in_both_panes("Preview with south.yaml · ACTIVE")
    choose(code, "north")
    wait_in_both_panes("Preview with north.yaml · ACTIVE")
    press_in_node(code, "registry", "Remove")
    code.browser.wait(in_preview("!view.querySelector('.state-pill').textContent.includes('ACTIVE')"), "another state")
    shown = code.browser.evaluate(in_preview("view.querySelector('.state-pill').textContent"))
    wait_in_both_panes(shown)
    press_in_node(code, "registry", "Remove")
    wait_in_both_panes("Preview with north.yaml · ACTIVE")
    code.run("await vscode.commands.executeCommand('workbench.action.closeEditorsInGroup');")


LINES = """
const editors = vscode.window.visibleTextEditors.filter(({document}) => document.uri.fsPath === path);
editors.sort((one, other) => one.viewColumn - other.viewColumn);
const lines = editors.map(({document, selection}) => document.lineAt(selection.active).text.trim());
"""
"""JavaScript: the lines with the cursors in all editors of a file."""
SHOWN_TABS = "vscode.window.tabGroups.all.map(({activeTab}) => activeTab?.label ?? '')"


def test_a_click_goes_to_the_editor_that_was_used_last(code: VSCode) -> None:
    path = str(code.folder / "shop.yaml")
    code.open(code.folder / "shop.yaml")
    code.run("await vscode.commands.executeCommand('workbench.action.splitEditorDown');")
    code.wait(LINES + "return lines.length === 2;", "two editors", path=path)
    expected = code.run(LINES + "return lines;", path=path)
    use = "const {document, viewColumn} = editors[used]; await vscode.window.showTextDocument(document, {viewColumn});"
    is_used = "return vscode.window.tabGroups.activeTabGroup.viewColumn === editors[used].viewColumn;"
    for used, node in ((0, "settings"), (1, "cache"), (0, "database"), (1, "web")):
        code.run(LINES + use, path=path, used=used)
        code.wait(LINES + is_used, "the editor in use", path=path, used=used)
        click(code, f"view.querySelector('#node-{node}')")
        expected[used] = f"- id: {node}"
        code.wait(
            LINES + "return JSON.stringify(lines) === wanted;",
            node,
            path=path,
            wanted=json.dumps(expected, separators=(",", ":")),
        )
    code.run("await vscode.commands.executeCommand('workbench.action.closeEditorsInGroup');")


def test_a_server_that_is_killed_while_somebody_types_takes_nothing_along(code: VSCode, server: Server) -> None:
    choose(code, "south")
    press_in_node(code, "web", "Hold back")
    code.browser.wait(in_preview(f"!!{HELD}"), "the node that is held back")
    code.open(code.folder / "shop.yaml")
    code.run("await vscode.commands.executeCommand('kro.showGraph');")
    code.browser.wait(in_graph("view.querySelectorAll('[data-id]').length === 20"), "the graph")
    code.open(code.folder / "shop.yaml")
    code.place("user: shop", after=True)
    code.browser.point(*code.browser.place_of("user: shop"), click=True)  # the focus may be in a view
    code.wait_for_keys()
    code.browser.press("End", 35)
    typed, starts = "  # typed while it died", len(server.processes)
    for number, key in enumerate(typed):
        if number == len(typed) // 2:
            os.kill(server.processes[-1], signal.SIGKILL)
        code.browser.type(key)
    text = "return vscode.window.activeTextEditor.document.getText().includes(text);"
    code.wait(text, "all that was typed", text=f"user: shop}}{typed}\n")
    code.replace("    - id: account\n", "    - id: another\n      template: {}\n    - id: account\n")
    code.browser.wait(in_graph("!!view.querySelector('[data-id=another]')"), "the graph of the new server")
    assert len(server.processes) == starts + 1
    code.browser.wait(in_preview(f"!!{HELD}"), "the node that was held back")
    code.browser.wait(in_preview(f"{CHOSEN}.includes('south')"), "the instance that was chosen")
    code.place("kind: ResourceGraphDefinition")
    code.browser.wait(f"{LENSES}.some((text) => text.startsWith('kro refuses this'))", "the lenses of the new server")
    code.replace("    - id: another\n      template: {}\n", "")
    code.run("await vscode.window.activeTextEditor.document.save();")


def test_views_come_back_when_the_window_is_loaded_again(code: VSCode) -> None:
    code.run("await vscode.commands.executeCommand('kro.showGraph');")
    code.browser.wait(in_graph(f"({FIELDS}.click(), 1)"), "the graph")
    code.run("await vscode.commands.executeCommand('kro.showPreview');")
    press_in_node(code, "cache", "Edit status")
    code.wait("return vscode.window.activeTextEditor?.document.uri.scheme === 'kro-observed';", "the status")
    code.run(
        "await vscode.window.activeTextEditor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# mine\\n'));"
    )
    code.browser.wait(in_preview(EDITED), "what was written")
    # A browser asks before it leaves a page with something that is not saved.
    code.wait("return vscode.workspace.textDocuments.every((document) => !document.isDirty);", "that it saves itself")
    code.reload()
    code.browser.wait(in_preview(NODES), "the preview after the reload")
    code.browser.wait(in_preview(f"!!{HELD}"), "the node that was held back")
    code.browser.wait(in_preview(f"{CHOSEN}.includes('south')"), "the instance that was chosen")
    code.browser.wait(in_preview(EDITED), "the status")
    code.wait(f"return {OBSERVED}.length === 0;", "that there is no editor without its text")
    for command in ("focusSecondEditorGroup", "openEditorAtIndex2"):
        code.run("await vscode.commands.executeCommand(`workbench.action.${command}`);", command=command)
    code.browser.wait(in_graph(f"{FIELDS}?.getAttribute('aria-pressed') === 'true'"), "the graph as it was")
    code.browser.wait(in_graph("!!view.querySelector('[data-id=web]')"), "its boxes")


def test_a_definition_under_the_preview_is_shown_beside_it(code: VSCode) -> None:
    code.open(code.folder / "shop.yaml")
    code.run("await vscode.commands.executeCommand('workbench.action.joinAllGroups');")
    uri = (code.folder / "shop.yaml").as_uri()
    code.run("await vscode.commands.executeCommand('kro.showPreview', {uri});", uri=uri)
    for shown in (["Preview of shop.yaml"], ["Preview of shop.yaml", "shop.yaml"]):
        wanted = json.dumps(shown, separators=(",", ":"))
        code.wait(f"return JSON.stringify({SHOWN_TABS}) === wanted;", str(shown), wanted=wanted)
        click(code, "view.querySelector('#node-web')")
