"""What the rooms that could be published on their own must not know."""

import ast
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from kro_ls.rules.registry import RULES
from tests.paths import ROOT

_RULE = re.compile(r"^RULES? = ", re.MULTILINE)
_IMPORT = re.compile(r"^from (kro_ls\.rules\.[\w.]+) import", re.MULTILINE)
_WORD = re.compile(r"kro(?!_ls\b)", re.IGNORECASE)


@pytest.mark.parametrize("room", ["cel", "golang", "queries", "yaml_positions"])
def test_a_room_of_general_use_does_not_speak_of_kro(room: str) -> None:
    sources = list((ROOT / "kro_ls" / room).rglob("*.py"))
    assert sources
    assert [line for source in sources for line in lines_about_kro(source)] == []


def lines_about_kro(source: Path) -> list[str]:
    lines = source.read_text(encoding="utf-8").splitlines()
    return [f"{source}:{number}: {line}" for number, line in enumerate(lines, 1) if _WORD.search(line)]


def test_no_room_above_the_rules_knows_their_codes() -> None:
    """A rule states all that others do with it: a new one would be missing in a list of codes elsewhere."""
    codes = {rule.code for rule in RULES if "-" in rule.code}
    named = [
        f"{source.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for room in ("cli", "agents", "server", "features", "repairs", "cursor", "workspace", "render", "runtime")
        for source in (ROOT / "kro_ls" / room).rglob("*.py")
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in codes
    ]
    assert named == []


def test_no_check_imports_a_rule() -> None:
    """A rule can be read, changed and taken away on its own; what several need stands beside them.

    Those about files beside definitions report each other: a test file holds instances, an instance is YAML.
    """
    sources = sorted(each for each in (ROOT / "kro_ls" / "rules").glob("*/*.py") if each.parent.name != "files")
    texts = {
        f"kro_ls.rules.{source.parent.name}.{source.stem}": source.read_text(encoding="utf-8") for source in sources
    }
    rules = {name for name, text in texts.items() if _RULE.search(text)}
    assert len(rules) > 60
    assert [(name, used) for name, text in texts.items() for used in _IMPORT.findall(text) if used in rules] == []


def test_a_name_means_one_idea() -> None:
    """At most two modules have the same name."""
    sources = (ROOT / "kro_ls").rglob("*.py")
    written = (source for source in sources if not source.with_suffix(".pyi").is_file())  # those of kinds are made
    names = Counter(source.stem for source in written if source.stem != "__init__")
    assert {name: count for name, count in names.items() if count > 2} == {}


def test_no_import_leads_in_a_circle() -> None:
    """Neither at run time nor for types nor inside functions: a module is understood with what is below it."""
    sources = {_module(each): each for each in (ROOT / "kro_ls").rglob("*.py")}
    imports: dict[str, set[str]] = {}
    for name, source in sources.items():
        nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
        named = {
            imported if imported in sources else node.module
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module in sources
            for imported in [f"{node.module}.{alias.name}" for alias in node.names]
        }
        plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        imports[name] = {str(each) for each in named} | (plain & sources.keys())
    TopologicalSorter(imports).prepare()


def _module(source: Path) -> str:
    return ".".join(source.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_each_table_of_results_has_a_reason() -> None:
    """All other results are cached by `kro_ls/queries`; a table beside it is small, pure, and says why it is there."""
    tables = [
        f"{source.relative_to(ROOT)}:{number}: {line.strip()}"
        for source in (ROOT / "kro_ls").rglob("*.py")
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
        if re.match(r"\s*@(lru_cache|cache)\b", line)
    ]
    assert len(tables) > 50
    assert [each for each in tables if "# " not in each] == []
