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

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")

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
"""The table in GitLab's documentation, "Code Quality report format", which asks for more than GitLab itself does: that
wants description, fingerprint, severity and location (`codeclimate.json` of its validators)."""

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


def test_kro_speaks_for_itself_where_there_is_room(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    printed = {each: invoke("check", "bad.yaml", "--format", each).stdout for each in FORMATS}
    said = "kro's message: references unknown identifiers: [shema]"
    sentence = "unknown name 'shema'; did you mean 'schema'?"
    assert f"::{sentence}%0A{said}\n" in printed["github"]
    assert f'"description": "{sentence} ({said})"' in printed["gitlab"]
    assert f"{sentence}\n{said}</failure>" in printed["junit"]
    assert f"  note: {said}\n" in printed["text"]
    assert json.loads(printed["json"])[0]["kroMessage"] == said.partition(": ")[2]
    (result,) = json.loads(printed["sarif"])["runs"][0]["results"]
    assert result["properties"] == {"kroMessage": said.partition(": ")[2]}
    assert result["relatedLocations"][-1]["message"]["text"] == said
    assert printed["concise"].splitlines()[0] == f"bad.yaml:17:19: unresolved-reference {sentence}"


_SARIF: dict[tuple[str, ...], set[str]] = {
    (): {"version", "runs"},
    ("runs",): {"tool"},
    ("runs", "tool"): {"driver"},
    ("runs", "tool", "driver"): {"name"},
    ("runs", "tool", "driver", "rules"): {"id"},
    ("runs", "invocations"): {"executionSuccessful"},
    ("runs", "invocations", "toolExecutionNotifications"): {"message"},
    ("runs", "results"): {"message"},
    ("runs", "results", "fixes"): {"artifactChanges"},
    ("runs", "results", "fixes", "artifactChanges"): {"artifactLocation", "replacements"},
    ("runs", "results", "fixes", "artifactChanges", "replacements"): {"deletedRegion"},
}
"""What objects must have: the schema of SARIF 2.1.0 (OASIS), `required` of each definition."""


def _require_sarif(value: object, path: tuple[str, ...] = ()) -> None:
    if isinstance(value, list):
        for item in value:
            _require_sarif(item, path)
    elif isinstance(value, dict):
        assert _SARIF.get(path, set()) <= set(value), path
        if path and path[-1] == "message":
            assert {"text", "id"} & set(value), "a message has one of the two"
        for name, inner in value.items():
            _require_sarif(inner, (*path, name))


def test_sarif(invoke: Invoke) -> None:
    _files("files")
    log = json.loads(invoke("check", "files", "missing.yaml", "--format", "sarif").stdout)
    _require_sarif(log)
    (run,) = log["runs"]
    assert len(run["results"]) == 2
    assert {each["level"] for each in run["results"]} <= {"none", "note", "warning", "error"}
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region.values()) >= 1


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
