"""The pages with the graph and the preview in a browser, live from a server."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.editors.chromium import chromium
from tests.fixtures.client import Client
from tests.fixtures.graphs import SHOP, platform
from tests.pictures.camera import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.editors.chromium import Browser
    from tests.pictures.camera import Camera

MEDIA = {
    "light": {"prefers-color-scheme": "light"},
    "dark": {"prefers-color-scheme": "dark"},
    "contrast": {"prefers-color-scheme": "dark", "prefers-contrast": "more"},
}
GRAPH, PREVIEW = "kro.openGraph", "kro.openPreview"
SEEN = {
    GRAPH: "document.body?.dataset.laidOut >= 1",
    PREVIEW: "document.body?.dataset.answers >= 1",
}
POLICY = """\
    - id: policy
      template:
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: "${web.metadata.name}"}
        spec: {podSelector: {matchLabels: {app: web}}}
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows: the view of a definition after some clicks and keys, in a window of a size in pixels."""

    name: str
    view: str
    text: str
    size: tuple[int, int]
    set_up: Callable[[Browser], None] = lambda _: None
    themes: tuple[str, ...] = ("light",)
    committed: str = ""
    """The text of the last commit, where there is one."""
    height: int = 0
    """The height of the picture, where it is only the upper part of the window."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its pictures, which include the theme if there are several."""
        return (self.name,) if len(self.themes) == 1 else tuple(f"{self.name}-{theme}" for theme in self.themes)


def press_button(browser: Browser, label: str) -> None:
    """Press the button with a label."""
    found = f"[...document.querySelectorAll('button')].find((each) => each.textContent.trim().endsWith({label!r}))"
    browser.evaluate(f"{found}.click(); 1")


