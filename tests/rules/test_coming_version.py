"""A further version of kro changes nothing of what the known ones do: `scripts/new-version` adds one in a copy."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import pytest

import kro_ls
from kro_ls.kro.versions.version import NEXT, OLDEST
from kro_ls.rules.registry import RULES
from tests.fixtures.definitions import rgd_around
from tests.oracle.new_version import add
from tests.paths import ROOT
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


Facts: TypeAlias = Mapping[str, dict[str, object]]


def facts(source: Path, texts: Sequence[str]) -> Facts:
    printed = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=source,
        env={"PYTHONPATH": str(source)},
        input=json.dumps(texts),
        capture_output=True,
        check=True,
        text=True,
    )
    return MappingProxyType(json.loads(printed.stdout))


@pytest.fixture(scope="module")
def known() -> Facts:
    return facts(Path(kro_ls.__file__).parents[1], _TEXTS)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, and of what else `scripts/new-version` writes."""
    installed = Path(kro_ls.__file__).parent
    shutil.copytree(installed, tmp_path / "kro_ls", ignore=shutil.ignore_patterns("__pycache__"))
    for source in (
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("tests/oracle/*/go.*"),
        *(ROOT / name for name in ("README.md", "tests/oracle/README.md", "tests/conformance/test_recorded.py")),
    ):
        target = tmp_path / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    (tmp_path / "tests/conformance/recorded").mkdir()
    return tmp_path


def written(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.suffix in (".py", ".md", ".json", ".mod", ".sum"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_a_further_version_changes_nothing_else(copy: Path, known: Facts) -> None:
    minor = NEXT.minor + 1
    name = f"0.{minor}.0"
    before = written(copy)
    left = add(copy, name)
    after = written(copy)
    assert f"scripts/record {name}" in left
    assert {path for path, text in after.items() if before.get(path) != text} == {
        "docs/versions.md",
        "kro_ls/kro/versions/version.py",
        f"tests/conformance/recorded/{name}/known-differences.json",
        "tests/conformance/test_recorded.py",
        "tests/oracle/README.md",
        f"tests/oracle/{name}/go.mod",
        f"tests/oracle/{name}/go.sum",
    }
    assert f"github.com/kubernetes-sigs/kro v{name}\n" in after[f"tests/oracle/{name}/go.mod"]
    added = facts(copy, _TEXTS)
    assert added["rules"].pop(name) == known["rules"][str(NEXT)]
    assert added["rules"] == known["rules"]
    assert added["found"].pop(name) == known["found"][str(NEXT)]
    assert str(NEXT) in added["found"]
    assert added["found"].items() <= known["found"].items()


def test_a_version_that_was_to_come_is_made_the_newest(copy: Path, known: Facts) -> None:
    add(copy, str(NEXT))
    assert facts(copy, ())["rules"] == known["rules"]
    page = (copy / "docs/versions.md").read_text(encoding="utf-8")
    assert f"The default is the newest release, {NEXT}." in page
    assert not any(f"| {row} (to come) |" in page for row in (NEXT, str(NEXT).removesuffix(".0")))
    assert f"checks\nfor kro {NEXT}." in (copy / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="known already"):
        add(copy, str(NEXT))


@pytest.mark.parametrize(
    "name", ["", "11", "0.11", "newest", f"0.{NEXT.minor + 2}.0", f"0.{NEXT.minor}.7", str(OLDEST)]
)
def test_what_is_no_further_version_is_refused(copy: Path, name: str) -> None:
    before = written(copy)
    with pytest.raises(ValueError, match=r"is not a version|is known already|first"):
        add(copy, name)
    assert written(copy) == before
