"""`kro-ls build`: definitions from programs in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.cli.build import watched_files
from tests.fixtures.processes import Invoke

APP = """\
from dataclasses import dataclass

from kro_ls.authoring import ObjectMeta, Resource, composition
from names import suffix


@dataclass
class Spec:
    name: str = "x"


@composition(kind="Shop")
def shop(spec: Spec, metadata: ObjectMeta):
    Resource("v1", "ConfigMap", metadata={"name": f"{metadata.name}{suffix}"}, data={"a": spec.name})
    return {"copied": spec.name}


@composition(kind="Mall")
def mall(spec: Spec, metadata: ObjectMeta):
    inner = shop(Spec(), metadata={"name": metadata.name})
    return {"copied": inner.status.copied}
"""


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("app.py").write_text(APP, encoding="utf-8")
    Path("names.py").write_text('suffix = "-config"\n', encoding="utf-8")


def test_a_program_becomes_definitions_used_ones_first(invoke: Invoke) -> None:
    result = invoke("build", "app.py")

    assert (result.exit_code, result.stderr) == (0, "")
    first, second = result.stdout.split("---\n")
    assert "    kind: Shop\n" in first
    assert "        name: ${schema.metadata.name}-config\n" in first
    assert "    kind: Mall\n" in second
    assert result.stdout.splitlines()[-1].startswith('# kro-ls map: {"files": ["app.py"], "lines": [[1, 0, 12]')
    assert invoke("build", "app").stdout == result.stdout


def test_a_folder_gets_a_file_for_each_definition(invoke: Invoke) -> None:
    result = invoke("build", "app.py", "-o", "out", "--check")

    assert result.exit_code == 0
    assert result.stderr == (
        "out/shop.yaml: 1 definition (Shop)\n"
        "out/mall.yaml: 1 definition (Mall)\n"
        "checked 1 definition (Shop): neither errors nor warnings\n"
        "checked 1 definition (Mall): neither errors nor warnings\n"
    )
    assert '{"files": ["../app.py"]' in Path("out/mall.yaml").read_text(encoding="utf-8")
    assert invoke("check", "out").exit_code == 0


def test_a_later_run_sees_changes_and_replaces_only_what_it_wrote(invoke: Invoke) -> None:
    assert invoke("build", "app.py", "-o", "all.yaml").exit_code == 0
    Path("names.py").write_text('suffix = "-other"\n', encoding="utf-8")

    assert invoke("build", "app.py", "-o", "all.yaml").exit_code == 0

    assert "name: ${schema.metadata.name}-other\n" in Path("all.yaml").read_text(encoding="utf-8")
    Path("app.py").write_text(APP.replace('"a": spec', '"another": spec'), encoding="utf-8")
    assert "        another: ${schema.spec.name}\n" in invoke("build", "app.py").stdout
    Path("own.yaml").write_text("a: 1\n", encoding="utf-8")
    refused = invoke("build", "app.py", "-o", "own.yaml")
    assert (refused.exit_code, Path("own.yaml").read_text(encoding="utf-8")) == (2, "a: 1\n")
    assert "was not written by 'kro-ls build'" in refused.stderr


def test_an_error_is_reported_by_the_lines_of_the_program_alone(invoke: Invoke) -> None:
    broken = APP.replace('"a": spec.name}', '"a": helper(spec)}') + "\n\ndef helper(spec):\n    return spec.nam\n"
    Path("app.py").write_text(broken, encoding="utf-8")

    result = invoke("build", "app.py")

    assert result.exit_code == 2
    assert result.stderr == (
        "Error: app.py raises an error\n"
        "  app.py:14 in shop\n"
        '    Resource("v1", "ConfigMap", metadata={"name": f"{metadata.name}{suffix}"}, data={"a": helper(spec)})\n'
        "  app.py:25 in helper\n"
        "    return spec.nam\n"
        "UnknownFieldError: 'schema.spec.nam': unknown field 'nam'; did you mean 'name'?\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (", "app.py:1\n    x = (\nSyntaxError: '(' was never closed"),
        ("import sys; sys.exit(3)", "app.py ends itself with 3 while it is imported"),
        ("x = 1", "app.py has no composition: a function with @composition(kind=...)"),
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
    ],
)
def test_a_program_that_cannot_be_used_says_why(invoke: Invoke, text: str, message: str) -> None:
    Path("app.py").write_text(text, encoding="utf-8")

    result = invoke("build", "app.py")

    assert result.exit_code == 2
    assert message in result.stderr


def test_what_is_no_program_says_so(invoke: Invoke) -> None:
    assert "there is no such file" in invoke("build", "none.py").stderr
    assert "no file; name a program in it" in invoke("build", ".").stderr
    assert "there is no file and no module of this name" in invoke("build", "nowhere").stderr


def test_check_names_the_line_of_python_and_fails(invoke: Invoke) -> None:
    text = APP.replace('"a": spec.name}', '"a": 5}')
    Path("app.py").write_text(text, encoding="utf-8")

    result = invoke("build", "app.py", "-o", "out", "--check")

    assert result.exit_code == 1
    assert "error[template-value-type]: 'a' must be a string" in result.stderr
    assert "note: made by this line of Python: app.py:14" in result.stderr
    checked = invoke("check", "out")
    assert "note: made by this line of Python: app.py:14" in checked.stdout
    assert "made by this line of Python: app.py:14" in invoke("preview", "out/shop.yaml").output


def test_watching_sees_the_python_files_that_a_program_may_import() -> None:
    Path("venv").mkdir()
    Path("venv/other.py").write_text("", encoding="utf-8")
    Path("shapes").mkdir()
    Path("shapes/round.py").write_text("", encoding="utf-8")

    assert {str(each) for each in watched_files("app.py")} == {"app.py", "names.py", "shapes/round.py"}
    assert {each.name for each in watched_files("app")} == {"app.py", "names.py", "round.py"}
