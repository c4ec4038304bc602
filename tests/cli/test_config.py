"""`kro-ls config`: each setting with its value and its origin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.kro.versions.version import NEWEST
from kro_ls.rules.registry import RULES
from tests.fixtures.processes import Invoke


def _settings(invoke: Invoke, *arguments: str) -> dict[str, tuple[object, str]]:
    found = json.loads(invoke("config", "--format", "json", *arguments).stdout)
    return {each["name"]: (each["value"], each["origin"]) for each in found}


def test_defaults(invoke: Invoke) -> None:
    found = _settings(invoke)
    assert found["version"] == (str(NEWEST), "default")
    assert found["crds"] == ([], "default")
    assert not any(name.startswith("severity.") for name in found)
    every = _settings(invoke, "--all")
    assert all(every[f"severity.{rule.code}"] == (rule.severity.value, "default") for rule in RULES)


def test_a_file_and_options(invoke: Invoke, tmp_path: Path) -> None:
    Path("below").mkdir()
    Path("below/.kro-ls.yaml").write_text(
        "version: 0.8.5\nkubernetesVersion: '1.36'\ncrds: [vendor]\n"
        "featureGates: {CELOmitFunction: true}\nseverity: {unused-type: off, unused-iterator: error}\n"
    )
    file = str(tmp_path / "below" / ".kro-ls.yaml")
    for path in ("below", "below/file.yaml"):
        Path("below/file.yaml").touch()
        found = _settings(invoke, path)
        assert found["version"] == ("0.8.5", file)
        assert found["kubernetesVersion"] == ("1.36", file)
        assert found["crds"] == (["vendor"], file)
        assert found["featureGates.CELOmitFunction"] == (True, file)
        assert found["severity.unused-type"] == ("off", file)
    options = ("--kro-version", "0.9.3", "--severity", "unused-type=hint", "--crds", "more", "--ignore", "cel")
    found = _settings(invoke, "below", *options)
    assert found["version"] == ("0.9.3", "option --kro-version")
    assert found["severity.unused-type"] == ("hint", "option --severity")
    assert found["severity.unused-iterator"] == ("error", file)
    assert found["crds"] == (["more", "vendor"], f"option --crds and {file}")
    assert found["ignore"] == (["cel"], "option --ignore")


def test_the_environment(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("KRO_LS_TOKEN", "secret")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    found = _settings(invoke)
    assert found["cache"] == (str(tmp_path / "kro-ls"), "environment variable XDG_CACHE_HOME")
    assert found["color"] == ("always", "environment variable FORCE_COLOR")
    assert found["serve --token"] == ("(set)", "environment variable KRO_LS_TOKEN")
    assert "secret" not in invoke("config").stdout


def test_the_text_has_a_line_for_each(invoke: Invoke) -> None:
    lines = invoke("config").stdout.splitlines()
    assert lines[0].split() == ["version", str(NEWEST), "default"]


def test_a_file_that_cannot_be_understood(invoke: Invoke) -> None:
    Path(".kro-ls.yaml").write_text("versoin: 0.9\n")
    result = invoke("config")
    assert result.exit_code == 2
    assert ".kro-ls.yaml: line 1:" in result.stderr
