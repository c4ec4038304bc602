"""The reports for CI services have the form that these document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import ERROR, GOOD, WARNING, Invoke

_GITLAB: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": r"^(\./|/)"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""The table in GitLab's documentation, "Code Quality report format"."""

_JUNIT: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": ({"testsuite"}, {"name"}),
    "testsuite": ({"testcase"}, {"name", "tests", "failures", "errors"}),
    "testcase": ({"failure", "error", "skipped"}, {"name", "classname"}),
    "failure": (set(), {"message"}),
    "error": (set(), {"message"}),
}
"""By element, what we put inside and what it must have: the schema of Jenkins' xunit plugin, junit-10.xsd."""

_JUNIT_ATTRIBUTES: dict[str, set[str]] = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "file"},
    "testcase": {"name", "classname", "time", "group"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
}
"""By element, what it may have there."""


def _files(folder: str) -> None:
    Path(folder).mkdir()
    for name, text in (("good", GOOD), ("bad", ERROR), ("odd", WARNING)):
        Path(folder, f"{name}.yaml").write_text(text)


def test_gitlab(invoke: Invoke) -> None:
    _files("files")
    found = json.loads(invoke("check", "files", "--format", "gitlab").stdout)
    jsonschema.validate(found, _GITLAB)
    error, warning = found
    assert error["location"] == {"path": "files/bad.yaml", "lines": {"begin": 17, "end": 17}}
    assert (error["check_name"], error["severity"]) == ("unresolved-reference", "critical")
    assert warning["severity"] == "major"
    absolute = json.loads(invoke("check", str(Path("files").absolute()), "--format", "gitlab").stdout)
    assert absolute == found, "paths are relative to the project"


def test_fingerprints_stay_when_lines_move_and_differ_from_one_another(invoke: Invoke) -> None:
    twice = rgd_of_config_maps(("a", "${shema.x} ${shema.y}"), ("b", "${shema.x}"))
    prints = []
    for text in (twice, f"# a comment\n{twice}"):
        Path("bad.yaml").write_text(text)
        prints.append([each["fingerprint"] for each in json.loads(invoke("check", ".", "--format", "gitlab").stdout)])
    assert prints[0] == prints[1]
    assert len(set(prints[0])) == len(prints[0]) >= 3


def test_nothing_to_report_is_an_empty_array(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    assert json.loads(invoke("check", "good.yaml", "--format", "gitlab").stdout) == []


def _require_junit(element: ElementTree.Element) -> None:
    children, attributes = _JUNIT[element.tag]
    assert attributes <= set(element.attrib) <= _JUNIT_ATTRIBUTES[element.tag]
    for child in element:
        assert child.tag in children
        _require_junit(child)


def test_junit(invoke: Invoke) -> None:
    _files("files")
    Path("files/latin.yaml").write_bytes(ERROR.encode() + b"# \xff")
    result = invoke("check", "files", "--format", "junit")
    root = ElementTree.fromstring(result.stdout)
    assert root.tag == "testsuites"
    _require_junit(root)
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["files/bad.yaml", "files/good.yaml", "files/odd.yaml", "files/latin.yaml"]
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
    (failure,) = suites["files/bad.yaml"].iter("failure")
    assert (failure.text or "").startswith("files/bad.yaml:17:19: error[unresolved-reference]: ")
    assert suites["files/good.yaml"].get("failures") == "0"
    assert suites["files/latin.yaml"].get("errors") == "1"


@pytest.mark.parametrize("output_format", ["gitlab", "junit"])
def test_texts_of_strangers_are_printable(invoke: Invoke, output_format: str) -> None:
    Path("bad.yaml").write_text(rgd_of_config_maps(("config", "${shema['\u202e\u0007<&>\"']}")))
    stdout = invoke("check", "bad.yaml", "--format", output_format).stdout
    assert stdout.replace("\n", "").isprintable()
    if output_format == "junit":
        ElementTree.fromstring(stdout)
    else:
        json.loads(stdout)
