"""Visual Studio Code without `kro-ls`: the extension creates an environment once the user agrees.

pip gets the server's libraries from its configured index, and from none at the first try.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tests.editors.chromium import SECONDS
from tests.editors.conftest import FAULTY
from tests.editors.vscode import skip_if_missing, vscode

if TYPE_CHECKING:
    from pathlib import Path

    from tests.editors.vscode import VSCode

NOWHERE = "[global]\nno-index = true\nfind-links =\n"
MENU = """[...document.querySelectorAll('.quick-input-widget .monaco-list-row')].filter((row) => row.offsetParent)
  .sort((one, other) => one.dataset.index - other.dataset.index).map((row) => row.textContent.trim())"""
SUGGESTED = """
const found = await vscode.commands.executeCommand(
  'vscode.executeCompletionItemProvider', vscode.window.activeTextEditor.document.uri, new vscode.Position(3, 10));
return found.items.map(({label}) => label);
"""
TICKED = """[...document.querySelectorAll('.getting-started-step')]
  .map((step) => [step.dataset.stepId, !!step.querySelector('.codicon-getting-started-step-checked')])
  .filter(([id, isTicked]) => isTicked && id.endsWith('#server')).length"""


def pip_settings() -> str:
    """Return how pip is configured by this process's environment, as a file for pip."""
    found = {name[4:].lower().replace("_", "-"): value for name, value in os.environ.items() if name.startswith("PIP_")}
    return "[global]\n" + "".join(f"{name} = {value}\n" for name, value in found.items() if name != "config-file")


def notification(code: VSCode, label: str, seconds: float = SECONDS) -> tuple[str, float, float]:
    """Wait for a notification with that button; return its text, and the place of the button once that is stable."""
    toast = f"""(() => {{
      const button = [...document.querySelectorAll('.notification-toast .monaco-button')]
        .find((each) => each.innerText === {json.dumps(label)});
      if (!button) return null;
      const {{x, y, width, height}} = button.getBoundingClientRect();
      const said = button.closest('.notification-toast').querySelector('.notification-list-item-message').innerText;
      return [said, x + width / 2, y + height / 2];
    }})()"""
    before, found = None, code.browser.wait(toast, f"the button {label}", seconds)
    while found != before:
        code.browser.evaluate("new Promise((go) => setTimeout(go, 200))")
        before, found = found, code.browser.wait(toast, f"the button {label}")
    said, x, y = found
    return said, x, y


def press(code: VSCode, label: str) -> None:
    """Press the button of a notification with the mouse."""
    _, x, y = notification(code, label)
    code.browser.point(x, y, click=True)


def first_of_menu(code: VSCode) -> str:
    """Return the first entry of the menu that the item in the status bar opens."""
    code.run("vscode.commands.executeCommand('kro.showStatus');")
    first = code.browser.wait(f"{MENU}[0]", "the status menu")
    code.browser.press("Escape", 27)
    code.browser.wait(f"!{MENU}.length", "the menu to be closed")
    return str(first)


def test_a_failed_installation_is_tried_again_in_a_workspace_that_is_not_trusted(tmp_path: Path) -> None:
    skip_if_missing()
    project = tmp_path / "project"
    # A program in the workspace is not run: this one would report it.
    trap = project / ".venv/bin/kro-ls"
    trap.parent.mkdir(parents=True)
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/trapped\n", encoding="utf-8")
    trap.chmod(0o755)
    (project / ".vscode").mkdir()
    (project / ".vscode/settings.json").write_text(json.dumps({"kro.server.path": str(trap)}), encoding="utf-8")
    (project / "greeting.yaml").write_text(FAULTY, encoding="utf-8")
    pip = tmp_path / "pip.conf"
    pip.write_text(NOWHERE, encoding="utf-8")
    names = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "PIP_CONFIG_FILE": str(pip)}

    settings: dict[str, object] = {"security.workspace.trust.startupPrompt": "never"}
    with vscode(tmp_path / "code", project, names, settings, trusted=False) as code:
        assert not code.run("return vscode.workspace.isTrusted;")
        open_walkthrough = "vscode.commands.executeCommand('workbench.action.openWalkthrough', 'kro-ls.kro-ls#start');"
        code.open(project / "greeting.yaml")
        assert first_of_menu(code).startswith("Install the language server")
        assert code.run(SUGGESTED) == ["no suggestions"], "and none of VS Code's own words"
        press(code, "Install")
        said, *_ = notification(code, "Retry")
        assert said.startswith("The packages that kro-ls needs could not be downloaded.")
        code.run(open_walkthrough)
        code.browser.wait("document.querySelectorAll('.getting-started-step').length", "the walkthrough")
        menu = first_of_menu(code)
        assert menu.startswith("Try again to install the language server")
        assert "The last try failed: The packages that kro-ls needs could not be downloaded." in menu
        assert code.browser.evaluate(TICKED) == 0
        assert code.diagnostics(project / "greeting.yaml") == []

        pip.write_text(pip_settings(), encoding="utf-8")
        press(code, "Retry")
        code.wait(
            "return vscode.languages.getDiagnostics(vscode.Uri.file(path)).length === 1;",
            "the diagnostics of the installed server",
            seconds=240,
            path=str(project / "greeting.yaml"),
        )
        code.browser.wait(f"{TICKED} === 1", "the tick of the walkthrough")
    assert not (tmp_path / "trapped").exists()
