"""A further version of kro changes nothing of what the known ones do."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import kro_ls
from kro_ls.rules.registry import RULES
from tests.fixtures.definitions import rgd_around
from tests.rules.graphs import ACCEPTED, REFUSED, graph

_TEXTS = [
    *(rgd_around(text) for rule in RULES for text in (rule.wrong, rule.right) if text),
    *map(graph, (*ACCEPTED.values(), *REFUSED.values())),
]

# Prints which rules each version has, and what the newest versions find in the texts.
_PROGRAM = """
import json, sys
from kro_ls.kro.versions.version import VERSIONS
from kro_ls.rules.diagnosis import diagnose_text
import kro_ls
from kro_ls.rules.registry import RULES
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text

def found(text, version):
    diagnosis = diagnose_text(Text(text), Settings(version=version))
    return [(each.code, each.severity.name, each.message) for each in diagnosis.diagnostics]

texts = json.load(sys.stdin)
print(json.dumps({
    "rules": {str(version): [rule.code for rule in RULES if version in rule.versions] for version in VERSIONS},
    "found": {str(version): [found(text, version) for text in texts] for version in VERSIONS[-3:]},
}))
"""


def facts(source: Path) -> dict[str, dict[str, object]]:
    printed = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=source,
        env={"PYTHONPATH": str(source)},
        input=json.dumps(_TEXTS),
        capture_output=True,
        check=True,
        text=True,
    )
    found: dict[str, dict[str, object]] = json.loads(printed.stdout)
    return found


def test_a_further_version_changes_nothing_else(tmp_path: Path) -> None:
    installed = Path(kro_ls.__file__).parent
    shutil.copytree(installed, tmp_path / "kro_ls", ignore=shutil.ignore_patterns("__pycache__"))
    versions = tmp_path / "kro_ls" / "kro" / "versions" / "version.py"
    text, known = versions.read_text(encoding="utf-8"), "    *_patches(10, 0),\n"
    assert known in text
    versions.write_text(text.replace(known, f"{known}    *_patches(11, 0),\n"), encoding="utf-8")
    before, after = facts(installed.parent), facts(tmp_path)
    assert after["rules"].pop("0.11.0") == before["rules"]["0.10.0"]
    assert after["rules"] == before["rules"]
    assert after["found"].pop("0.11.0") == before["found"]["0.10.0"]
    assert after["found"] == {version: before["found"][version] for version in ("0.9.4", "0.10.0")}
