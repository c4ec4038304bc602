"""The dependency graph in Visual Studio Code: drawn, live, and tied to the cursor in both directions."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import LINE, Server, VSCode, inside_view, project
from tests.fixtures.graphs import SHOP, platform

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

in_view = partial(inside_view, "svg.graph")
SHIFT = 8
SHOWN_LINE = LINE.replace("activeTextEditor", "visibleTextEditors[0]")
"""The same while the view has the focus."""
WATCH_SKELETON = """
const write = Document.prototype.write;
Document.prototype.write = function (...texts) {
  write.apply(this, texts);
  const found = this.querySelector("#kro-skeleton");
  if (found) (top.kroSkeletons ??= []).push([found.textContent.trim(), getComputedStyle(found).position]);
};
"""
"""JavaScript for each new document: `top.kroSkeletons` has the content of a view before its script is loaded.

VS Code writes a view's text into an empty document, whose script cannot run before.
"""
IN_WINDOW = """(({x, y, width, height}) => {
  const frames = [...document.querySelectorAll("iframe.webview")];
  const inner = (frame) => frame.contentDocument?.querySelector("iframe#active-frame");
  const outer = frames.find((frame) => inner(frame)?.contentDocument === view);
  const [one, other] = [outer, inner(outer)].map((frame) => frame.getBoundingClientRect());
  return {x: x + one.x + other.x, y: y + one.y + other.y, width, height};
})"""
"""JavaScript for the place in the window of a rectangle of the view."""
PLACE = f"""(() => {{
  const found = view.querySelector(SELECTOR);
  if (!found) return undefined;
  const place = found.getBoundingClientRect();
  const at = view.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
  return at && (found.contains(at) || found.parentNode.contains(at)) ? {IN_WINDOW}(place) : undefined;
}})()"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    files = {"shop.yaml": SHOP, "platform.yaml": platform(130)}
    with project(tmp_path_factory, files, server, width=1500, height=820) as started:
        started.browser.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH_SKELETON)
        # What moves is not where it was when a click arrives.
        calm = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        started.browser.send("Emulation.setEmulatedMedia", features=calm)
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
            author = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
            subprocess.run(["git", *author, *command], cwd=started.folder, check=True, capture_output=True)
        started.hide_sidebar()
        yield started


@pytest.fixture(scope="module")
def file(code: VSCode) -> Path:
    """The definition, open beside its graph."""
    path = code.folder / "shop.yaml"
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


# Groups, the map, the comparison and the keys after a click: with a definition that is large.


@pytest.fixture(scope="module")
def groups(code: VSCode) -> Path:
    """A large definition, open beside its graph, which shows groups."""
    path = code.folder / "platform.yaml"
    code.run("await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');")
    code.run("await vscode.commands.executeCommand('workbench.action.closeAllGroups');")
    code.browser.evaluate("top.kroSkeletons = []")
    code.open(path)
    code.run("await vscode.commands.executeCommand('kro.showGraph');")
    code.browser.wait(in_view(shows_groups(13)), "the groups")
    code.browser.wait(in_view("Number(view.body.dataset.laidOut ?? 0) > 0"), "their places")
    return path


def shows_groups(count: int) -> str:
    return f"view.querySelectorAll('.box.group').length === {count}"


def click(code: VSCode, selector: str, modifiers: int = 0) -> None:
    """Click with the mouse on the middle of an element of the view, as soon as nothing lies over it."""
    place = code.browser.wait(in_view(PLACE.replace("SELECTOR", json.dumps(selector))), selector)
    event = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2, "modifiers": modifiers}
    code.browser.send("Input.dispatchMouseEvent", type="mouseMoved", **event)
    for kind in ("mousePressed", "mouseReleased"):
        code.browser.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **event)


