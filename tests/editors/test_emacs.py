"""Emacs with Eglot, in batch mode, with the settings of `editors/emacs/README.md`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent


def test_diagnostics_hover_completion_and_preview(
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> None:
    emacs = need("emacs")
    settings = "\n".join(documented("emacs", "elisp"))
    settings_file = tmp_path / "settings.el"
    settings_file.write_text(settings, encoding="utf-8")
    result_file = tmp_path / "result.json"

    run = subprocess.run(
        [emacs, "--batch", "-l", str(HERE / "emacs.el")],
        cwd=faulty_file.parent,
        env=environment | {"SETTINGS": str(settings_file), "FILE": str(faulty_file), "RESULT": str(result_file)},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result_file.exists(), run.stderr
    result = json.loads(result_file.read_text(encoding="utf-8"))

    [[marked, is_error, message]] = result["diagnostics"]
    assert (marked, is_error) == ("nmae", True)
    assert "nmae" in message
    assert result["cleared"]
    assert "string" in result["hover"]
    assert {"name", "replicas"} <= set(result["completions"])
    assert {"# greeting", "kind: ConfigMap", "  name: my-greeting"} <= set(result["preview"].splitlines())
    for view in ("graph", "view"):
        if "not in this copy" not in result[view]:
            assert "/view.js" in result[view]