def click(browser: Browser, selector: str) -> None:
    """Click an element with the mouse, which then leaves it."""
    box = f"document.querySelector({selector!r})?.getBoundingClientRect()"
    x, y = browser.wait(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({box})", selector)
    browser.point(x, y, click=True)
    browser.point(2, 60)


def instance(browser: Browser) -> None:
    """What an instance becomes, and the critical path."""
    press_button(browser, "Instance")
    press_button(browser, "Critical path")
    browser.wait("!!document.querySelector('.box.ignored')", "what is left out")
    press_button(browser, "Fit")


def search(browser: Browser) -> None:
    """What was found, and what it has to do with."""
    browser.evaluate("document.querySelector('input[type=search]').focus()")
    browser.send("Input.insertText", text="ordersDeployment")
    browser.press("Enter", 13)
    browser.wait("!!document.querySelector('[data-id=ordersDeployment].selected')", "what was found")


def changes(browser: Browser) -> None:
    """What was added, removed and changed since the last commit."""
    press_button(browser, "Changes")
    browser.wait("!!document.querySelector('[data-id=policy].added')", "the comparison")


def held_back(browser: Browser) -> None:
    """A node that never gets ready, and what waits for it."""
    click(browser, "#node-cache")
    browser.press("h", 72)
    browser.wait("!!document.querySelector('[data-node=cache] .sign.state-waiting')", "the node that waits")


def time_line(browser: Browser) -> None:
    """The third pass."""
    browser.evaluate("document.querySelector('[role=slider]').focus()")
    for key, code in (("Home", 36), ("ArrowRight", 39), ("ArrowRight", 39)):
        browser.press(key, code)
    browser.evaluate("document.activeElement.blur()")


def edit(browser: Browser) -> None:
    """An instance that is edited: fewer zones, no ingress."""
    press_button(browser, "Then edit it")
    browser.wait("!!document.getElementById('field-spec.ingress.enabled')", "the form")
    browser.evaluate("document.getElementById('field-spec.ingress.enabled').click(); 1")
    deleted = "document.querySelector('.stop.edit .deleted')?.textContent"
    before = browser.wait(deleted, "what the edit deletes")
    browser.evaluate("document.querySelector('[title=\"Remove zones 2\"]').click(); 1")
    browser.wait(f"{deleted} && {deleted} !== {json.dumps(before)}", "what the second edit deletes, too")
    click(browser, ".stop.edit")
    browser.wait("document.querySelector('.timeline').textContent.includes('deleted')", "the pass after the edit")


def wrong_form(browser: Browser) -> None:
    """A form with values that the API server refuses, each with its error."""
    press_button(browser, "Instance")
    text = "apiVersion: kro.run/v1alpha1\nkind: OnlineShop\nmetadata:\n  name: corner-shop\nspec:\n"
    text += "  name: corner-shop\n  replicas: many\n  zones: [north, west]\n  metric: true\n"
    content = "document.getElementById('instance-yaml')?.shadowRoot?.querySelector('.cm-content')"
    browser.wait(f"!!{content}", "the editor")
    browser.evaluate(f"{content}.focus(); 1")
    browser.send("Input.dispatchKeyEvent", type="keyDown", key="a", code="KeyA", modifiers=2, commands=["selectAll"])
    browser.send("Input.insertText", text=text)
    browser.wait("document.body.textContent.includes('must be an integer')", "an error at its field")
    browser.evaluate("document.activeElement.blur()")


EDITED = SHOP[: SHOP.index("    - id: dashboards")].replace("maxReplicas: 12", "maxReplicas: 20") + POLICY
LARGE = platform(130)
SCENES = (
    Scene("graph", GRAPH, SHOP, (1400, 480), themes=("light", "dark", "contrast")),
    Scene("graph-instance", GRAPH, SHOP, (1400, 560), instance),
    Scene("graph-changes", GRAPH, EDITED, (820, 700), changes, committed=SHOP),
    Scene("graph-groups", GRAPH, LARGE, (1000, 720)),
    Scene("graph-search", GRAPH, LARGE, (1400, 800), search),
    Scene("preview", PREVIEW, SHOP, (1400, 800), held_back),
    Scene("preview-time-line", PREVIEW, SHOP, (1400, 800), time_line, themes=("dark",)),
    Scene("preview-edit", PREVIEW, SHOP, (1400, 800), edit),
    Scene("preview-form", PREVIEW, SHOP, (620, 1700), wrong_form, height=880),
)


@contextmanager
def page(browser: Browser, scene: Scene) -> Iterator[None]:
    """Show a scene's view in the browser, from a separate server."""
    with tempfile.TemporaryDirectory() as folder, Client(seconds=120) as client:
        file = Path(folder, "online-shop.yaml")
        file.write_text(scene.committed or scene.text, encoding="utf-8")
        if scene.committed:
            for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
                author = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
                subprocess.run(["git", *author, *command], cwd=folder, check=True)
        client.initialize({"window": {"showDocument": {"support": True}}})
        client.open(scene.text, file.as_uri())
        asked = client.ask("workspace/executeCommand", {"command": scene.view, "arguments": [{"uri": file.as_uri()}]})
        shown = client.wait(lambda message: "error" in message or message.get("method") == "window/showDocument")
        assert "error" not in shown, shown
        client.answer(shown, {"success": True})
        client.answer_to(asked)
        browser.send("Page.navigate", url="about:blank")
        browser.send("Page.navigate", url=shown["params"]["uri"])
        browser.wait(SEEN[scene.view], "the view")
        scene.set_up(browser)
        yield


def pages(camera: Camera) -> None:
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        for scene in SCENES:
            for name, theme in zip(scene.names, scene.themes, strict=True):
                if camera.wants(name):
                    width, height = scene.size
                    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
                    browser.send("Emulation.setDeviceMetricsOverride", **size)
                    media = [{"name": feature, "value": value} for feature, value in MEDIA[theme].items()]
                    browser.send("Emulation.setEmulatedMedia", features=media)
                    with camera.attempt(), page(browser, scene):
                        part = {"x": 0, "y": 0, "width": width, "height": scene.height} if scene.height else None
                        camera.take(browser, name, part)


STAGE = Stage(pages, tuple(name for scene in SCENES for name in scene.names))
