from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.workspace import files
from kro_ls.workspace.files import UnreadableFileError, decode, read, read_file, yaml_files
from tests.fixtures.examples import FEW


def make(folder: Path, *paths: str, content: str = "") -> None:
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)


def found(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in yaml_files(folder)]


def test_yaml_files_are_found_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.yaml", "a.yml", "notes.md", "c/z.yaml", "c/d/y.yaml", "B.YAML")
    assert found(tmp_path) == ["a.yml", "b.yaml", "c/z.yaml", "c/d/y.yaml"]


def test_paths_begin_with_the_folder_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "sub/a.yaml")
    monkeypatch.chdir(tmp_path)
    assert list(yaml_files(Path("sub"))) == [Path("sub/a.yaml")]
    assert list(yaml_files(Path())) == [Path("sub/a.yaml")]
    assert list(yaml_files(tmp_path)) == [tmp_path / "sub/a.yaml"]
    assert list(yaml_files(Path("sub/.."))) == [Path("sub/../sub/a.yaml")]


def test_folders_of_others_are_skipped(tmp_path: Path) -> None:
    make(
        tmp_path, ".git/a.yaml", "node_modules/x/a.yaml", "sub/.venv/a.yaml", "sub/node_modules.yaml", ".github/a.yaml"
    )
    assert found(tmp_path) == [".github/a.yaml", "sub/node_modules.yaml"]


def test_gitignore_is_respected(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "b.yaml", "build/a.yaml", "sub/build/a.yaml", "sub/b.yaml", "other/only-here.yaml")
    make(tmp_path, ".gitignore", content="b.yaml\n/build/\nother/only*\n# a.yaml\n")
    assert found(tmp_path) == ["a.yaml", "sub/build/a.yaml"]


def test_nested_gitignore_wins_over_the_one_above(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "keep/a.yaml", "keep/b.yaml", "keep/deeper/a.yaml", "keep/deeper/c.yaml")
    make(tmp_path, ".gitignore", content="a.yaml\n")
    make(tmp_path, "keep/.gitignore", content="!a.yaml\n/b.yaml\n")
    make(tmp_path, "keep/deeper/.gitignore", content="c.yaml\n")
    assert found(tmp_path) == ["keep/a.yaml", "keep/deeper/a.yaml"]


def test_nothing_inside_an_ignored_folder_comes_back(tmp_path: Path) -> None:
    make(tmp_path, "out/a.yaml")
    make(tmp_path, "out/.gitignore", content="!a.yaml\n")
    make(tmp_path, ".gitignore", content="out\n!out/a.yaml\n")
    assert found(tmp_path) == []


def test_gitignore_above_counts_inside_the_repository_only(tmp_path: Path) -> None:
    make(tmp_path, "repo/.git/HEAD", "repo/sub/a.yaml", "repo/sub/b.yaml")
    make(tmp_path, ".gitignore", content="a.yaml\n")
    make(tmp_path, "repo/.gitignore", content="/sub/b.yaml\n")
    assert found(tmp_path / "repo/sub") == ["a.yaml"]


def test_an_ignored_folder_is_taken_when_named(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "build/a.yaml", "build/b.yaml")
    make(tmp_path, ".gitignore", content="build/\n")
    make(tmp_path, "build/.gitignore", content="b.yaml\n")
    assert found(tmp_path) == []
    assert found(tmp_path / "build") == ["a.yaml"]


def test_a_bad_pattern_does_not_spoil_the_others(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "b.yaml")
    make(tmp_path, ".gitignore", content="!\n//\na.yaml\n\\\n")
    assert found(tmp_path) == ["b.yaml"]


