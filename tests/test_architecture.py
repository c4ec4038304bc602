"""`CONTRIBUTING.md` and `docs/architecture.md` name places that exist, and leave out no room, package or dependency."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGE = ROOT / "kro_ls"
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOMS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())
ROOTS = "|".join(sorted(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "."))
PLACE = re.compile(rf"(?<![\w/.])(?:{'|'.join(ROOMS)}|{ROOTS})/[\w/.<>-]*[\w>]|\b[\w/-]+\.(?:py|md|toml)\b")
ENTRY = re.compile(r"^  ([\w.]+)/? +(\d+)   ", re.MULTILINE)


def section(title: str, page: str = PAGE) -> str:
    """Return the text under a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def tree() -> dict[str, tuple[int, str]]:
    """Return each entry of the tree with its lines and its text, continued lines included."""
    starts = list(ENTRY.finditer(PAGE))
    ends = [*(entry.start() for entry in starts[1:]), PAGE.index("```", starts[-1].end())]
    return {entry[1]: (int(entry[2]), PAGE[entry.start() : end]) for entry, end in zip(starts, ends, strict=True)}


def lines_of(path: Path) -> int:
    sources = path.rglob("*.py") if path.is_dir() else [path]
    return sum(source.read_bytes().count(b"\n") for source in sources)


@pytest.mark.parametrize("place", sorted(set(PLACE.findall(PAGE + GUIDE))))
def test_a_place_exists(place: str) -> None:
    known = place.partition("<")[0]
    assert (ROOT / known).exists() or (PACKAGE / known).exists()


def test_every_room_is_in_the_picture() -> None:
    picture = re.search(r"```mermaid\n(.*?)```", GUIDE, re.DOTALL)
    assert picture is not None
    assert set(ROOMS) <= set(re.findall(r"\w+", picture[1]))


def test_every_room_is_in_the_tree_and_described() -> None:
    modules = {source.name for source in PACKAGE.glob("*.py") if not source.name.startswith("__")}
    described = set(re.findall(r"^\| `([\w.]+)` \|", section("The rooms"), re.MULTILINE))
    assert tree().keys() == {*ROOMS, *modules} == described


@pytest.mark.parametrize("room", ROOMS)
def test_every_package_of_a_room_is_in_its_entry(room: str) -> None:
    packages = {source.parent.name for source in (PACKAGE / room).rglob("*/__init__.py")}
    named = set(re.findall(r"(\w+)/", tree()[room][1]))
    assert named == {room, *packages}


@pytest.mark.parametrize(("name", "lines"), [(name, lines) for name, (lines, _) in tree().items()])
def test_sizes_are_about_right(name: str, lines: int) -> None:
    assert lines_of(PACKAGE / name) == pytest.approx(lines, rel=0.2, abs=100)


def test_the_page_of_versions_names_every_module_of_the_dialect() -> None:
    modules = {f"kro_ls/kro/{source.name}" for source in (PACKAGE / "kro").glob("[a-z]*.py")}
    assert modules <= set(PLACE.findall(section("A version of kro", GUIDE)))


def test_what_is_imported_is_declared() -> None:
    """What comes along with another package may be gone with its next version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = {_name(each) for each in (*project["dependencies"], *extras["dev"])} | {"ruamel"}
    imported: set[str] = set()
    for source in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    assert imported - sys.stdlib_module_names - {"kro_ls"} <= {each.replace("-", "_") for each in declared}


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = set(map(_name, needed))
    explained = set(re.findall(r"[\w.-]*\w", section("What we depend on")))
    assert names <= explained


def _name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return found[0]
