"""The files of `kro-ls example` in Visual Studio Code: what README, the tutorial and the walkthrough show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.cli.example import example_text
from tests.editors.vscode import inside_view
from tests.pictures.camera import Stage
from tests.pictures.windows import Scene, command, play, window

if TYPE_CHECKING:
    from tests.editors.vscode import VSCode
    from tests.pictures.camera import Camera

FILES = {name: example_text(name) for name in ("web-app.yaml", "shop.yaml", "web-app.test.yaml")}
BROKEN = example_text("broken.yaml")
HOVERS = "[...document.querySelectorAll('.monaco-hover:not(.hidden)')].map((each) => each.innerText).join()"
SUGGESTIONS = "document.querySelectorAll('.suggest-widget.visible .monaco-list-row').length"
TESTS = "[...document.querySelectorAll('.test-explorer .monaco-list-row')].map((row) => row.ariaLabel)"
FOLD = "document.querySelector('.test-explorer .monaco-tl-twistie.collapsed')"
ROWS = "[...document.querySelectorAll('.markers-panel .monaco-list-row')].map((row) => row.innerText).join('\\n')"
PASSES = "const found = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 20);"


def open_file(code: VSCode, name: str = "web-app.yaml", *, top: int | None = None) -> Path:
    """Open a file and wait for its lenses; show it from a line on, counted from 1."""
    path = code.folder / name
    code.open(path)
    code.wait(
        f"const uri = vscode.Uri.file(path); {PASSES} return found?.some((each) => each.command?.title);",
        "the lenses",
        path=str(path),
    )
    if top:
        scroll_to(code, top)
    return path


def scroll_to(code: VSCode, line: int) -> None:
    """Scroll a line, counted from 1, to the top, but for the lines that stick there."""
    reveal = "activeTextEditor.revealRange(new vscode.Range(at, 0, at, 0), vscode.TextEditorRevealType.AtTop)"
    code.run(f"vscode.window.{reveal};", at=line - 1)


MISTAKES = {
    "undefined-field": ("name: ${deployment.metadata.name}", "name: ${deployment.metadata.nmae}"),
    "unknown-template-field": ("image: $", "imagee: $"),
}


def make_mistakes(code: VSCode, *codes: str) -> None:
    """Mistype names in the definition, for diagnostics with these codes, and save it."""
    path = open_file(code)
    for each in codes:
        code.replace(*MISTAKES[each])
    code.run("await vscode.window.activeTextEditor.document.save();")
    code.wait_for_diagnostics(path, list(codes))


def show_graph(code: VSCode) -> None:
    command(code, "kro.showGraph")
    code.browser.wait(
        inside_view("svg.graph", "view.querySelectorAll('svg.graph [data-id]').length === 3"), "the graph"
    )


def show_preview(code: VSCode) -> None:
    command(code, "kro.showPreview")
    ready = "view.querySelectorAll('.node').length === 3 && view.body.textContent.includes('ACTIVE')"
    code.browser.wait(inside_view(".node", ready), "the preview")


def first_look(code: VSCode) -> None:
    """Two mistakes, each at its word, in the list of problems and in the graph."""
    make_mistakes(code, *MISTAKES)
    show_graph(code)
    command(code, "workbench.actions.view.problems")
    code.browser.wait(f"{ROWS}.includes('nmae') && {ROWS}.includes('imagee')", "the problems")
    code.open(code.folder / "web-app.yaml")
    code.place("kind: WebApp")  # no box is selected then
    scroll_to(code, 42)


def first_preview(code: VSCode) -> None:
    """The preview beside its definition."""
    open_file(code)
    show_preview(code)
    code.open(code.folder / "web-app.yaml")
    code.place("- id: service")


def diagnostic(code: VSCode) -> None:
    """An error at its word."""
    make_mistakes(code, "undefined-field")
    open_file(code, top=45)
    point_at(code, "deployment.metadata.nma", "did you mean")


def hover(code: VSCode) -> None:
    """The type, the default and the value of a field."""
    open_file(code, top=20)
    point_at(code, "replicas: ${schema.spec.repl", "integer")


def point_at(code: VSCode, text: str, expected: str) -> None:
    """Let the mouse rest on the last character of a text until a hover with some words is there."""
    code.run("await new Promise((resolve) => setTimeout(resolve, 1000));")  # lenses move lines
    code.browser.point(*code.browser.place_of(text))
    code.browser.wait(f"{HOVERS}.includes({expected!r})", "the hover")


def completion(code: VSCode) -> None:
    """The fields of the schema, inside an expression."""
    open_file(code, top=24)
    code.replace("image: ${schema.spec.image", "image: ${schema.spec.")
    code.place("image: ${schema.spec.", after=True)
    command(code, "editor.action.triggerSuggest")
    code.browser.wait(SUGGESTIONS, "suggestions")


def quick_fix(code: VSCode) -> None:
    """The fixes of a mistake."""
    make_mistakes(code, "undefined-field")
    open_file(code, top=36)
    code.place("nmae", after=True)
    command(code, "workbench.action.focusActiveEditorGroup")
    command(code, "editor.action.quickFix")
    code.browser.wait("!!document.querySelector('.action-widget .monaco-list-row')", "the fixes")


def lenses(code: VSCode) -> None:
    """What becomes of each resource, above it."""
    open_file(code, top=1)
    code.place("name: string")
    code.browser.wait(
        "document.body.innerText.replaceAll('\\u00a0', ' ').includes('ACTIVE')", "the lens of the definition"
    )


def outline(code: VSCode) -> None:
    """The outline beside the definition, and the lines above the visible ones."""
    command(code, "workbench.view.explorer")
    open_file(code)
    code.place("path: /", after=True)
    scroll_to(code, 73)
    command(code, "outline.focus")
    files = "[...document.querySelectorAll('.explorer-viewlet .pane-header')][0]"  # folded: the outline gets the room
    code.browser.evaluate(f"{files}.click(); 1")
    code.browser.wait("document.querySelectorAll('.outline-element').length > 5", "the outline")


def tests(code: VSCode) -> None:
    """A test that failed, at its line."""
    open_test_file(code)
    code.replace("deployment: {spec: {replicas: 3}}", "deployment: {spec: {replicas: 4}}")
    code.run("await vscode.window.activeTextEditor.document.save();")
    command(code, "workbench.view.testing.focus")
    code.browser.wait(f"{TESTS}.some((label) => label.includes('web-app.test.yaml'))", "the file in the Testing view")
    command(code, "testing.runAll")
    code.browser.wait(f"{TESTS}.some((label) => label.includes('Failed'))", "a failure")
    code.browser.wait(
        "document.body.innerText.replaceAll('\\u00a0', ' ').includes('expected 4, found 3')", "the message"
    )
    code.browser.evaluate(f"{FOLD}?.click(); 1")
    code.browser.wait(f"{TESTS}.some((label) => label.includes('other apps'))", "the tests of the file")
    command(code, "workbench.action.focusActiveEditorGroup")


def tests_alone(code: VSCode) -> None:
    """The same, without its output."""
    tests(code)
    command(code, "workbench.action.closePanel")


def open_test_file(code: VSCode) -> None:
    code.open(code.folder / "web-app.test.yaml")


def problems(code: VSCode) -> None:
    """Files that are not open are in the list of problems. Comes last: the file stays in the project."""
    (code.folder / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    code.open(code.folder / "broken.yaml")
    code.wait_for_diagnostics(
        code.folder / "broken.yaml", ["invalid-default", "type-mismatch", "undefined-field", "unknown-template-field"]
    )
    command(code, "workbench.action.closeActiveEditor")
    open_file(code)
    command(code, "workbench.actions.view.problems")
    code.browser.wait(f"{ROWS}.includes('broken.yaml')", "the file that is not open")


EDITOR = (1000, 560)
BOTH = ("light", "dark")
SCENES = (
    Scene("first-look", first_look, (1240, 760), BOTH),
    Scene("first-preview", first_preview, (1240, 760), BOTH),
    Scene("vscode-diagnostic", diagnostic, EDITOR),
    Scene("vscode-hover", hover, EDITOR),
    Scene("vscode-completion", completion, EDITOR),
    Scene("vscode-quick-fix", quick_fix, EDITOR),
    Scene("vscode-lenses", lenses, EDITOR),
    Scene("vscode-outline", outline, (1000, 600)),
    Scene("vscode-tests", tests, (1100, 620)),
    Scene("walkthrough/write", completion, (760, 480), BOTH),
    Scene("walkthrough/errors", diagnostic, (760, 480), BOTH),
    Scene("walkthrough/preview", first_preview, (860, 560), BOTH),
    Scene("walkthrough/test", tests_alone, (860, 480), BOTH),
    Scene("vscode-problems", problems, (1100, 620)),
)


def web_app(camera: Camera) -> None:
    with window(FILES) as code:
        play(camera, code, FILES, SCENES)


STAGE = Stage(web_app, tuple(name for scene in SCENES for name in scene.names))
