"""Visual Studio Code with the packaged extension, as a person has it."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.chromium import SECONDS
from tests.editors.conftest import FAULTY
from tests.editors.vscode import YAML_MODULES, Server, VSCode, inside_view, project
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OTHER = "# nothing of kro\non: push\njobs: {a: [\n"
TESTS = """\
definition: web-app.yaml
tests:
  - name: it becomes active
    expect:
      state: ACTIVE
  - name: it has four replicas
    expect:
      objects:
        deployment: {spec: {replicas: 4}}
"""


SHOP = """\
apiVersion: kro.run/v1alpha1
kind: WebApp
metadata: {name: corner-shop, namespace: default}
spec: {name: corner-shop, replicas: 2}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    return Server(tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[VSCode]:
    files = {
        "greeting.yaml": FAULTY,
        "windows.yaml": FAULTY.replace("kind: Greeting", "kind: Window").replace("\n", "\r\n"),
        "workflow.yaml": OTHER,
        "pipeline.yaml": OTHER,
        "web-app.test.yaml": TESTS,
        "shop.yaml": SHOP,
    }
    for name in ("broken.yaml", "web-app.yaml", "team.yaml"):
        files[name] = (EXAMPLES / name).read_text(encoding="utf-8")
    with project(tmp_path_factory, files, server, width=1180, height=720) as started:
        yield started


@pytest.fixture
def shown(code: VSCode) -> Iterator[Callable[[str], Path]]:
    """Opens a file of the project alone, and puts all that a test changes back afterwards as it was."""
    opened: list[tuple[Path, bytes]] = []

    def show(name: str) -> Path:
        path = code.folder / name
        opened.append((path, path.read_bytes()))
        code.open(path)
        return path

    yield show
    code.run(
        """
        for (const document of vscode.workspace.textDocuments.filter((each) => each.isDirty)) {
          await vscode.window.showTextDocument(document, {preview: false});
          await vscode.commands.executeCommand("workbench.action.files.revert");
        }
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
        """
    )
    assert all(path.read_bytes() == content for path, content in opened)


def test_nothing_happens_for_other_yaml(code: VSCode, server: Server, shown: Callable[[str], Path]) -> None:
    path = shown("workflow.yaml")
    code.replace("push", "pull_request")
    time.sleep(1)
    assert server.processes == []
    assert code.diagnostics(path) == []


def test_errors_are_marked_and_a_quick_fix_mends_one(
    code: VSCode, server: Server, shown: Callable[[str], Path]
) -> None:
    path = shown("greeting.yaml")
    [found] = code.wait_for_diagnostics(path, ["undefined-field"])
    assert (found["text"], found["severity"], found["source"]) == ("nmae", 0, "kro")
    assert code.browser.wait("document.querySelectorAll('.squiggly-error').length", "a red line") == 1
    code.browser.wait(
        "document.getElementById('kro-ls.kro-ls.kro.status')?.innerText.includes('1')", "the errors in the status bar"
    )

    code.replace("schema.spec.nmae", "shema.spec.name")
    code.wait_for_diagnostics(path, ["unresolved-reference"])
    code.place("shema")
    code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const actions = await vscode.commands.executeCommand(
          "vscode.executeCodeActionProvider", document.uri, selection, "quickfix", 10);
        const action = actions.find((each) => each.title.includes("'schema'"));
        if (!action) throw new Error(JSON.stringify(actions));
        await vscode.workspace.applyEdit(action.edit);
        """
    )
    code.wait_for_diagnostics(path, [])


def test_a_file_with_the_line_ends_of_windows(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("windows.yaml")
    [found] = code.wait_for_diagnostics(path, ["undefined-field"])
    assert found["text"] == "nmae"
    # Edits on several lines: the server's text must stay the editor's.
    code.replace("- id: greeting", "- id: settings\r\n      # first")
    code.place("nmae")
    text = code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const actions = await vscode.commands.executeCommand(
          "vscode.executeCodeActionProvider", document.uri, selection, "quickfix", 10);
        const action = actions.find((each) => each.title.includes("'name'"));
        if (!action) throw new Error(JSON.stringify(actions));
        await vscode.workspace.applyEdit(action.edit);
        const place = document.positionAt(document.getText().indexOf("replicas:"));
        await vscode.workspace.applyEdit(await vscode.commands.executeCommand(
          "vscode.executeDocumentRenameProvider", document.uri, place, "count"));
        return document.getText();
        """
    )
    assert "name: ${schema.spec.name}" in text
    assert "      count: integer" in text
    assert "string(schema.spec.count)" in text
    assert text.count("\n") == text.count("\r\n")
    code.wait_for_diagnostics(path, [])


