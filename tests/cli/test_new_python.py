"""`kro-ls new --from FILE --python`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.manifests import SERVICE
from tests.fixtures.processes import Invoke

DEFINITION = rgd("- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${schema.spec.name}'}}\n")


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("app.yaml").write_text(DEFINITION, encoding="utf-8")


def test_a_definition_becomes_a_program(invoke: Invoke) -> None:
    result = invoke("new", "--from", "app.yaml", "--python", "-o", "app.py")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [
        "1 expression; the program builds an equal definition",
        "app.py is written. Now try:  kro-ls build app.py",
    ]
    text = Path("app.py").read_text(encoding="utf-8")
    assert '    ConfigMap(metadata={"name": spec.name}, id="a")\n' in text
    assert invoke("new", "--from", "app.yaml", "--python").stdout == text


def test_expressions_that_stay_text_are_counted(invoke: Invoke) -> None:
    Path("app.yaml").write_text(DEFINITION.replace("schema.spec.name", 'schema.spec.?name.orValue("x")'))
    result = invoke("new", "--from", "app.yaml", "--python")
    assert "1 expression, of which 1 has CEL as text (cel.expression)" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--python",), "--python takes one file with a definition"),
        (("--from", "app.yaml", "other.yaml", "--python"), "--python takes one file with a definition"),
        (("--from", ".", "--python"), "--python takes one file with a definition"),
        (("--from", "app.yaml", "--python", "--plain"), "--kind and --plain have no place there"),
        (("--from", "service.yaml", "--python"), "service.yaml has no ResourceGraphDefinition"),
        (("--from", "two.yaml", "--python"), "two.yaml has 2 definitions; --python takes a file with one"),
        (("--from", "broken.yaml", "--python"), "is not YAML as it stands; 'kro-ls check' shows where"),
        (("--from", "wrong.yaml", "--python"), "no composition builds wrong.yaml: kind 'app' is no kind"),
    ],
)
def test_what_cannot_become_python_is_reported(invoke: Invoke, arguments: tuple[str, ...], message: str) -> None:
    Path("service.yaml").write_text(SERVICE)
    Path("two.yaml").write_text(f"{DEFINITION}---\n{DEFINITION}")
    Path("broken.yaml").write_text(DEFINITION.replace("kind: App", "kind: App: x"))
    Path("wrong.yaml").write_text(DEFINITION.replace("kind: App", "kind: app"))
    Path("other.yaml").write_text(DEFINITION)
    result = invoke("new", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
