"""An online shop of twenty resources in Visual Studio Code: the graph and the preview beside the definition."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.editors.vscode import inside_view
from tests.fixtures.graphs import SHOP
from tests.pictures.camera import Stage
from tests.pictures.in_vscode import scroll_to
from tests.pictures.windows import Scene, command, play, window

if TYPE_CHECKING:
    from tests.editors.vscode import VSCode
    from tests.pictures.camera import Camera

WAITS = "    - id: web\n", '    - id: web\n      readyWhen: ["${web.status.readyReplicas == web.spec.replicas}"]\n'
FILES = {"online-shop.yaml": SHOP.replace(*WAITS)}
in_graph = partial(inside_view, "svg.graph")
in_preview = partial(inside_view, "main.preview")
LENSES = "[...document.querySelectorAll('.codelens-decoration')].map((each) => each.innerText.trim())"
STATUS = "vscode.window.activeTextEditor?.document.uri.scheme === 'kro-observed'"
SUGGESTED = "[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((row) => row.textContent)"


def open_definition(code: VSCode, place: str = "- id: web\n") -> None:
    code.open(code.folder / "online-shop.yaml")
    code.place(place)


def click(code: VSCode, selector: str) -> None:
    """Click an element of the preview."""
    code.browser.evaluate(in_preview(f"(view.querySelector({selector!r}).click(), 1)"))


def graph(code: VSCode) -> None:
    """The graph beside its definition."""
    open_definition(code)
    command(code, "kro.showGraph")
    code.browser.wait(in_graph("view.querySelectorAll('[data-id]').length === 20"), "the graph")
    open_definition(code, "kind: OnlineShop")  # no box is selected then, whose details would cover others
    scroll_to(code, 70)
    wait_for_lenses(code)


def wait_for_lenses(code: VSCode) -> None:
    """Wait until each lens shows what becomes of its resource."""
    are_shown = f"{LENSES}.every((text) => text && text !== 'Preview')"
    code.browser.wait(f"{LENSES}.length > 2 && {are_shown}", "the lenses")


def show_preview(code: VSCode) -> None:
    open_definition(code)
    command(code, "kro.showPreview")
    code.browser.wait(in_preview("view.querySelectorAll('.node').length === 20"), "the preview")


def preview(code: VSCode) -> None:
    """The third pass."""
    show_preview(code)
    click(code, "[aria-label^='First pass']")
    for _ in range(2):
        click(code, "[aria-label^='One pass on']")
    wait_for_lenses(code)


def status(code: VSCode) -> None:
    """The status of a Deployment, typed into an editor that knows its fields."""
    show_preview(code)
    click(code, "#node-web")
    code.browser.wait(in_preview("!!view.querySelector('#node-web-edit')?.offsetParent"), "the tools")
    click(code, "#node-web-edit")
    code.wait(f"return {STATUS};", "the editor of the status")
    command(code, "editor.action.selectAll")
    code.browser.type("status:\r")
    code.browser.type("avail")
    code.browser.wait(f"{SUGGESTED}.some((row) => row.includes('availableReplicas'))", "the fields of the status")


def refused(code: VSCode) -> None:
    """A half-typed resource: kro would refuse the definition."""
    show_preview(code)
    open_definition(code)
    code.replace("- id: cache\n", "- id: search\n    - id: cache\n")
    verdict = "kro refuses this: 1 error"
    code.browser.wait(in_preview(f"view.querySelector('.state-pill').innerText === {verdict!r}"), "the badge")
    item = "document.getElementById('kro-ls.kro-ls.kro.status')?.innerText"
    code.browser.wait(f"{item}.includes({verdict!r})", "the status bar")
    code.place("- id: search\n")
    wait_for_lenses(code)


WIDE = (1400, 800)
SCENES = (
    Scene("vscode-graph", graph, WIDE),
    Scene("vscode-preview", preview, WIDE),
    Scene("vscode-status", status, WIDE),
    Scene("vscode-refused", refused, WIDE),
)


def shop(camera: Camera) -> None:
    with window(FILES) as code:
        play(camera, code, FILES, SCENES)


STAGE = Stage(shop, tuple(name for scene in SCENES for name in scene.names))