def test_what_becomes_a_definition_is_followed(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("workflow.yaml")
    code.replace(OTHER, FAULTY)
    code.wait_for_diagnostics(path, ["undefined-field"])


def test_the_server_gets_no_other_file(code: VSCode, server: Server, shown: Callable[[str], Path]) -> None:
    definition = shown("greeting.yaml")
    code.wait_for_diagnostics(definition, ["undefined-field"])
    shown("pipeline.yaml")
    code.replace("push", "pull_request")
    code.run(
        """
        const {document} = vscode.window.activeTextEditor;
        const place = new vscode.Position(1, 0);
        await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, place);
        await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", document.uri, place);
        """
    )
    time.sleep(0.5)
    assert "greeting.yaml" in server.log
    reported = [line for line in server.log.splitlines() if "pipeline.yaml" in line]
    # A change on disk is reported for any YAML file, because it may hold a kind.
    assert [line for line in reported if "didChangeWatchedFiles" not in line] == []


def test_hover_and_completion(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("web-app.yaml")
    code.wait_for_diagnostics(path, [])
    code.place("schema.spec.image")
    hover = code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const place = selection.active.translate(0, "schema.spec.i".length);
        const found = await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, place);
        return found.flatMap((each) => each.contents.map((content) => content.value ?? content)).join("\\n");
        """
    )
    assert "string" in hover
    code.place("schema.spec.im", after=True)
    code.wait(
        """
        const {document} = vscode.window.activeTextEditor;
        const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 20);
        return lenses.some((each) => each.command?.title.includes("ready"));
        """,
        "the lenses, which move lines",
    )
    hovers = "[...document.querySelectorAll('.monaco-hover:not(.hidden)')].map((each) => each.innerText).join()"
    deadline = time.monotonic() + SECONDS
    while not code.browser.evaluate(f"{hovers}.includes('string')"):
        assert time.monotonic() < deadline, "waited in vain for the hover"
        code.browser.point(*code.browser.place_of("schema.spec.ima"))  # the lenses may yet move it
        time.sleep(2)
    code.browser.point(600, 710)

    code.place("schema.spec.image", after=True)
    code.replace("schema.spec.image", "schema.spec.")
    code.place("image: ${schema.spec.", after=True)
    code.run("await vscode.commands.executeCommand('editor.action.triggerSuggest');")
    rows = "[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((row) => row.ariaLabel)"
    labels = code.browser.wait(f"{rows}.length && {rows}", "the suggestions")
    assert any(label.startswith("replicas") for label in labels)
    code.browser.press("Escape", 27)


def test_rename(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("web-app.yaml")
    code.wait_for_diagnostics(path, [])
    code.place("deployment.status")
    changed = code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const edit = await vscode.commands.executeCommand(
          "vscode.executeDocumentRenameProvider", document.uri, selection.active, "app");
        await vscode.workspace.applyEdit(edit);
        const uri = vscode.Uri.joinPath(document.uri, "../web-app.test.yaml");
        const tests = await vscode.workspace.openTextDocument(uri);
        return [document.getText(), tests.getText()];
        """
    )
    assert "- id: app\n" in changed[0]
    assert "deployment." not in changed[0]
    assert "app: {spec: {replicas: 4}}" in changed[1]
    code.wait_for_diagnostics(path, [])