def press(code: VSCode, key: str) -> None:
    """Press a key with a character, where the focus is."""
    for kind in ("keyDown", "keyUp"):
        code.browser.send("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else "")


def test_a_page_says_that_it_draws_before_its_script_does(code: VSCode, groups: Path) -> None:
    assert code.browser.evaluate("top.kroSkeletons") == [["Drawing the graph…", "fixed"]]
    shown = "view.querySelector('#kro-skeleton') !== null || view.querySelector('.loading').checkVisibility()"
    assert code.browser.evaluate(in_view(shown)) is False


def test_groups_expand_by_click_and_by_key(code: VSCode, groups: Path) -> None:
    expanded = in_view("!!view.querySelector('[data-id=usersDeployment]')")
    collapsed = in_view("!view.querySelector('[data-id=usersDeployment]')")
    click(code, '[data-id="group users"] .title')
    code.browser.wait(expanded, "the members")
    press(code, "c")
    code.browser.wait(collapsed, "the group")
    code.browser.press("Enter", 13)
    code.browser.wait(expanded, "the members")
    press(code, "c")
    code.browser.wait(collapsed, "the group")


def test_a_click_leaves_the_keys_in_the_picture(code: VSCode, groups: Path) -> None:
    code.browser.press("Escape", 27)  # the details of another box may lie over this one
    press(code, "0")  # what was expanded and collapsed stayed where it was, and this group may be outside
    click(code, '[data-id="group cart"] .title')
    code.browser.wait(in_view("!!view.querySelector('[data-id=cartDeployment]')"), "the members")
    click(code, "[data-id=cartDeployment] .title")
    code.browser.wait(in_view("!!view.querySelector('[data-id=cartDeployment].selected')"), "the selected box")
    code.wait(SHOWN_LINE + "return line === '- id: cartDeployment';", "the cursor at the box's line")
    press(code, "p")
    pressed = "[...view.querySelectorAll('button')].find(each => each.textContent === 'Critical path').ariaPressed"
    code.browser.wait(in_view(f"{pressed} === 'true'"), "the critical path")
    click(code, "[data-id=cartConfig] .title", SHIFT)
    code.browser.wait(in_view("/ways between/.test(view.querySelector('[role=status]').textContent)"), "the ways")
    assert code.browser.evaluate(in_view("view.getSelection().toString()")) == ""
    press(code, "p")
    code.browser.wait(in_view(f"{pressed} === 'false'"), "no critical path")
    text = code.run(
        "return (await vscode.workspace.openTextDocument(vscode.Uri.file(path))).getText();", path=str(groups)
    )
    assert text == platform(130)
    code.browser.press("Escape", 27)
    click(code, '[data-id="group cart"] .head')
    code.browser.wait(in_view("!view.querySelector('[data-id=cartDeployment]')"), "the group")


def test_a_map_shows_which_part_is_seen_and_an_instance_keeps_the_zoom(code: VSCode, groups: Path) -> None:
    shown = "view.querySelector('.minimap').style.display !== 'none'"
    press(code, "0")
    code.browser.wait(in_view(f"!({shown})"), "everything")
    for _ in range(5):
        press(code, "+")
    code.browser.wait(in_view(shown), "the map")
    transform = in_view("view.querySelector('svg.graph > g').getAttribute('transform')")
    before = code.browser.evaluate(transform)
    press(code, "i")
    code.browser.wait(in_view("!!view.querySelector('.state')"), "what becomes of an instance")
    assert code.browser.evaluate(transform) == before
    press(code, "i")
    code.browser.wait(in_view("!view.querySelector('.state')"), "the definition alone")
    place = code.browser.evaluate(in_view(f"{IN_WINDOW}(view.querySelector('.minimap').getBoundingClientRect())"))
    code.browser.point(place["x"] + place["width"] - 12, place["y"] + place["height"] - 12, click=True)
    code.browser.wait(f"{transform} !== {json.dumps(before)}", "another part")
    press(code, "0")
    code.browser.wait(in_view(f"!({shown})"), "everything")


def test_changes_since_the_last_commit_are_marked_as_they_are_typed(code: VSCode, groups: Path) -> None:
    code.browser.press("Escape", 27)
    press(code, "h")
    code.browser.wait(in_view("/Since HEAD/.test(view.querySelector('.legend').textContent)"), "the comparison")
    assert code.browser.evaluate(in_view("view.querySelectorAll('.box.changed').length")) == 0
    # The view has the focus, and the text would be opened over it.
    code.run("await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');")
    code.replace("-cart-config'", "-cart-settings'")
    code.browser.wait(in_view("!!view.querySelector('[data-id=\"group cart\"].changed')"), "the changed group")
    code.run("await vscode.commands.executeCommand('undo');")
    code.browser.wait(in_view("view.querySelectorAll('.box.changed').length === 0"), "nothing changed")
