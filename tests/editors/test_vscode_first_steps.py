"""The tutorial in Visual Studio Code: the files of `kro-ls example` look and behave as docs/getting-started.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.cli.example import example_text
from tests.editors.vscode import Server, VSCode, inside_view, project

if TYPE_CHECKING:
    from collections.abc import Iterator

MISTAKES = {"name: ${deployment.metadata.name}": "name: ${deployment.metadata.nmae}", "image: $": "imagee: $"}
GRAPH = "view.querySelectorAll('svg.graph [data-id]').length === 3"
PREVIEW = "view.querySelectorAll('.node').length === 3"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    files = {name: example_text(name) for name in ("web-app.yaml", "shop.yaml")}
    with project(tmp_path_factory, files, server, width=1440, height=860) as started:
        yield started


def test_mistakes_are_shown_at_their_words_and_in_the_graph(code: VSCode) -> None:
    path = code.folder / "web-app.yaml"
    code.hide_sidebar()
    code.open(path)
    for old, new in MISTAKES.items():
        code.replace(old, new)
    code.run("await vscode.window.activeTextEditor.document.save();")
    found = code.wait_for_diagnostics(path, ["undefined-field", "unknown-template-field"])
    assert {each["text"] for each in found} == {"nmae", "imagee"}
    code.run("await vscode.commands.executeCommand('kro.showGraph');")
    code.browser.wait(inside_view("svg.graph", GRAPH), "the graph")
    code.run("await vscode.commands.executeCommand('workbench.actions.view.problems');")


def test_the_quick_fixes_mend_them(code: VSCode) -> None:
    path = code.folder / "web-app.yaml"
    code.open(path)
    for mistake, fix in (("imagee", "Change to 'image'"), ("nmae", "Change to 'name'")):
        code.place(mistake)
        code.run(
            """
            const {document, selection} = vscode.window.activeTextEditor;
            const offered = await vscode.commands.executeCommand(
              "vscode.executeCodeActionProvider", document.uri, selection);
            const chosen = offered.find((each) => each.title === title);
            await vscode.workspace.applyEdit(chosen.edit);
            await document.save();
            """,
            title=fix,
        )
    code.wait_for_diagnostics(path, [])
    code.run("await vscode.commands.executeCommand('workbench.action.closePanel');")


def test_the_preview_shows_what_the_instance_becomes(code: VSCode) -> None:
    code.run("await vscode.commands.executeCommand('workbench.action.closeAllEditors');")
    code.open(code.folder / "web-app.yaml")
    code.run("await vscode.commands.executeCommand('kro.showPreview');")
    code.browser.wait(inside_view(".node", PREVIEW), "the preview")
    code.browser.wait(inside_view(".node", "view.body.textContent.includes('ACTIVE')"), "the state")
    assert "shop" in code.browser.evaluate(inside_view(".node", "view.body.textContent"))


@pytest.mark.parametrize("word", ["apiV", "kin"])
def test_an_empty_file_begins_with_a_whole_definition(word: str, code: VSCode) -> None:
    path = code.folder / f"{word}.yaml"
    path.write_text("", encoding="utf-8")
    code.open(path)
    code.run("await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');")
    code.wait_for_keys()
    code.browser.type(word)
    rows = "[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((row) => row.ariaLabel)"
    shown = code.browser.wait(f"{rows}.length && {rows}", "suggestions")
    assert shown[0].startswith("ResourceGraphDefinition, Snippet")