def test_a_lens_opens_the_preview_beside_at_its_resource(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("web-app.yaml")
    code.wait_for_diagnostics(path, [])
    # The cursor is in no resource: it may still be where the last test had it, and the preview shows what it is in.
    code.run("vscode.window.activeTextEditor.selection = new vscode.Selection(0, 0, 0, 0);")
    run_lens = """
        const {document} = vscode.window.activeTextEditor;
        const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 20);
        const lens = lenses.find((each) => each.command?.title.includes(text));
        if (!lens) return null;
        await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
        return lens.command.title;
        """
    title = code.wait(run_lens, "a lens that tells the state", text="ACTIVE")
    assert title.startswith("Preview with")
    code.browser.wait(inside_view("main.preview", "view.querySelectorAll('.node').length"), "the preview")
    selected = inside_view("main.preview", "view.querySelector('.node.selected')?.dataset.node")
    assert code.browser.evaluate(selected) is None
    code.wait(run_lens, "a lens of a resource", text="1 object")
    code.browser.wait(f"{selected} === 'deployment'", "the lens's resource")


def test_the_lens_of_an_instance_opens_its_preview(code: VSCode, shown: Callable[[str], Path]) -> None:
    shown("shop.yaml")
    run_lens = """
        const uri = vscode.window.activeTextEditor.document.uri;
        const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri, 10);
        const lens = (lenses ?? []).find(({command}) => command?.title === text);
        if (lens) {
          await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
        }
        return lens?.command.title;
    """
    code.wait(run_lens, "the lens of the instance", text="Preview this instance")
    code.browser.wait(inside_view("main.preview", "view.querySelectorAll('.node').length"), "the preview")
    name = inside_view("main.preview", "view.querySelector('main.preview').textContent.includes('corner-shop')")
    code.browser.wait(name, "the instance in the preview")


def test_the_text_of_a_preview_follows_the_definition(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("web-app.yaml")
    code.wait_for_diagnostics(path, [])
    code.run("await vscode.commands.executeCommand('kro.preview');")
    text = code.wait(
        """
        const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.scheme === "kro-preview");
        return editor && editor.viewColumn === 2 && editor.document.languageId === "yaml" && editor.document.getText();
        """,
        "the preview beside the definition",
    )
    assert "kind: Deployment" in text
    code.replace("containerPort: ${schema.spec.port}", "containerPort: 9999")
    code.wait(
        """
        const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.scheme === "kro-preview");
        return editor.document.getText().includes("containerPort: 9999");
        """,
        "the preview of the edited definition",
    )


@pytest.mark.parametrize(
    ("command", "expected"), [("kro.crd", "kind: CustomResourceDefinition"), ("kro.instance", "kind: WebApp")]
)
def test_the_palette_shows_texts_of_the_definition_at_the_cursor(
    code: VSCode, shown: Callable[[str], Path], command: str, expected: str
) -> None:
    shown("web-app.yaml")
    code.run("await vscode.commands.executeCommand(command);", command=command)
    code.wait(
        "return vscode.window.visibleTextEditors.some(({document}) => document.uri.scheme === 'kro-preview'"
        " && document.getText().includes(expected));",
        expected,
        expected=expected,
    )


@pytest.fixture
def red_hat(code: VSCode, tmp_path: Path) -> Iterator[None]:
    """Has the server of Red Hat's extension running, which thinks that all values in YAML are numbers."""
    schema = tmp_path / "numbers.json"
    schema.write_text(json.dumps({"additionalProperties": {"type": "number"}}), encoding="utf-8")
    theirs = "const theirs = await vscode.extensions.getExtension('redhat.vscode-yaml').activate();"
    schemas = {schema.as_uri(): "*.yaml"}
    code.run(f"{theirs} await theirs.start(modules, schemas);", modules=str(YAML_MODULES), schemas=schemas)
    yield
    code.run(f"{theirs} await theirs.stop();")


@pytest.mark.usefixtures("red_hat")
def test_it_lives_beside_red_hat_yaml(code: VSCode, shown: Callable[[str], Path]) -> None:
    other, path = shown("pipeline.yaml"), shown("greeting.yaml")
    found = "const found = vscode.languages.getDiagnostics(vscode.Uri.file(path));"
    code.wait(f"{found} return found.some((each) => each.message.includes('number'));", "their errors", path=str(other))
    [ours] = code.wait_for_diagnostics(path, ["undefined-field"])
    assert ours["source"] == "kro"

    code.place("nmae")
    hovers = code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const found = await vscode.commands.executeCommand(
          "vscode.executeHoverProvider", document.uri, selection.active);
        return found.map((each) => each.contents[0].value).filter((each) => each !== "");
        """
    )
    assert len(hovers) == 1, hovers
    code.replace("        kind: ConfigMap\n", "        kind: ConfigMap\n        \n")
    code.place("        kind: ConfigMap\n        ", after=True)
    offered = code.run(
        """
        const {document, selection} = vscode.window.activeTextEditor;
        const list = await vscode.commands.executeCommand(
          "vscode.executeCompletionItemProvider", document.uri, selection.active);
        return list.items.map((each) => each.label.label ?? each.label);
        """
    )
    assert len(offered) == len(set(offered)) > 0

    code.replace("metadata:\n  name: greeting", "metadata: [\n  name: greeting")
    errors = """
        const errors = found.filter((each) => [each.source, each.code?.value ?? each.code].some(
          (each) => ["YAML", "yaml-syntax"].includes(each)));
        const lines = errors.map((each) => each.range.start.line);
        """
    theirs = "return errors.some((each) => each.source === 'YAML') && lines.length === new Set(lines).size;"
    code.wait(f"{found} {errors} {theirs}", "one squiggle for each line", path=str(path))


def test_a_setting_takes_effect_at_once(code: VSCode, shown: Callable[[str], Path]) -> None:
    path = shown("greeting.yaml")
    code.wait_for_diagnostics(path, ["undefined-field"])
    set_severity = "await vscode.workspace.getConfiguration('kro').update('severity', value, true);"
    code.run(set_severity, value={"undefined-field": "hint"})
    code.wait(
        "return vscode.languages.getDiagnostics(vscode.Uri.file(path))[0]?.severity === 3;", "a hint", path=str(path)
    )
    code.run(set_severity, value={"undefined-field": "off"})
    code.wait_for_diagnostics(path, [])
    code.run(set_severity, value=None)
    code.wait_for_diagnostics(path, ["undefined-field"])


def test_a_server_that_crashes_is_started_again_and_one_can_be_restarted(
    code: VSCode, server: Server, shown: Callable[[str], Path]
) -> None:
    path = shown("greeting.yaml")
    code.wait_for_diagnostics(path, ["undefined-field"])
    starts = len(server.processes)
    os.kill(server.processes[-1], signal.SIGKILL)
    deadline = time.monotonic() + SECONDS
    while len(server.processes) == starts:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    code.replace("spec.nmae", "spec.nome")
    code.wait(
        "const found = vscode.languages.getDiagnostics(vscode.Uri.file(path));"
        "return found.length === 1 && found[0].message.includes('nome');",
        "the diagnostics of the new server",
        path=str(path),
    )
    code.run("await vscode.commands.executeCommand('kro.restartServer');")
    code.replace("spec.nome", "spec.name")
    code.wait_for_diagnostics(path, [])
    assert len(server.processes) == starts + 2


def test_tests_are_found_run_and_fail_at_their_lines(code: VSCode, shown: Callable[[str], Path]) -> None:
    shown("web-app.test.yaml")
    code.run("await vscode.commands.executeCommand('workbench.view.testing.focus');")
    rows = "[...document.querySelectorAll('.test-explorer .monaco-list-row')].map((row) => row.ariaLabel)"
    code.browser.wait(f"{rows}.some((label) => label.includes('web-app.test.yaml'))", "the file in the Testing view")
    code.run("await vscode.commands.executeCommand('testing.runAll');")
    code.browser.wait(f"{rows}.some((label) => label.includes('Failed'))", "a failure")
    code.browser.wait("document.body.innerText.replaceAll('\xa0', ' ').includes('expected 4, found 2')", "the message")
    code.run("await vscode.commands.executeCommand('workbench.view.explorer');")
    code.run("await vscode.commands.executeCommand('workbench.action.closePanel');")
