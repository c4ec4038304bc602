"""The status that is edited for a preview in Visual Studio Code, in a separate editor with the server's features."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import Server, VSCode, inside_view, project
from tests.fixtures.graphs import SHOP

if TYPE_CHECKING:
    from collections.abc import Iterator

in_view = partial(inside_view, "main.preview")
TEXT = SHOP.replace(
    "    - id: web\n", '    - id: web\n      readyWhen: ["${web.status.readyReplicas == web.spec.replicas}"]\n'
)
OPEN = "vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.label === 'web.status.yaml')"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, {"shop.yaml": TEXT}, server, width=1700, height=900) as started:
        started.hide_sidebar()
        started.open(started.folder / "shop.yaml")
        started.place("- id: web\n")
        started.run("await vscode.commands.executeCommand('kro.showPreview');")
        started.browser.wait(in_view("view.querySelectorAll('.node').length === 20"), "the preview")
        yield started


def click(code: VSCode, selector: str) -> None:
    code.click_in_view("main.preview", f"view.querySelector({selector!r})")


def text(code: VSCode) -> str:
    found: str = code.run("return vscode.window.activeTextEditor?.document.getText() ?? '';")
    return found


def problems(code: VSCode) -> list[str]:
    found: list[str] = code.run(
        "return vscode.languages.getDiagnostics(vscode.window.activeTextEditor.document.uri).map((one) => one.message);"
    )
    return found


def test_a_status_is_typed_in_an_editor_and_counts_as_it_is_typed(code: VSCode) -> None:
    click(code, "#node-web")
    code.browser.wait(in_view("!!view.querySelector('#node-web-edit')?.offsetParent"), "the tools")
    click(code, "#node-web-edit")
    code.wait(f"return {OPEN}.length === 1", "the editor")
    code.wait("return vscode.window.activeTextEditor?.document.uri.scheme === 'kro-observed';", "its focus")
    assert code.run("return vscode.window.activeTextEditor.document.languageId;") == "yaml"
    assert "status:" in text(code), "it begins with what is simulated"

    code.wait_for_keys()
    code.run("await vscode.commands.executeCommand('editor.action.selectAll');")
    code.browser.type("status:\r")
    code.browser.type("redy")
    shown = "[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((row) => row.textContent)"
    code.browser.wait(f"{shown}.some((row) => row.includes('readyReplicas'))", "the fields of the kind's status")
    code.browser.press("Tab", 9)
    code.browser.type("1")
    code.wait(
        "return vscode.window.activeTextEditor.document.getText().includes('readyReplicas: 1');", "the accepted field"
    )
    code.browser.wait(in_view("!!view.querySelector('[data-node=web] .sign.state-waiting')"), "the preview with it")
    marks = "[...view.querySelectorAll('[data-node=web] .mark')].map((mark) => mark.textContent)"
    assert "status edited" in code.browser.evaluate(in_view(marks))


def test_wrong_fields_and_values_are_marked(code: VSCode) -> None:
    code.run("await vscode.commands.executeCommand('editor.action.selectAll');")
    code.browser.type("status:\r")
    code.browser.type("redyReplicas: 1")
    code.browser.press("Escape", 27)
    code.wait(
        """const found = vscode.languages.getDiagnostics(vscode.window.activeTextEditor.document.uri);
        return found.some(({message}) => message.includes("did you mean 'readyReplicas'"));""",
        "the unknown field",
    )
    code.replace("redyReplicas: 1", "readyReplicas: many")
    code.wait(
        """const found = vscode.languages.getDiagnostics(vscode.window.activeTextEditor.document.uri);
        return found.length === 1 && found[0].message.includes('integer');""",
        "the wrong type",
    )
    code.replace("readyReplicas: many", "readyReplicas: 2")
    code.wait(
        "return !vscode.languages.getDiagnostics(vscode.window.activeTextEditor.document.uri).length;", "no problem"
    )
    assert problems(code) == []


def test_the_editor_is_saved_by_itself_and_goes_with_the_change(code: VSCode) -> None:
    code.wait("return !vscode.window.activeTextEditor.document.isDirty;", "the document to be saved")
    click(code, "#node-web-edit")
    assert code.run(f"return {OPEN}.length;") == 1, "it is opened once"
    buttons = "[...view.querySelectorAll('[data-node=web] .tools button')]"
    code.click_in_view("main.preview", f"{buttons}.find((one) => one.textContent === 'Simulate again')")
    code.wait(f"return {OPEN}.length === 0", "the editor to be closed")
    code.browser.wait(in_view("!!view.querySelector('[data-node=web] .sign.state-ready')"), "the simulated status")

    click(code, "#node-web-edit")
    code.wait(f"return {OPEN}.length === 1", "the editor again")
    code.wait(
        """const document = vscode.window.activeTextEditor?.document;
        return document?.uri.scheme === 'kro-observed' && document.getText().includes('readyReplicas: 1');""",
        "that it begins with what is simulated again",
    )
    code.wait_for_keys()
    code.run("await vscode.commands.executeCommand('editor.action.selectAll');")
    code.browser.type("# none")
    code.browser.wait(in_view("!!view.querySelector('[data-node=web] .sign.state-waiting')"), "the preview without")
    reset = "[...view.querySelectorAll('header button')].find((one) => one.textContent === 'Reset')"
    code.click_in_view("main.preview", reset)
    code.wait(f"return {OPEN}.length === 0", "the editor to be closed by a reset")


def test_a_status_that_cannot_be_read_is_not_left_out_of_a_test(code: VSCode) -> None:
    """Nothing can be saved, not even what could be read before, and the page says why."""
    click(code, "#node-web-edit")
    code.wait("return vscode.window.activeTextEditor?.document.uri.scheme === 'kro-observed';", "its focus")
    code.run("await vscode.commands.executeCommand('editor.action.selectAll');")
    code.browser.type("status: a: b")
    code.browser.wait(in_view("view.querySelector('.banner').innerText.includes('cannot be read')"), "the banner")
    save = "[...view.querySelectorAll('header button')].find((one) => one.textContent === 'Save as test')"
    assert code.browser.evaluate(in_view(f"{save}.disabled"))
