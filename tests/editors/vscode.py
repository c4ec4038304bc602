"""Drives VS Code: code-server with the packaged extension, a browser without a screen, and a probe inside.

The probe (`vscode_extensions/`) runs JavaScript in the extension host, so that tests ask VS Code's own interface; the
browser is driven over its debugging protocol for what a person does and sees.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

import pytest
from websockets.sync.client import connect

from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from websockets.sync.client import ClientConnection

INSTALLED = ROOT / ".cache/editors/vscode"
NODE = INSTALLED / "node24/node_modules/node/bin/node"
CODE_SERVER = INSTALLED / "code-server/node_modules/code-server/out/node/entry.js"
YAML_MODULES = INSTALLED / "yaml/node_modules"
"""Where the server of Red Hat's extension is, and the client library that it uses."""
EXTENSION = ROOT / "editors/vscode/dist"
HELPERS = Path(__file__).resolve().parent / "vscode_extensions"

SECONDS = 30
LOOKS: dict[str, object] = {
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.layoutControl.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "editor.minimap.enabled": False,
    "editor.fontSize": 13,
    "editor.occurrencesHighlight": "off",
    "files.autoSave": "off",
}
LINE = """
const editor = vscode.window.activeTextEditor;
const line = editor && editor.document.lineAt(editor.selection.active).text.trim();
"""
"""JavaScript for `VSCode.run`: `line` is the one with the cursor."""

# Tells of each start, and of each message: the debug log has them.
_SERVER = """\
#!/bin/sh
if [ "$1" = serve ]; then
  echo $$ >> {folder}/starts
  exec {program} serve --log-file {folder}/log --log-level debug
fi
exec {program} "$@"
"""

_PLACE_OF = """text => {
  const plain = (node) => node.textContent.replaceAll("\\u00a0", " ");
  const line = [...document.querySelectorAll(".view-lines .view-line")].find((each) => plain(each).includes(text));
  if (!line) return null;
  let at = plain(line).indexOf(text) + text.length - 1;
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (at < node.data.length) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const {x, y, width, height} = range.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }
    at -= node.data.length;
  }
  return null;
}"""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


class Browser:
    """A page of a Chromium without a screen."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._last = 0
        self.send("Page.enable")
        self.send("Runtime.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the DevTools protocol; return its result."""
        self._last += 1
        self._connection.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._connection.recv(timeout=SECONDS))
            if message.get("id") == self._last:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, expression: str, what: str, seconds: float = SECONDS) -> Any:
        """Return the value of an expression as soon as it is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, f"waited in vain for {what}"
            time.sleep(0.05)
        return value

    def screenshot(self, path: Path) -> None:
        """Write what is to be seen as PNG."""
        time.sleep(0.4)  # animations end
        data = self.send("Page.captureScreenshot", format="png")["data"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))

    def type(self, text: str) -> None:
        """Type a text, key by key."""
        for character in text:
            self.send("Input.dispatchKeyEvent", type="char", text=character)

    def place_of(self, text: str) -> tuple[float, float]:
        """Return where the last character of a text is shown in an editor."""
        x, y = self.wait(f"({_PLACE_OF})({json.dumps(text)})", f"{text!r} on the screen")
        return x, y

    def press(self, key: str, code: int, modifiers: int = 0) -> None:
        """Press and release a named key, such as `Escape` with its code 27."""
        for kind in ("rawKeyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
            self.send("Input.dispatchKeyEvent", **event)

    def point(self, x: float, y: float, *, click: bool = False) -> None:
        """Move the mouse there, and click if wanted."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


