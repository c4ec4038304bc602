from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kro_ls.rules.registry import RULES
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import CYCLE, ERROR, GOOD, WARNING, Invoke

ASTRAL = rgd_of_config_maps(("config", "${'🚀' + shema.spec.name}"))


def test_json(invoke: Invoke) -> None:
    Path("cycle.yaml").write_text(CYCLE)
    result = invoke("check", "cycle.yaml", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == [
        {
            "path": "cycle.yaml",
            "range": {"start": {"line": 22, "character": 18}, "end": {"line": 22, "character": 23}},
            "severity": "error",
            "code": "dependency-cycle",
            "message": "dependency cycle 'first -> second -> first'; none of these can be created before the others",
            "kroMessage": "graph contains a cycle: first -> second -> first",
            "relatedInformation": [
                {
                    "location": {
                        "path": "cycle.yaml",
                        "range": {"start": {"line": 16, "character": 18}, "end": {"line": 16, "character": 24}},
                    },
                    "message": "'first' depends on 'second' here",
                }
            ],
        }
    ]


def test_json_counts_utf16_code_units(invoke: Invoke) -> None:
    (found,) = json.loads(invoke("check", "-", "--format", "json", stdin=ASTRAL.encode()).stdout)
    assert found["path"] == "-"
    assert found["range"] == {"start": {"line": 16, "character": 25}, "end": {"line": 16, "character": 30}}


@pytest.mark.parametrize("content", [GOOD, ""])
def test_json_of_nothing_is_an_empty_array(invoke: Invoke, content: str) -> None:
    result = invoke("check", "-", "--format", "json", stdin=content)
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])


def test_json_holds_what_could_be_read(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("check", "missing.yaml", "bad.yaml", "--format", "json")
    assert result.exit_code == 2
    assert [found["path"] for found in json.loads(result.stdout)] == ["bad.yaml"]
    assert result.stderr == "error: missing.yaml: no such file or folder; check the path\n"


def test_github(invoke: Invoke) -> None:
    Path("a,b: c.yaml").write_text(ERROR)
    Path("warning.yaml").write_text(WARNING)
    result = invoke("check", ".", "--format", "github", "--severity", "unterminated-expression=information")
    assert result.exit_code == 1
    error, note, summary = result.stdout.splitlines()
    assert error == (
        "::error file=a%2Cb%3A c.yaml,line=17,col=19,endLine=17,endColumn=24,title=unresolved-reference"
        "::unknown name 'shema'; did you mean 'schema'?"
        "%0Akro's message: references unknown identifiers: [shema]"
    )
    assert note.startswith("::notice file=warning.yaml,line=17,col=23,endLine=17,endColumn=25,")
    assert summary == "Checked 2 files, 2 ResourceGraphDefinitions: 1 error, 0 warnings, 1 remark"


def test_github_escapes_messages(invoke: Invoke) -> None:
    result = invoke("check", "-", "--format", "github", stdin=rgd_of_config_maps(("config", "${schema.spec.name %}")))
    (line, _) = result.stdout.splitlines()
    assert "'%25'" in line
    assert "\n" not in line


def test_github_paths_are_those_of_the_repository(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/bad.yaml").write_text(ERROR)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.chdir(tmp_path / "sub")
    for named in ("bad.yaml", str(tmp_path / "sub/bad.yaml"), "../sub"):
        assert "file=sub/bad.yaml," in invoke("check", named, "--format", "github").stdout


def run_of(invoke: Invoke, *arguments: str, stdin: str | bytes | None = None) -> dict[str, Any]:
    log = json.loads(invoke("check", *arguments, "--format", "sarif", stdin=stdin).stdout)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_describes_every_rule(invoke: Invoke) -> None:
    driver = run_of(invoke, "-", stdin=GOOD)["tool"]["driver"]
    assert driver["name"] == "kro-ls"
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in RULES]
    for described, rule in zip(driver["rules"], RULES, strict=True):
        assert described["shortDescription"]["text"] == rule.summary
        assert described["fullDescription"]["text"] == rule.explanation
        assert not rule.wrong or rule.right.strip() in described["help"]["markdown"]
        assert described["help"]["text"]
        assert described["defaultConfiguration"]["level"] in {"error", "warning", "note"}


def test_sarif_results(invoke: Invoke) -> None:
    Path("my file.yaml").write_text(CYCLE)
    run = run_of(invoke, "my file.yaml")
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "dependency-cycle"
    assert result["level"] == "error"
    assert result["message"]["text"].startswith("dependency cycle")
    assert result["properties"] == {"kroMessage": "graph contains a cycle: first -> second -> first"}
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my%20file.yaml"},
                "region": {"startLine": 23, "startColumn": 19, "endLine": 23, "endColumn": 24},
            }
        }
    ]
    related, note = result["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 17
    assert related["message"]["text"] == "'first' depends on 'second' here"
    assert note["physicalLocation"] == result["locations"][0]["physicalLocation"]
    assert note["message"]["text"] == "kro's message: graph contains a cycle: first -> second -> first"


def test_sarif_fixes_and_columns(invoke: Invoke) -> None:
    run = run_of(invoke, "-", stdin=ASTRAL.encode())
    assert run["columnKind"] == "utf16CodeUnits"
    (result,) = run["results"]
    region = {"startLine": 17, "startColumn": 26, "endLine": 17, "endColumn": 31}
    assert result["locations"][0]["physicalLocation"]["region"] == region
    assert result["fixes"] == [
        {
            "description": {"text": "Change to 'schema'"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "-"},
                    "replacements": [{"deletedRegion": region, "insertedContent": {"text": "schema"}}],
                }
            ],
        }
    ]


def test_sarif_of_absolute_paths_and_unreadable_files(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(ERROR)
    run = run_of(invoke, str(tmp_path / "bad.yaml"), "missing.yaml")
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == (tmp_path / "bad.yaml").as_uri()
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "missing.yaml" in invocation["toolExecutionNotifications"][0]["message"]["text"]
