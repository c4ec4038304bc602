"""What globs name: the same as Python's `glob` says, and a search that ends whatever links there are."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.workspace.patterns import files_named
from tests.workspace.test_files import make

_FILES = (
    "a.yaml",
    "b.yaml",
    "x/a.yaml",
    "x/b.json",
    "x/y/a.yaml",
    "x/y/z/c.yaml",
    ".h/a.yaml",
    "x/.h/a.yaml",
    "x.yaml",
)
_PARTS = st.sampled_from(["**", "*", "*.yaml", "a*", "x", "y", "?", "[xy]", ".h", ".*", "a.yaml", "c.yaml"])


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    make(folder, *_FILES)
    return folder


@given(st.lists(_PARTS, min_size=1, max_size=5))
def test_the_same_files_as_glob(tree: Path, parts: list[str]) -> None:
    found = {path for path in files_named(tree.joinpath(*parts)) if path.is_file()}
    # For `a.yaml/**` glob gives `a.yaml/`, which does not exist.
    named = {Path(each) for each in glob.glob(os.path.join(tree, *parts), recursive=True) if os.path.exists(each)}
    assert {path for path in named if path.is_file()} <= found
    # Of a folder that is named, the files below are found as well.
    assert all(path in named or any(folder in named for folder in path.parents) for path in found)


def test_a_name_with_wild_characters_may_be_that_of_a_file(tmp_path: Path) -> None:
    make(tmp_path, "a[1].yaml", "a1.yaml")
    assert [path.name for path in files_named(tmp_path / "a[1].yaml")] == ["a[1].yaml"]


def test_folders_are_searched_once_whatever_links_and_patterns_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a/b/c/d.yaml")
    for folder in ("", "a", "a/b", "a/b/c"):
        for number in range(5):
            (tmp_path / folder / f"loop{number}").symlink_to(tmp_path)
    searched: list[str] = []
    scandir = os.scandir

    def count(folder: Path) -> object:
        searched.append(os.fspath(folder))
        return scandir(folder)

    monkeypatch.setattr("kro_ls.workspace.patterns.os.scandir", count)
    for pattern in ("**", "**/*.yaml", "/".join(["**"] * 30) + "/*.yaml", "/".join(["**", "*"] * 2) + "/*.yaml"):
        searched.clear()
        assert [path.name for path in files_named(tmp_path / pattern)] == ["d.yaml"], pattern
        assert len(searched) == len(set(searched)) == 4


@pytest.mark.parametrize("pattern", ["link", "link/*.yaml", "l*/../secret/*.yaml", "../secret/*.yaml", "*.yaml"])
def test_what_leads_out_is_left_out(tmp_path: Path, pattern: str) -> None:
    make(tmp_path, "secret/a.yaml", "inside/.keep")
    (tmp_path / "inside/link").symlink_to(tmp_path / "secret")
    (tmp_path / "inside/file.yaml").symlink_to(tmp_path / "secret/a.yaml")
    assert list(files_named(tmp_path / "inside" / pattern, within=(tmp_path / "inside",))) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_found_by_its_name_alone(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert [path.name for path in files_named(tmp_path / "*")] == ["a.yaml"]
    assert [path.name for path in files_named(tmp_path)] == ["a.yaml"]
    assert [path.name for path in files_named(tmp_path / "pipe.yaml")] == ["pipe.yaml"]


def test_links_that_a_search_comes_across_do_not_lead_out_either(tmp_path: Path) -> None:
    make(tmp_path, "secret/a.yaml", "repository/.git/HEAD", "repository/shared/b.yaml", "repository/crds/c.yaml")
    crds = tmp_path / "repository/crds"
    (crds / "a.yaml").symlink_to(tmp_path / "secret/a.yaml")
    (crds / "a.json").symlink_to(tmp_path / "secret/a.yaml")
    (crds / "b.yaml").symlink_to(tmp_path / "repository/shared/b.yaml")
    for pattern in (crds, crds / "*.yaml"):
        assert [path.name for path in files_named(pattern)] == ["b.yaml", "c.yaml"], pattern
    # A search that begins above the folder of the secret may find it.
    assert [path.name for path in files_named(tmp_path / "*/crds/*.yaml")] == ["a.yaml", "b.yaml", "c.yaml"]
    # A path that names the link is meant.
    assert [path.name for path in files_named(crds / "a.yaml")] == ["a.yaml"]
