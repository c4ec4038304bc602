"""What strangers write into names and texts commands neither the terminal nor the CI system that reads the log."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_preview import APP, INSTANCE
from tests.fixtures.processes import GOOD, Invoke

HOSTILE = "x\n::set-output name=a::b\r\n ::error::c\x1b[2J\x9b31m\u202e##[set-output name=a]b"
QUOTED = json.dumps(HOSTILE)
NAME = "a\n::error::b\x1b[2J"

OURS = re.compile(r"::(error|warning|notice) file=[^,:\s]+(,(line|col|endLine|endColumn)=\d+){4},title=[a-z-]+::\S")
COMMAND = re.compile(r"\s*::|.*##\w*\[")


def require_harmless(output: str) -> None:
    assert output.replace("\n", "").isprintable(), output
    for line in output.split("\n"):
        assert not COMMAND.match(line) or OURS.match(line), line


def variants(text: str) -> Iterator[str]:
    """Yield a text with hostile text in the place of each of its values and keys, one after the other."""
    for value in re.finditer(r"(?<=[\w}]: )[^\n{\[|>&*]+|(?<=\n)[ -]*\w+(?=:)", text):
        start = value.start() + len(value[0]) - len(value[0].lstrip(" -"))
        yield text[:start] + QUOTED + text[value.end() :]


def write_variants(folder: Path, text: str) -> int:
    folder.mkdir(parents=True)
    texts = list(variants(text))
    for number, each in enumerate(texts):
        (folder / f"v{number}.yaml").write_text(each)
    return len(texts)


@pytest.fixture
def hostile_folder(invoke: Invoke) -> None:
    assert write_variants(Path("folder") / NAME, GOOD + INSTANCE.replace("apiVersion", "---\napiVersion")) > 15
    Path("folder/::error::x.yaml").write_text(GOOD.replace("apiVersion: v1", "apiVersion: 1"))
    Path("folder/wide\n::error::.yaml").write_bytes(b"\xff" + GOOD.encode())


@pytest.mark.usefixtures("hostile_folder")
@pytest.mark.parametrize("output_format", ["text", "github", "json", "sarif"])
def test_check(invoke: Invoke, output_format: str) -> None:
    result = invoke("check", "folder", "--format", output_format)
    assert result.exit_code == 2
    require_harmless(result.output)


@pytest.mark.usefixtures("hostile_folder")
def test_check_for_versions(invoke: Invoke) -> None:
    require_harmless(invoke("check", "folder", "--kro-version", "0.8.5,0.9.3").output)


def test_settings_of_a_folder(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    for setting in (
        f"{QUOTED}: 1",
        f"version: {QUOTED}",
        f"severity: {{{QUOTED}: off}}",
        f"crds: [{QUOTED}, /{QUOTED}]",
    ):
        Path(".kro-ls.yaml").write_text(f"{setting}\n")
        result = invoke("check", "good.yaml")
        assert result.exit_code == 2
        require_harmless(result.output)


@pytest.mark.parametrize("arguments", ["upgrade --to 0.8.5", "upgrade --diff --to 0.9.3"])
def test_upgrade(invoke: Invoke, arguments: str) -> None:
    write_variants(Path("folder") / NAME, GOOD + "    # \x1b[2J ::error::x ##[error]y\n")
    require_harmless(invoke(*arguments.split(), "folder").output)


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_diff(invoke: Invoke, output_format: str) -> None:
    for text in variants(GOOD):
        Path("old.yaml").write_text(text)
        Path(NAME).write_text(GOOD)
        require_harmless(invoke("diff", "old.yaml", NAME, "--format", output_format).output)
        require_harmless(invoke("diff", NAME, "old.yaml", "--format", output_format).output)


@pytest.mark.parametrize(
    "arguments",
    [
        "crd",
        "crd --format json",
        "instance",
        "instance --all",
        "graph",
        "graph --format dot",
        "graph --format json",
        "preview",
        "preview --step --deletion",
        "preview --format yaml",
        "preview --format json",
    ],
)
def test_what_is_made_of_a_definition(invoke: Invoke, arguments: str) -> None:
    described = APP.replace("integer | ", f"integer | description={json.dumps(HOSTILE)} ".replace("\\", "\\\\"))
    for text in (*variants(APP), APP.replace("image: ", f"x: {QUOTED}\n                  image: "), described):
        Path(NAME).write_text(text)
        require_harmless(invoke(*arguments.split(), NAME).output)


def test_instances(invoke: Invoke) -> None:
    Path("app.yaml").write_text(APP)
    for text in variants(INSTANCE):
        Path(NAME).write_text(text)
        require_harmless(invoke("preview", "app.yaml", "--instance", NAME).output)
        require_harmless(invoke("preview", "app.yaml", "--observed", NAME).output)
        changed = ("--set", "replicas=2", "--not-ready", "deployment", "--format", "diff")
        require_harmless(invoke("preview", "app.yaml", "--instance", NAME, *changed).output)


def test_tests(invoke: Invoke) -> None:
    Path("app.yaml").write_text(APP)
    Path("shop.yaml").write_text(INSTANCE)
    expected = f"{{state: ERROR, errors: [{QUOTED}], nodes: {{deployment: {{state: error, reason: {QUOTED}}}}}}}"
    tests = f"""\
definition: app.yaml
tests:
  - name: {QUOTED}
    instance: shop.yaml
    expect: {expected}
  - name: "::error::b"
    instance: {{apiVersion: kro.run/v1alpha1, kind: App, metadata: {{name: {QUOTED}}}, spec: {{replicas: {QUOTED}}}}}
    expect: {{snapshot: {QUOTED}}}
  - {{name: passes, instance: shop.yaml, expect: {{}}}}
  - {{name: refused, instance: shop.yaml, expect: {{snapshot: {QUOTED}}}}}
"""
    Path(f"{NAME}.test.yaml").write_text(tests)
    for number, text in enumerate(variants(tests)):
        Path(f"v{number}.test.yaml").write_text(text)
    Path("::error::y.test.yaml").write_text("definition: [\n")
    for output_format in ("text", "json"):
        result = invoke("test", ".", "--format", output_format, "--junit", "report.xml")
        assert result.exit_code == 2
        require_harmless(result.output)
    report = Path("report.xml").read_text()
    require_harmless(report)
    ElementTree.fromstring(report)


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_that_are_not_utf_8(invoke: Invoke) -> None:
    folder = os.fsdecode(b"f\xff\x1b")
    Path(folder).mkdir()
    Path(folder, "app.test.yaml").write_text("definition: gone\ntests: []\n")
    Path(folder, "good.yaml").write_text(GOOD.replace("apiVersion: v1", "apiVersion: 1"))
    for output_format in ("text", "github", "json", "sarif"):
        require_harmless(invoke("check", folder, "--format", output_format).output)
    require_harmless(invoke("test", folder, "--junit", "report.xml").output)
    ElementTree.parse("report.xml")
