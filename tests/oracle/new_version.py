"""Adds a version of kro, as far as that is mechanical, and prints what is left: `scripts/new-version 0.11.0`.

An unknown version is added to the tables of versions, as an upcoming one if it is newer than the newest release, to the
oracle with the requirements of the last version, and to the documentation. An upcoming version becomes the newest
release.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

_ROW = re.compile(r"^    \*_patches\((\d+), (\d+)\),\n", re.MULTILINE)
_NEWEST = re.compile(r"(?<=^NEWEST: Final = Version\()(\d+), (\d+), (\d+)(?=\)$)", re.MULTILINE)
_KRO = re.compile(r"(?<=github\.com/kubernetes-sigs/kro )v\S+")
_BEFORE_NAME = "(newest release, |for kro |decides, else )"
"""The texts before the newest release in the documentation."""

_TO_DO_FOR_NEW = """\
Left to do for kro {name}:
- tests/oracle/{name}: in tests/oracle, `go get -modfile={name}/go.mod github.com/kubernetes-sigs/kro@v{name}`, then
  `go mod tidy -e -modfile={name}/go.mod`. A commit or a tag that no proxy has is named in a file `commit`.
- tests/oracle/*.go: let the build tags take kro{minor}, with a new release file where its API differs.
- `scripts/record {name}`, then look at what tests/conformance/test_recorded.py says.
- kro_ls/kro/versions/history.py: what is new and what is refused from {name} on; CONTRIBUTING.md lists where else
  a change belongs.
- docs/versions.md and tests/oracle/README.md: the new rows.
- tests/conformance/published.py and upgrade_rows.py: ask {name}, too."""

_TO_DO_FOR_RELEASE = """\
Left to do now that kro {name} is the newest release:
- `scripts/record {name}`, now with instances.
- docs/versions.md, docs and README.md: read what they say of {name} as of something to come.
- KREP_2 in kro_ls/kro/versions/version.py: which release the proposal is laid over."""


def main() -> None:
    """Add the version that the command line names to the repository of this file."""
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/new-version VERSION, such as 0.11.0")
    try:
        print(add(Path(__file__).parents[2], sys.argv[1]))
    except ValueError as error:
        sys.exit(str(error))


def add(root: Path, name: str) -> str:
    """Add a version to the repository in a folder, and return what is left to do by hand."""
    numbers = re.fullmatch(r"v?0\.(\d+)\.(\d+)", name)
    if numbers is None:
        raise ValueError(f"'{name}' is not a version such as 0.11.0")
    minor, patch = int(numbers[1]), int(numbers[2])
    name = f"0.{minor}.{patch}"
    table = root / "kro_ls" / "kro" / "versions" / "version.py"
    text = table.read_text(encoding="utf-8")
    rows = {int(row[1]): int(row[2]) for row in _ROW.finditer(text)}
    newest = re.search(_NEWEST, text)
    assert newest
    release = ".".join(newest.groups())
    if patch <= rows.get(minor, -1):
        if (0, minor, patch) <= tuple(map(int, newest.groups())):
            raise ValueError(f"kro {name} is known already")
        table.write_text(_NEWEST.sub(f"0, {minor}, {patch}", text), encoding="utf-8")
        _name_release(root, release, name)
        return _TO_DO_FOR_RELEASE.format(name=name)
    if patch != rows.get(minor, -1) + 1 or minor > max(rows) + 1:
        raise ValueError(f"add the versions between kro {max(rows)} and {name} first")
    table.write_text(_with_row(text, minor, patch), encoding="utf-8")
    _add_requirements(root / "tests" / "oracle", name)
    _add_recorded(root / "tests" / "conformance", name)
    _add_rows(root, name)
    return _TO_DO_FOR_NEW.format(name=name, minor=f"0.{minor}")


def _with_row(text: str, minor: int, patch: int) -> str:
    row = f"    *_patches({minor}, {patch}),\n"
    if patch:
        return text.replace(f"    *_patches({minor}, {patch - 1}),\n", row)
    (*_, last) = _ROW.finditer(text)
    return text[: last.end()] + row + text[last.end() :]


def _add_requirements(oracle: Path, name: str) -> None:
    last = max((each.parent for each in oracle.glob("*/go.mod")), key=lambda folder: _numbers(folder.name))
    folder = oracle / name
    folder.mkdir()
    requirements = _KRO.sub(f"v{name}", (last / "go.mod").read_text(encoding="utf-8"))
    (folder / "go.mod").write_text(requirements, encoding="utf-8")
    shutil.copy(last / "go.sum", folder)


def _numbers(folder: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder)]


def _add_recorded(conformance: Path, name: str) -> None:
    folder = conformance / "recorded" / name
    folder.mkdir()
    (folder / "known-differences.json").write_text("[]\n", encoding="utf-8")
    test = conformance / "test_recorded.py"
    text = test.read_text(encoding="utf-8")
    test.write_text(re.sub(r"(?m)^(VERSIONS = \(.*)\)$", rf'\1, "{name}")', text), encoding="utf-8")


def _add_rows(root: Path, name: str) -> None:
    for page, row in (
        ("docs/versions.md", f"| {name} (to come) | | | not compared |\n"),
        ("tests/oracle/README.md", f"| {name} | |\n"),
    ):
        path = root / page
        text = path.read_text(encoding="utf-8")
        table = re.search(r"^\| version \|.*\n(?:\|.*\n)+", text, re.MULTILINE)
        assert table, f"{page} has no table of versions"
        path.write_text(text[: table.end()] + row + text[table.end() :], encoding="utf-8")


def _name_release(root: Path, before: str, name: str) -> None:
    for path in (root / "README.md", *(root / "docs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        updated = re.sub(rf"{_BEFORE_NAME}{re.escape(before)}(?=\.?\W)", rf"\g<1>{name}", text)
        for row in (name, name.removesuffix(".0")):
            updated = updated.replace(f"| {row} (to come) |", f"| {row} |")
        if updated != text:
            path.write_text(updated, encoding="utf-8")


if __name__ == "__main__":
    main()
