"""Emacs in batch mode, with the package of `editors/emacs` installed and the settings of its page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "editors/emacs/kro-ls.el"


@pytest.fixture
def drive(
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> Callable[[str], dict[str, Any]]:
    """Gives what a driver in this folder saw in an Emacs that opens the faulty file."""
    settings = tmp_path / "settings.el"
    settings.write_text(documented("emacs", "elisp")[0], encoding="utf-8")
    files = {"PACKAGE": PACKAGE, "SETTINGS": settings, "FILE": faulty_file, "RESULT": tmp_path / "result.json"}

    def run(driver: str) -> dict[str, Any]:
        finished = subprocess.run(
            [need("emacs"), "--batch", "-l", str(HERE / driver)],
            cwd=faulty_file.parent,
            env=environment | {name: str(file) for name, file in files.items()},
            stdin=subprocess.DEVNULL,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert files["RESULT"].exists(), finished.stderr
        result: dict[str, Any] = json.loads(files["RESULT"].read_text(encoding="utf-8"))
        return result

    return run


def test_diagnostics_hover_completion_preview_and_import(
    faulty_file: Path, drive: Callable[[str], dict[str, Any]]
) -> None:
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: greeter}\n"
    (faulty_file.parent / "account.yaml").write_text(account, encoding="utf-8")
    result = drive("emacs.el")

    [[marked, is_error, message]] = result["diagnostics"]
    assert (marked, is_error) == ("nmae", True)
    assert "nmae" in message
    assert result["cleared"]
    assert "string" in result["hover"]
    assert {"name", "replicas"} <= set(result["completions"])
    assert result["accepted"].strip() == "name: ${schema.spec.name}"
    assert result["key"] == "completion-at-point"
    assert {"# greeting", "kind: ConfigMap", "  name: my-greeting"} <= set(result["preview"].splitlines())
    assert result["imported"]
    for view in ("graph", "view"):
        if "not in this copy" not in result[view]:
            assert "/view.js" in result[view]


def test_a_test_fails_while_its_definition_is_edited(faulty_file: Path, drive: Callable[[str], dict[str, Any]]) -> None:
    expected = "expect: {objects: {greeting: {metadata: {name: fine}}}}"
    tests = f"definition: {faulty_file.name}\ntests:\n  - name: its name\n    {expected}\n"
    (faulty_file.parent / "app.test.yaml").write_text(tests, encoding="utf-8")
    assert drive("emacs_tests.el") == {"marked": "fine", "modified": True, "mended": True}


def test_lsp_mode_shows_diagnostics_a_preview_and_the_address_of_a_page(
    drive: Callable[[str], dict[str, Any]], need: Callable[[str], str]
) -> None:
    probe = [
        need("emacs"),
        "--batch",
        "--eval",
        '(progn (package-initialize) (kill-emacs (if (locate-library "lsp-mode") 0 3)))',
    ]
    if subprocess.run(probe, check=False, capture_output=True, timeout=300).returncode == 3:
        pytest.skip("no lsp-mode here; scripts/setup-editors installs it")
    result = drive("emacs_lsp_mode.el")
    [message] = result["messages"]
    assert result["mended"]
    assert "nmae" in message
    assert {"# greeting", "kind: ConfigMap"} <= set(result["preview"].splitlines())
    assert result["address"] is None or result["address"].startswith("http://127.0.0.1:")


def test_a_server_that_is_killed_takes_nothing_along(drive: Callable[[str], dict[str, Any]]) -> None:
    result = drive("emacs_killed.el")
    assert result["text"] == "          name: ${schema.spec.nome}"
    assert "'nome'" in result["diagnostic"]
    assert result["follows"], "the pages go on to follow point"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ('(setq emacs-version "26.3")', "Emacs 27.1 or newer is needed, and this is 26.3"),
        (
            "(progn (fset 'locate-library #'ignore) (fmakunbound 'yaml-ts-mode))",
            "there is no mode for YAML; M-x package-install RET yaml-mode",
        ),
        (
            "(progn (fset 'locate-library #'ignore) (defun yaml-mode ()))",
            "Eglot is part of Emacs 29 and newer; here M-x package-install RET eglot",
        ),
    ],
    ids=["old Emacs", "no YAML", "no Eglot"],
)
def test_what_is_missing_is_said_instead_of_an_error(
    before: str, said: str, environment: dict[str, str], need: Callable[[str], str]
) -> None:
    setup = f'(progn (load "{PACKAGE}" nil t) {before} (kro-ls-setup))'
    run = subprocess.run(
        [need("emacs"), "-Q", "--batch", "--eval", setup],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert f"Warning (kro-ls): {said}" in run.stderr


def test_the_package_compiles_without_a_warning(
    environment: dict[str, str], tmp_path: Path, need: Callable[[str], str]
) -> None:
    copy = tmp_path / PACKAGE.name
    copy.write_bytes(PACKAGE.read_bytes())
    strict = "(setq byte-compile-error-on-warn t)"
    run = subprocess.run(
        [need("emacs"), "-Q", "--batch", "--eval", strict, "-f", "batch-byte-compile", str(copy)],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr


def test_checkdoc_has_no_complaint(environment: dict[str, str], need: Callable[[str], str]) -> None:
    check = f'(progn (require (quote checkdoc)) (checkdoc-file "{PACKAGE}"))'
    run = subprocess.run(
        [need("emacs"), "-Q", "--batch", "--eval", check],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.stderr == ""
