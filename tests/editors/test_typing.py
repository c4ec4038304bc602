"""Whole definitions, typed with real keys in VS Code and Neovim: no key is lost, and no false error is shown.

A person types about eight keys in a second; `KRO_KEYS_PER_SECOND` says otherwise. `python -m benchmarks --only
typing_in_editors` counts what is only checked here, and the seconds that a false error is shown, which depend on
the machine. Here an error is false if it stays while more is typed, and after a pause.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.editors.test_neovim import NEWER, PLUGIN
from tests.editors.typing.neovim_window import typed_in_neovim
from tests.editors.typing.person import Person, Record, without_trailing_blanks
from tests.editors.typing.vscode_window import VSCodeWindow
from tests.editors.vscode import Server, project
from tests.paths import CONFORMANCE, needs_conformance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.editors.vscode import VSCode

KEYS_PER_SECOND = float(os.environ.get("KRO_KEYS_PER_SECOND", "8"))
AT_ONCE = 4
"""So many Neovims are typed into at the same time: a person leaves them idle between two keys."""
NEOVIM_SETTINGS = f"""\
vim.opt.runtimepath:prepend("{PLUGIN}")
require("kro_ls").setup()
vim.diagnostic.config({{ update_in_insert = true }})
-- Neovim itself goes on with a comment in the next line.
vim.api.nvim_create_autocmd("FileType", {{ command = "setlocal formatoptions-=r" }})
"""
DEFINITIONS = (
    "kro-examples-kubernetes-defaults-rg",
    "kro-docs-docs-building-abstractions-10-single-resource-rgd-5-0",
    "kro-docs-docs-concepts-rgd-02-resource-definitions-04-collections-0-0",
    "kro-test-e2e-chainsaw-check-external-references-rgd",
    "kro-test-upgrade-fixtures-external-ref-rgd",
    "kro-test-e2e-chainsaw-check-rgd-creation-rgd",
    "kro-docs-docs-building-abstractions-10-single-resource-rgd-1-0",
    "kro-test-upgrade-fixtures-conditional-rgd",
    "kro-docs-docs-concepts-rgd-00-overview-0-0",
    "kro-docs-examples-basic-web-app-0-0",
)
"""Short ones that kro accepts, of all forms: defaults, a status, collections, references, conditions, unknown kinds."""

OTHER_WORDS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: application}\ndata: {kind: MyWebApp, app: nginx}\n"
"""Words of another file, which must not replace what is typed."""


def text_of(name: str) -> str:
    return (CONFORMANCE / "rgds" / f"{name}.yaml").read_text(encoding="utf-8")


def check(record: Record, text: str) -> None:
    assert record.unexpected == []
    assert record.final == without_trailing_blanks(text)
    assert record.lasting == set()


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    files = {"other.yaml": OTHER_WORDS}
    with project(tmp_path_factory, files, server, width=1180, height=720) as started:
        started.open(started.folder / "other.yaml")
        yield started


@needs_conformance
@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_typed_in_vs_code(name: str, code: VSCode) -> None:
    window = VSCodeWindow(code)
    window.new_file(code.folder / f"{name}.yaml")
    check(Person(window, text_of(name), KEYS_PER_SECOND).type_all(), text_of(name))
    code.run("await vscode.commands.executeCommand('workbench.action.files.save');")


@needs_conformance
def test_definitions_are_typed_in_neovim(
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
) -> None:
    nvim = need(str(NEWER))
    settings = tmp_path / "init.lua"
    settings.write_text(NEOVIM_SETTINGS, encoding="utf-8")

    def typed(name: str) -> Record:
        return typed_in_neovim(nvim, settings, tmp_path / name, environment, text_of(name), KEYS_PER_SECOND)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, record in zip(DEFINITIONS, pool.map(typed, DEFINITIONS), strict=True):
            check(record, text_of(name))
