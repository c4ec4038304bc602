"""The examples are what they say: kro accepts all but one, and that one has the faults that its comments name."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from kro_ls.authoring.compositions.user_program import built_compositions
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text
from tests.paths import EXAMPLES

BROKEN = EXAMPLES / "broken.yaml"
ACCEPTED = sorted(set(EXAMPLES.glob("*.yaml")) - {BROKEN})


def faults(path: Path) -> list[tuple[int, str]]:
    """The 0-based line and the message of each error and warning."""
    text = Text(path.read_text(encoding="utf-8"))
    return [
        (text.position(diagnostic.span.start).line, diagnostic.message)
        for diagnostic in diagnose_text(text).diagnostics
        if diagnostic.severity in {Severity.ERROR, Severity.WARNING}
    ]


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.name)
def test_kro_would_accept_the_example(path: Path) -> None:
    assert faults(path) == []


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.name)
def test_there_is_an_instance(path: Path) -> None:
    yaml = YAML(typ="safe", pure=True)
    schema = yaml.load(path)["spec"]["schema"]
    instance = yaml.load(EXAMPLES / "instances" / path.name)
    assert instance["kind"] == schema["kind"]
    assert instance["apiVersion"] == f"{schema.get('group', 'kro.run')}/{schema['apiVersion']}"


def test_the_broken_example_has_the_faults_that_its_comments_name_and_no_other() -> None:
    lines = BROKEN.read_text(encoding="utf-8").splitlines()
    named = {number + 1 for number, line in enumerate(lines) if line.startswith(" ") and line.lstrip().startswith("#")}
    found = faults(BROKEN)
    assert sorted(named - {line for line, _ in found}) == []
    assert [(line, message) for line, message in found if line not in named] == []


def test_the_example_in_python_builds_a_definition_without_faults() -> None:
    """mypy checks its types with those of everything else."""
    (shop,) = built_compositions(str(EXAMPLES / "python/shop.py"))

    assert [each.message for each in shop.check()] == []
    assert shop.to_yaml().count("\n  - id: ") == 4
