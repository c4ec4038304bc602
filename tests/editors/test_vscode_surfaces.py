"""Test files, problems of the workspace, sticky scroll, the walkthrough and the Testing view in VS Code."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import Server, VSCode, inside_view, project
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

WEB_APP = (EXAMPLES / "web-app.yaml").read_text(encoding="utf-8")
WRONG = WEB_APP.replace("kind: WebApp", "kind: Wrong").replace("schema.spec.replicas", "schema.spec.replica")
WRONG_CODES = ["undefined-field"] * WRONG.count("schema.spec.replica")
TESTS = """\
definition: web-app.yaml
tests:
  - name: it has four replicas
    expect:
      objects:
        deployment: {spec: {replicas: 4}}
"""
FAULTY = """\
definition: web-app.yaml
tests:
  - name: it becomes active
    expect:
      stat: ACTIVE
      nodes: {ingres: ready}
      objets: {}
    expct: {}
"""
ROWS = "[...document.querySelectorAll('.markers-panel .monaco-list-row')].map((row) => row.innerText).join('\\n')"
STICKY = (
    "[...document.querySelectorAll('.sticky-line-content')]"
    ".map((line) => line.innerText.replaceAll('\xa0', ' ').trim())"
)
BADGE = (
    "([...document.querySelectorAll('.activitybar .action-item')]"
    ".find((each) => each.querySelector('[aria-label^=Testing]'))?.querySelector('.badge-content')?.innerText ?? '')"
)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    files = {
        "web-app.yaml": WEB_APP,
        "other/wrong.yaml": WRONG,
        "tests/web-app.test.yaml": TESTS.replace("web-app.yaml", "../web-app.yaml"),
        "faulty.test.yaml": FAULTY,
    }
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, files, server, width=1000, height=640) as started:
        yield started


def command(code: VSCode, name: str) -> None:
    code.run("await vscode.commands.executeCommand(name);", name=name)


def test_problems_have_the_files_that_are_not_open(code: VSCode) -> None:
    code.open(code.folder / "web-app.yaml")
    command(code, "workbench.actions.view.problems")
    code.browser.wait(f"{ROWS}.includes('wrong.yaml')", "a closed file")
    code.wait_for_diagnostics(code.folder / "faulty.test.yaml", ["invalid-file"] * 4)
    code.wait_for_diagnostics(code.folder / "other/wrong.yaml", WRONG_CODES)
    code.open(code.folder / "other/wrong.yaml")
    code.replace("schema.spec.replica}", "schema.spec.replicas}")
    command(code, "workbench.action.files.revert")
    command(code, "workbench.action.closeActiveEditor")
    code.wait_for_diagnostics(code.folder / "other/wrong.yaml", WRONG_CODES)


def test_a_test_file_has_all_its_faults_at_once_and_completion(code: VSCode) -> None:
    path = code.folder / "faulty.test.yaml"
    code.open(path)
    found = code.wait_for_diagnostics(path, ["invalid-file"] * 4)
    assert sorted(each["text"] for each in found) == ["expct", "ingres", "objets", "stat"]
    command(code, "workbench.action.closePanel")
    code.replace("ingres: ready", "")
    code.place("nodes: {", after=True)
    command(code, "editor.action.triggerSuggest")
    rows = "[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((row) => row.ariaLabel)"
    labels = code.browser.wait(f"{rows}.length && {rows}", "the suggestions")
    assert any(label.startswith("ingress") for label in labels)
    code.browser.press("Escape", 27)
    command(code, "workbench.action.files.revert")


def test_sticky_scroll_shows_the_yaml_around(code: VSCode) -> None:
    code.open(code.folder / "web-app.yaml")
    code.run(
        """
        const editor = vscode.window.activeTextEditor;
        const place = editor.document.positionAt(editor.document.getText().indexOf("containerPort"));
        editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.AtTop);
        """
    )
    shown = code.browser.wait(f"{STICKY}.some((line) => line === 'containers:') && {STICKY}", "sticky scroll")
    assert shown[:6] == [
        "kind: ResourceGraphDefinition",
        "- id: deployment",
        "template:",
        "spec:",
        "template:",
        "spec:",
    ]


def test_a_failed_test_is_updated_from_its_menu_and_that_can_be_undone(code: VSCode) -> None:
    path = code.folder / "tests/web-app.test.yaml"
    code.open(path)
    command(code, "workbench.view.testing.focus")
    row = (
        "[...document.querySelectorAll('.test-explorer .monaco-list-row')].find((row) => row.ariaLabel.includes({!r}))"
    )
    code.browser.wait(f"!!{row.format('web-app.test.yaml')}", "the file in the Testing view")
    command(code, "testing.runAll")
    failed = row.format("web-app.test.yaml")
    code.browser.wait(f"{failed}?.ariaLabel.includes('Failed')", "a failure")
    command(code, "workbench.action.closePanel")
    place = code.browser.wait(
        f"(() => {{ const at = {failed}.getBoundingClientRect(); return [at.x + 60, at.y + 11]; }})()", ""
    )
    code.browser.point(*place, click=True)
    code.browser.point(*place, click=True, button="right")
    entry = (
        "[...(document.querySelector('.shadow-root-host')?.shadowRoot ?? document)"
        ".querySelectorAll('.action-label')].find((each) => each.innerText.includes('Update to What It Does Now'))"
    )
    code.browser.wait(f"!!{entry}", "the entry of the menu")
    where = f"(() => {{ const at = {entry}?.getBoundingClientRect(); return at && [at.x + 20, at.y + 8]; }})()"
    for _ in range(20):  # a menu takes no click in its first moment
        shown = code.browser.evaluate(where)
        if not shown:
            break
        code.browser.point(*shown, click=True)
        time.sleep(0.5)
    text = "return vscode.window.activeTextEditor.document.getText();"
    code.wait(f"{text[:-1]}.includes('replicas: 2');", "the updated test")
    assert code.run(text) == path.read_text(encoding="utf-8").replace("replicas: 4", "replicas: 2")
    command(code, "testing.runAll")
    code.browser.wait(f"{failed}?.ariaLabel.includes('Passed')", "a passed test")
    code.open(path)
    command(code, "undo")
    assert "replicas: 4" in code.run(text)
    command(code, "workbench.action.files.save")


def test_the_badge_of_the_testing_view_goes_with_the_files(code: VSCode) -> None:
    code.open(code.folder / "tests/web-app.test.yaml")
    command(code, "workbench.view.testing.focus")
    rows = "[...document.querySelectorAll('.test-explorer .monaco-list-row')].map((row) => row.ariaLabel)"
    code.browser.wait(f"{rows}.some((label) => label.includes('web-app.test.yaml'))", "the file in the Testing view")
    command(code, "testing.runAll")
    code.browser.wait(f"{BADGE} !== ''", "the badge")
    command(code, "workbench.action.closeAllEditors")
    shutil.rmtree(code.folder / "tests")
    code.browser.wait(f"{BADGE} === ''", "no badge")
    command(code, "workbench.view.explorer")
    command(code, "workbench.action.closePanel")


def test_the_walkthrough_ticks_off_what_was_done(code: VSCode) -> None:
    code.open(code.folder / "web-app.yaml")
    code.place("schema.spec.image", after=True)
    code.replace("image: ${schema.spec.image", "image: ${schema.spec.")
    code.place("image: ${schema.spec.", after=True)
    command(code, "editor.action.triggerSuggest")
    code.browser.wait("document.querySelectorAll('.suggest-widget.visible .monaco-list-row').length", "suggestions")
    code.browser.press("Escape", 27)
    command(code, "workbench.action.files.revert")
    command(code, "kro.showPreview")
    code.browser.wait(inside_view("main.preview", "view.querySelectorAll('.node').length"), "the preview")
    command(code, "workbench.action.closeAllEditors")
    code.run("await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'kro-ls.kro-ls#start', false);")
    steps = "[...document.querySelectorAll('.getting-started-step .codicon')].map((each) => each.className)"
    done = code.browser.wait(f"{steps}.length && {steps}", "the steps")
    ticked = f"{steps}.filter((each) => each.includes('step-checked')).length"
    code.browser.wait(f"{ticked} >= 2", f"ticks of the steps that were done: {done}")