class VSCode:
    """A VS Code that shows a folder."""

    def __init__(self, probe_port: int, browser: Browser, folder: Path) -> None:
        self._probe_port = probe_port
        self.browser = browser
        self.folder = folder

    def run(self, body: str, **values: object) -> Any:
        """Run the body of an async JavaScript function in the extension host; `values` are its constants."""
        constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
        request = urllib.request.Request(  # our own probe
            f"http://127.0.0.1:{self._probe_port}/", data=(constants + body).encode(), method="POST"
        )
        with urllib.request.urlopen(request, timeout=SECONDS * 4) as response:
            answer = json.load(response)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def wait(self, body: str, what: str, seconds: float = SECONDS, **values: object) -> Any:
        """Return what a body answers as soon as it is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(body, **values)):
            assert time.monotonic() < deadline, f"waited in vain for {what}"
            time.sleep(0.05)
        return value

    def open(self, path: Path) -> None:
        """Open a file in an editor."""
        self.run("await vscode.window.showTextDocument(vscode.Uri.file(path), {preview: false});", path=str(path))

    def hide_sidebar(self) -> None:
        """Leave more room to editors and views."""
        self.run("await vscode.commands.executeCommand('workbench.action.closeSidebar');")

    def place(self, text: str, *, after: bool = False) -> None:
        """Put the cursor of the active editor before (or after) the first place of a text."""
        self.run(
            """
            const editor = vscode.window.activeTextEditor;
            const offset = editor.document.getText().indexOf(text);
            if (offset < 0) throw new Error(`there is no ${text}`);
            const position = editor.document.positionAt(offset + (after ? text.length : 0));
            editor.selection = new vscode.Selection(position, position);
            editor.revealRange(editor.selection);
            """,
            text=text,
            after=after,
        )

    def replace(self, old: str, new: str) -> None:
        """Replace the first place of a text in the active editor, by an edit."""
        self.run(
            """
            const {document} = vscode.window.activeTextEditor;
            const offset = document.getText().indexOf(old);
            if (offset < 0) throw new Error(`there is no ${old}`);
            const edit = new vscode.WorkspaceEdit();
            const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + old.length));
            edit.replace(document.uri, range, replacement);
            await vscode.workspace.applyEdit(edit);
            """,
            old=old,
            replacement=new,
        )

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """Return what is wrong with a file: each with `code`, `message`, `severity`, and the marked `text`."""
        found: list[dict[str, Any]] = self.run(
            """
            const uri = vscode.Uri.file(path);
            const document = await vscode.workspace.openTextDocument(uri);
            return vscode.languages.getDiagnostics(uri).map((each) => ({
              code: each.code?.value ?? each.code, message: each.message, severity: each.severity,
              source: each.source, text: document.getText(each.range),
            }));
            """,
            path=str(path),
        )
        return found

    def wait_for_diagnostics(self, path: Path, codes: list[str]) -> list[dict[str, Any]]:
        """Return the diagnostics of a file as soon as they have these codes, in any order."""
        deadline = time.monotonic() + SECONDS
        while True:
            found = self.diagnostics(path)
            if sorted(str(each["code"]) for each in found) == sorted(codes):
                return found
            assert time.monotonic() < deadline, found
            time.sleep(0.05)


class Folders(Protocol):
    """Makes folders, as the fixture of pytest does that is called `tmp_path_factory`."""

    def mktemp(self, basename: str) -> Path:
        """Make a new folder."""


class Server:
    """The server that VS Code starts, as its wrapper tells of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = shutil.which("kro-ls", path=str(Path(sys.executable).parent))
        assert program
        self.command = folder / "kro-ls"
        self.command.write_text(_SERVER.format(folder=folder, program=program), encoding="utf-8")
        self.command.chmod(0o755)

    @property
    def processes(self) -> list[int]:
        """The processes that were started so far."""
        starts = self.folder / "starts"
        return [int(line) for line in starts.read_text().split()] if starts.exists() else []

    @property
    def log(self) -> str:
        """What the servers logged."""
        log = self.folder / "log"
        return log.read_text(encoding="utf-8") if log.exists() else ""


@contextmanager
def project(factory: Folders, files: Mapping[str, str], server: Server, *, width: int, height: int) -> Iterator[VSCode]:
    """Start a VS Code in a project with these texts and with a server, in a window of this size.

    Skips where there is no VS Code; in CI that is a failure.
    """
    skip_if_missing()
    home = factory.mktemp("vscode")
    folder = home / "shop"
    (folder / ".git").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    # A file of a workspace is shown instead of the folder.
    shown = next((folder / name for name in files if name.endswith(".code-workspace")), folder)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    settings = {**LOOKS, "kro.server.path": str(server.command)}
    with vscode(home / "code", shown, environment, settings) as started:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        started.browser.send("Emulation.setDeviceMetricsOverride", **size)
        yield started


