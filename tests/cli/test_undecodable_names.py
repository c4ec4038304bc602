"""Files and folders whose names are not UTF-8, in every command and format."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import ERROR, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")

DEFINITION = rgd_of_config_maps(("config", "${schema.spec.name}"))
FOLDER = os.fsdecode(b"d\xff")
GOOD, BAD, OTHER = (os.fsdecode(b"d\xff/%s\xfe.yaml" % name) for name in (b"good", b"bad", b"other"))
TEST = """\
definition: "{name}"
tests:
  - name: named
    instance: {{apiVersion: kro.run/v1alpha1, kind: App, metadata: {{name: a}}, spec: {{name: a}}}}
    expect: {{state: ACTIVE}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / GOOD).write_text(DEFINITION)
    (tmp_path / OTHER).write_text(DEFINITION.replace("name: string", "name: integer"))
    (tmp_path / BAD).write_text(ERROR)
    (tmp_path / ".gitignore").write_bytes(b"unseen\xff*\n")
    (tmp_path / FOLDER / ".gitignore").write_bytes(b"*.log\n")
    (tmp_path / os.fsdecode(b"unseen\xff.yaml")).write_text(ERROR)
    (tmp_path / os.fsdecode(b"d\xff/t\xfe.test.yaml")).write_text(TEST.format(name="missing.yaml"))
    return tmp_path


@pytest.mark.parametrize("output_format", ["text", "json", "sarif", "github"])
def test_check(folder: Path, output_format: str) -> None:
    ran = run("check", ".", "--format", output_format, folder=folder)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert b"bad" in ran.stdout
    assert b"unseen" not in ran.stdout
    ran.stdout.decode()
    if output_format == "json":
        assert r"d\xff/bad\xfe.yaml" in {each["path"] for each in json.loads(ran.stdout)}
    if output_format == "sarif":
        assert b'"d%FF/bad%FE.yaml"' in ran.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("crd", GOOD),
        *(("graph", GOOD, "--format", each) for each in ("mermaid", "dot", "json")),
        ("instance", GOOD),
        *(("preview", GOOD, "--format", each) for each in ("yaml", "json", "table")),
        ("check", "--fix", GOOD),
        ("upgrade", GOOD, "--to", "0.9.4"),
        *(("diff", GOOD, OTHER, "--format", each) for each in ("text", "json")),
        *(("test", FOLDER, "--format", each) for each in ("text", "json")),
        *(("kinds", "list", GOOD, "--format", each) for each in ("text", "json")),
        ("kinds", "add", FOLDER, "-o", os.fsdecode(b"gone\xff")),
        ("check", os.fsdecode(b"gone\xff.yaml")),
        ("check", "--crds", os.fsdecode(b"gone\xff*"), GOOD),
        ("crd", os.fsdecode(b"gone\xff.yaml")),
        ("test", os.fsdecode(b"gone\xff.test.yaml")),
    ],
    ids=lambda arguments: "-".join(each for each in arguments if each.isascii()),
)
def test_commands(folder: Path, arguments: tuple[str, ...]) -> None:
    ran = run(*arguments, folder=folder)
    assert b"Traceback" not in ran.stderr
    assert b"surrogates" not in ran.stdout + ran.stderr
    assert ran.returncode in (0, 1, 2)
    ran.stdout.decode()
    if arguments[-1] == "json":
        json.dumps(json.loads(ran.stdout), ensure_ascii=False).encode()


def test_a_report_in_xml(folder: Path) -> None:
    ran = run("test", FOLDER, "--junit", "report.xml", folder=folder)
    assert b"Traceback" not in ran.stderr
    (suite,) = ElementTree.fromstring((folder / "report.xml").read_text(encoding="utf-8")).iter("testsuite")
    assert suite.get("name") == r"d\xff/t\xfe.test.yaml"
