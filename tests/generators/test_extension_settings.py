"""The settings as VS Code shows them are those that the server reads."""

from __future__ import annotations

import json
import re

import pytest

from generators.extension_settings import settings
from kro_ls.rules.registry import RULES
from kro_ls.server.inputs.configuration import read_settings
from tests.paths import ROOT

CODES = tuple(rule.code for rule in RULES)


def nested(name: str, value: object) -> object:
    for part in reversed(name.split(".")):
        value = {part: value}
    return value


@pytest.mark.parametrize(("name", "schema"), settings().items())
def test_a_setting_is_read_under_its_name(name: str, schema: dict[str, object]) -> None:
    _, problems = read_settings(nested(name, 17), CODES)
    assert any(f"'{name}'" in problem for problem in problems)


@pytest.mark.parametrize(("name", "schema"), settings().items())
def test_a_default_changes_nothing(name: str, schema: dict[str, object]) -> None:
    assert read_settings(nested(name, schema["default"]), CODES) == read_settings({}, CODES)


def test_the_readme_mentions_them() -> None:
    table = re.findall(r"^\| (`kro\..*?) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(name for cell in table for name in re.findall(r"`([\w.]+)`", cell)) == sorted(settings())


def test_a_workspace_that_is_not_trusted_names_no_files_and_no_programs() -> None:
    manifest = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    restricted = set(manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])
    shown = {name for group in manifest["contributes"]["configuration"] for name in group["properties"]}
    lists_of_paths = {name for name, schema in settings().items() if schema["type"] == "array"}
    assert restricted == lists_of_paths | {name for name in shown if name.startswith("kro.server.")}
    assert lists_of_paths == {"kro.crds", "kro.openapi"}