def inside_view(root: str, expression: str) -> str:
    """Return JavaScript for the browser: what an expression gives in the webview that has the element `root`.

    `view` is the webview's document. It gives undefined where there is no such webview.
    """
    return f"""
    (() => {{
      const pages = [...document.querySelectorAll("iframe.webview")].map((each) => each.contentDocument);
      const inner = pages.map((page) => page?.querySelector("iframe#active-frame")?.contentDocument);
      const view = inner.find((page) => page?.querySelector({json.dumps(root)}));
      return view ? {expression} : undefined;
    }})()
    """


def skip_if_missing() -> None:
    """Skip the test where there is no VS Code to drive; in CI that is a failure."""
    reason = missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


def missing() -> str | None:
    """Return what is not there to drive VS Code with, and what brings it."""
    for need in (NODE, CODE_SERVER, YAML_MODULES):
        if not need.exists():
            return f"no {need.relative_to(INSTALLED)} here; scripts/setup-editors installs it"
    if not shutil.which("chromium"):
        return "no chromium here; scripts/setup-editors installs it"
    if not list(EXTENSION.glob("*.vsix")):
        return "the extension is not packaged; run 'npm run package' in editors/vscode"
    return None


@contextmanager
def vscode(
    home: Path, folder: Path, environment: dict[str, str], settings: dict[str, object], *, trusted: bool = True
) -> Iterator[VSCode]:
    """Start a VS Code with the packaged extension and with settings; `home` gets everything that it writes.

    `folder` may be a file that names the folders of a workspace.
    """
    data, extensions, port_file = home / "data", home / "extensions", home / "probe-port"
    quiet = {"workbench.startupEditor": "none", "window.commandCenter": False, "chat.disableAIFeatures": True}
    for scope in ("User", "Machine"):  # what names a program counts in the latter alone
        (data / scope).mkdir(parents=True)
        (data / scope / "settings.json").write_text(json.dumps({**quiet, **settings}), encoding="utf-8")
    command = [str(NODE), str(CODE_SERVER), "--user-data-dir", str(data), "--extensions-dir", str(extensions)]
    packages = [*EXTENSION.glob("*.vsix"), *(_package(folder, home) for folder in HELPERS.iterdir())]
    inside = {**environment, "PROBE_PORT_FILE": str(port_file)}
    install = [*command, *(part for package in packages for part in ("--install-extension", str(package)))]
    subprocess.run(install, env=inside, check=True, capture_output=True, timeout=120)

    port = free_port()
    trust = [] if not trusted else ["--disable-workspace-trust"]
    quiet_options = ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    log = (home / "code-server.log").open("wb")
    server = subprocess.Popen(
        [*command, "--bind-addr", f"127.0.0.1:{port}", *quiet_options, *trust, str(folder)],
        env=inside,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/healthz")
        with _chromium(home / "chromium") as browser:
            kind = "workspace" if folder.suffix == ".code-workspace" else "folder"
            browser.send("Page.navigate", url=f"http://127.0.0.1:{port}/?{kind}={quote(str(folder))}")
            deadline = time.monotonic() + SECONDS * 4
            while not port_file.exists() or not port_file.read_text():
                assert time.monotonic() < deadline, "VS Code did not start the probe"
                time.sleep(0.05)
            yield VSCode(int(port_file.read_text()), browser, folder if kind == "folder" else folder.parent)
    finally:
        server.terminate()
        server.wait(timeout=SECONDS)
        log.close()


def _package(folder: Path, target: Path) -> Path:
    """Make a .vsix of a folder that needs no building."""
    package = target / f"{folder.name}.vsix"
    with zipfile.ZipFile(package, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"extension/{file.name}")
    return package


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):  # our own server
                return
        except OSError:
            assert time.monotonic() < deadline, f"{url} does not answer"
            time.sleep(0.1)


@contextmanager
def _chromium(profile: Path) -> Iterator[Browser]:
    options = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
        --disable-component-update --disable-sync --hide-scrollbars --force-device-scale-factor=1
        --window-size=1280,800 --remote-debugging-port=0""".split()
    process = subprocess.Popen(
        ["chromium", *options, f"--user-data-dir={profile}", "about:blank"],
        env={**os.environ, "HOME": str(profile.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr
        for line in process.stderr:
            if found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line):
                break
        else:
            raise AssertionError("chromium did not start")
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/json/list", timeout=SECONDS) as response:
            page = next(each for each in json.load(response) if each["type"] == "page")
        with connect(page["webSocketDebuggerUrl"], max_size=None, ping_interval=None) as connection:
            yield Browser(connection)
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)
