"""Drives VS Code: code-server with the packaged extension, a browser without a screen, and a probe inside.

The probe (`vscode_extensions/`) runs JavaScript in the extension host, so that tests ask VS Code's own interface; the
browser is driven over its debugging protocol for what a person does and sees.
"""

from __future__ import annotations

import json
import os
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

from tests.editors.chromium import SECONDS, chromium
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.editors.chromium import Browser

INSTALLED = ROOT / ".cache/editors/vscode"
NODE = INSTALLED / "node24/node_modules/node/bin/node"
CODE_SERVER = INSTALLED / "code-server/node_modules/code-server/out/node/entry.js"
YAML_MODULES = INSTALLED / "yaml/node_modules"
"""Where the server of Red Hat's extension is, and the client library that it uses."""
EXTENSION = ROOT / "editors/vscode/dist"
HELPERS = Path(__file__).resolve().parent / "vscode_extensions"

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

# Reports each start and each message, which the debug log has.
_SERVER = """\
#!/bin/sh
if [ "$1" = serve ]; then
  echo $$ >> {folder}/starts
  exec {program} serve --log-file {folder}/log --log-level debug
fi
exec {program} "$@"
"""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


class VSCode:
    """A VS Code that shows a folder."""

    def __init__(self, port_file: Path, browser: Browser, folder: Path) -> None:
        self._port_file = port_file
        self.browser = browser
        self.folder = folder

    def run(self, body: str, **values: object) -> Any:
        """Run the body of an async JavaScript function in the extension host; `values` are its constants."""
        constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
        request = urllib.request.Request(  # our own probe
            f"http://127.0.0.1:{self._port_file.read_text()}/", data=(constants + body).encode(), method="POST"
        )
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
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

    def wait_for_probe(self) -> None:
        """Wait until extensions run."""
        deadline = time.monotonic() + SECONDS
        while not self._port_file.exists() or not self._port_file.read_text():
            assert time.monotonic() < deadline, "VS Code did not start the probe"
            time.sleep(0.05)

    def reload(self) -> None:
        """Load the window again, as *Developer: Reload Window* does."""
        self.run("setTimeout(() => vscode.commands.executeCommand('workbench.action.reloadWindow'), 50);")
        self._port_file.unlink()
        self.wait_for_probe()

    def open(self, path: Path) -> None:
        """Open a file in an editor, the one that shows it if one does, whatever group has the focus."""
        self.run(
            """
            const uri = vscode.Uri.file(path);
            const shown = vscode.window.visibleTextEditors.find((each) => each.document.uri.fsPath === uri.fsPath);
            await vscode.window.showTextDocument(uri, {preview: false, viewColumn: shown?.viewColumn});
            """,
            path=str(path),
        )

    def wait_for_keys(self) -> None:
        """Wait until an editor of text gets the keys that are pressed."""
        self.browser.wait("!!document.activeElement?.closest('.monaco-editor')", "the focus in an editor")

    def click_in_view(self, root: str, found: str) -> None:
        """Click an element of the webview that has `root`, as soon as it is there; `found` is JavaScript for it."""
        click = f"((element) => element && (element.click(), true))({found})"
        self.browser.wait(inside_view(root, click), found)

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

    def quick_fixes(self) -> list[str]:
        """Open the list of fixes at the cursor, wait until it has the keys, and return its titles.

        VS Code closes the list when diagnostics come again, and opens none while the editor lacks the focus.
        """
        titles = "[...document.querySelectorAll('.action-widget .action')].map((each) => each.innerText)"
        has_keys = "!!document.activeElement?.closest('.action-widget')"
        deadline = time.monotonic() + SECONDS
        while True:
            self.run("await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');")
            self.wait_for_keys()
            self.run("await vscode.commands.executeCommand('editor.action.quickFix');")
            asked_again = time.monotonic() + 5
            while time.monotonic() < asked_again:
                if found := self.browser.evaluate(f"{has_keys} && {titles}"):
                    return list(found)
                time.sleep(0.05)
            assert time.monotonic() < deadline, "waited in vain for the fixes"

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
        """Return the diagnostics of a file, each with `code`, `message`, `severity`, and the marked `text`."""
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
    """Creates folders like pytest's fixture `tmp_path_factory`."""

    def mktemp(self, basename: str) -> Path:
        """Make a new folder."""


class Server:
    """The server that VS Code starts, as its wrapper reports it."""

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
    """Return what is missing for driving VS Code, and what installs it."""
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
    subprocess.run(install, env=inside, check=True, capture_output=True, timeout=SECONDS)

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
        with chromium(home / "chromium") as browser:
            kind = "workspace" if folder.suffix == ".code-workspace" else "folder"
            browser.send("Page.navigate", url=f"http://127.0.0.1:{port}/?{kind}={quote(str(folder))}")
            code = VSCode(port_file, browser, folder if kind == "folder" else folder.parent)
            code.wait_for_probe()
            yield code
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
