"""Visual Studio Code where there is no `kro-ls`: the extension makes an environment, once the user agrees.

pip gets the libraries that the server needs from wherever it is configured to.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.editors.conftest import FAULTY
from tests.editors.vscode import skip_if_missing, vscode


def test_a_workspace_that_is_not_trusted_gets_the_server_that_the_extension_carries(tmp_path: Path) -> None:
    skip_if_missing()
    project = tmp_path / "project"
    # What a workspace brings along is not run: this one would tell.
    trap = project / ".venv/bin/kro-ls"
    trap.parent.mkdir(parents=True)
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/trapped\n", encoding="utf-8")
    trap.chmod(0o755)
    (project / ".vscode").mkdir()
    (project / ".vscode/settings.json").write_text(json.dumps({"kro.server.path": str(trap)}), encoding="utf-8")
    (project / "greeting.yaml").write_text(FAULTY, encoding="utf-8")
    pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "pip_"))}
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", **pip}

    settings: dict[str, object] = {"security.workspace.trust.startupPrompt": "never"}
    with vscode(tmp_path / "code", project, environment, settings, trusted=False) as code:
        assert not code.run("return vscode.workspace.isTrusted;")
        code.open(project / "greeting.yaml")
        buttons = "[...document.querySelectorAll('.notification-toast .monaco-button')]"
        install = f"{buttons}.find((each) => each.innerText === 'Install')"
        code.browser.wait(f"Boolean({install})", "the question")
        assert code.diagnostics(project / "greeting.yaml") == []
        code.browser.evaluate(f"{install}.click()")
        code.wait(
            "return vscode.languages.getDiagnostics(vscode.Uri.file(path)).length === 1;",
            "the diagnostics of the installed server",
            seconds=240,
            path=str(project / "greeting.yaml"),
        )
    assert not (tmp_path / "trapped").exists()