def test_symbolic_links(tmp_path: Path) -> None:
    make(tmp_path, "real/a.yaml")
    (tmp_path / "real/loop").symlink_to(tmp_path)
    (tmp_path / "real/self.yaml").symlink_to(tmp_path / "real/self.yaml")
    (tmp_path / "real/gone.yaml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "real/link.yaml").symlink_to(tmp_path / "real/a.yaml")
    assert found(tmp_path) == ["real/a.yaml", "real/link.yaml"]


def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.yaml", "secret/b.yaml")
    scandir = os.scandir

    def refuse(folder: Path) -> object:
        # Permissions would not stop root.
        if Path(folder).name == "secret":
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr("kro_ls.workspace.files.os.scandir", refuse)
    faults: list[UnreadableFileError] = []
    assert [path.name for path in yaml_files(tmp_path, faults.append)] == ["a.yaml"]
    assert [(error.path.name, error.reason) for error in faults] == [("secret", "permission denied; make it readable")]


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    faults: list[UnreadableFileError] = []
    assert list(yaml_files(tmp_path / "missing", faults.append)) == []
    assert "no such file" in str(faults[0])
    assert list(yaml_files(tmp_path / "missing")) == []


_PATTERNS = st.sampled_from(
    [
        "a.yaml",
        "/a.yaml",
        "*.yaml",
        "!b.yaml",
        "a/",
        "/b",
        "!a/",
        "**/build",
        "a/*.yaml",
        "b/**",
        "!/a/b.yaml",
        "# x",
        "",
    ]
)
_FOLDERS = st.sampled_from(["", "a", "b", "a/b", "build"])


@FEW
@given(
    paths=st.lists(st.tuples(_FOLDERS, st.sampled_from(["a.yaml", "b.yaml"])), min_size=1, max_size=8),
    ignores=st.dictionaries(_FOLDERS, st.lists(_PATTERNS, max_size=4), max_size=3),
)
def test_the_same_files_as_git(
    tmp_path_factory: pytest.TempPathFactory, paths: list[tuple[str, str]], ignores: dict[str, list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    make(folder, *(f"{parent}/{name}" if parent else name for parent, name in paths))
    for parent, patterns in ignores.items():
        make(folder, f"{parent}/.gitignore" if parent else ".gitignore", content="\n".join(patterns) + "\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    listing = ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard", "*.yaml"]
    listed = subprocess.run(listing, cwd=folder, check=True, capture_output=True, text=True).stdout
    assert sorted(found(folder)) == sorted(filter(None, listed.split("\0")))


def test_read_and_decode(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes("ä\r\n\ufeff".encode())
    assert decode(file, read(file)) == "ä\r\n\ufeff"


def test_not_utf8_says_the_line_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"a\.yaml: not UTF-8 \(line 2\); save it as UTF-8"):
        decode(Path("a.yaml"), b"a: 1\nb: \xff\n")


def test_unreadable_files_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    with pytest.raises(UnreadableFileError, match="symbolic links"):
        read(loop)
    with pytest.raises(UnreadableFileError, match="no such file or folder; check the path"):
        read(tmp_path / "missing.yaml")
    with pytest.raises(UnreadableFileError, match="is a folder; name a file in it"):
        read(tmp_path)
    monkeypatch.setattr(files, "MOST_BYTES", 3)
    (tmp_path / "large.yaml").write_text("abcd")
    with pytest.raises(UnreadableFileError, match="larger than"):
        read(tmp_path / "large.yaml")


def test_a_pipe_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"a: 1")
    os.close(writing)
    try:
        assert read(Path(f"/dev/fd/{reading}")) == b"a: 1"
    finally:
        os.close(reading)


def test_links_out_are_left_out_where_that_is_wanted(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside.yaml"
    inside.mkdir()
    outside.write_text("a: 1\n")
    (inside / "out.yaml").symlink_to(outside)
    (inside / "own.yaml").write_text("a: 1\n")
    (inside / "same.yaml").symlink_to(inside / "own.yaml")
    assert [path.name for path in yaml_files(inside)] == ["out.yaml", "own.yaml", "same.yaml"]
    assert [path.name for path in yaml_files(inside, within=(inside,))] == ["own.yaml", "same.yaml"]


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000, "gone.yaml", "."])
def test_what_is_no_file_is_not_read_again(tmp_path: Path, name: str) -> None:
    assert read_file(tmp_path / name) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert read_file(tmp_path / "pipe.yaml") is None


def test_no_more_is_read_than_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("abcd")
    assert read_file(tmp_path / "a.yaml", 4) == "abcd"
    assert read_file(tmp_path / "a.yaml", 3) is None
