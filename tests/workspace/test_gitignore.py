"""What a `.gitignore` says, compared with git itself."""

from __future__ import annotations

import os
import random
import re
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from kro_ls.workspace import files
from kro_ls.workspace.files import yaml_files
from kro_ls.workspace.gitignore import GitIgnore

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    *(b"a", b"b", b"ab", b"aa", b"ba", b"abc", b"bab", b"c", b"A", b"5", b".a", b"a b", b"a ", b"-", b"*", b"[", b"a]"),
    *(b"\\", b"!a", b"#a", b"\t", b"\xc3\xa4", b"\xff"),
]
PARTS = [
    *(
        b"a",
        b"a",
        b"b",
        b"A",
        b"/",
        b"/",
        b"*",
        b"*",
        b"**",
        b"**/",
        b"/**",
        b"***",
        b"?",
        b" ",
        b"!",
        b"#",
        b"-",
        b".",
    ),
    *(b"[ab]", b"[!a]", b"[^b]", b"[a-c]", b"[a-\\c]", b"[c-a]", b"[--0]", b"[]a]", b"[!]a]", b"[\\]]", b"[a/b]", b"["),
    *(b"]", b"[[:", b":]", b"[[:alpha:]]", b"[[:digit:]x]", b"[[:upper:]-a]", b"[[:foo:]]", b"[a[:b]", b"[\x80-\xff]"),
    *(b"\\", b"\\*", b"\\/", b"\\\\", b"\t", b"\r", b"\xc3\xa4", b"\xff"),
]


def ignored(patterns: GitIgnore, path: bytes, folders: set[bytes]) -> bool:
    """Whether a path, or a folder above it, is ignored."""
    state, so_far = patterns.automaton.begin, b""
    for name in path.split(b"/"):
        so_far += name
        state = patterns.automaton.follow(state, name)
        if patterns.verdict(state, is_folder=so_far in folders):
            return True
        state, so_far = patterns.automaton.enter(state), so_far + b"/"
    return False


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    options = ["-c", "core.excludesFile=", "-c", "core.ignoreCase=false"]
    run = subprocess.run(["git", *options, *arguments], cwd=folder, input=given, capture_output=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def ignored_by_git(folder: Path, paths: list[bytes]) -> set[bytes]:
    return set(git(folder, "check-ignore", "--no-index", "-z", "--stdin", given=b"\0".join(paths)).split(b"\0")) - {b""}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with names of all kinds."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    choices = random.Random(1)
    for _ in range(120):
        path = os.path.join(os.fsencode(folder), *choices.choices(NAMES, k=choices.randint(1, 4)))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "xb").close()
        except OSError:  # a folder where a file is, or a name that this file system does not take
            continue
    return folder


def listed(tree: Path) -> tuple[list[bytes], set[bytes]]:
    root = os.fsencode(tree)
    paths, folders = [], set()
    for above, below, found in os.walk(root):
        below[:] = [name for name in below if name != b".git"]
        relative = [os.path.relpath(os.path.join(above, name), root) for name in below]
        folders.update(relative)
        paths += relative + [os.path.relpath(os.path.join(above, name), root) for name in found]
    return sorted(path for path in paths if path != b".gitignore"), folders


def is_read_alike(content: bytes) -> bool:
    """Whether all versions of git take the patterns for the same: 2.52 mended stars after literal text."""
    return not re.search(rb"^!?[^\n*?[\\]*[^/\n*?[\\!]\*\*(?=/|\\/|\s*$)", content, re.MULTILINE)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_is_ignored_as_by_git(tree: Path, seed: int) -> None:
    paths, folders = listed(tree)
    assert len(paths) > 100
    choices = random.Random(seed)
    version = tuple(map(int, re.findall(rb"\d+", git(tree, "version"))[:2]))
    verdicts = 0
    for _ in range(60):
        lines = [b"".join(choices.choices(PARTS, k=choices.randint(1, 6))) for _ in range(choices.choice((1, 1, 1, 4)))]
        content = choices.choice((b"", b"\xef\xbb\xbf")) + choices.choice((b"\n", b"\r\n")).join(lines)
        if version >= (2, 52) and not is_read_alike(content):
            continue
        (tree / ".gitignore").write_bytes(content)
        patterns = GitIgnore(content)
        expected = ignored_by_git(tree, paths)
        assert {path for path in paths if ignored(patterns, path, folders)} == expected, content
        verdicts += len(expected)
    assert verdicts > 300


@pytest.mark.parametrize(
    "name",
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"],
)
def test_named_sets_hold_the_same_bytes_as_in_git(tree: Path, name: str) -> None:
    every = [bytes([byte]) for byte in range(1, 256) if byte not in b"/\n.\\:"]  # a colon is magic to `check-ignore`
    for content in (f"[[:{name}:]]", f"[^[:{name}:]]", f"[[:{name}:]a-\\z]"):
        (tree / ".gitignore").write_text(content)
        patterns = GitIgnore(content.encode())
        assert {each for each in every if ignored(patterns, each, set())} == ignored_by_git(tree, every), content


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"a*" * 30 + b"b", b"a" * 200),
        (b"*a" * 30 + b"*b", b"a" * 200),
        (b"/" + b"**/a/" * 30 + b"b", b"a/" * 100 + b"a"),
        (b"**/" * 60 + b"b", b"a/" * 100 + b"a"),
        (b"[a-z]*" * 30 + b"b", b"a" * 200),
        (b"?*" * 60 + b"/b", b"a" * 200),
    ],
)
def test_no_pattern_makes_a_name_slow(line: bytes, name: bytes) -> None:
    patterns = GitIgnore(line)
    started = time.process_time()
    assert not ignored(patterns, name, set())
    assert time.process_time() - started < 1  # it takes a millisecond; going back would take until the end of the world


def test_a_large_file_costs_each_name_little(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / ".gitignore").write_bytes(b"a.yaml\n" + b"*a*b\n" * 200_000 + b"b.yaml\n")
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).touch()
    started = time.process_time()
    assert [path.name for path in yaml_files(tmp_path)] == ["b.yaml"]
    assert time.process_time() - started < 5
    assert "only the patterns in the first 256 KiB count" in caplog.text
    assert files._MOST_IGNORE_BYTES == 256 * 1024


def test_patterns_and_names_need_not_be_utf8(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"x\xff*\n")
    for name in (b"x\xff1.yaml", b"y\xff.yaml"):
        (tmp_path / os.fsdecode(name)).touch()
    assert [os.fsencode(path.name) for path in yaml_files(tmp_path)] == [b"y\xff.yaml"]


def test_a_link_is_no_file_of_patterns(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").touch()
    (tmp_path / "patterns").write_text("*.yaml\n")
    (tmp_path / ".gitignore").symlink_to("patterns")
    assert [path.name for path in yaml_files(tmp_path)] == ["a.yaml"]


def test_patterns_of_an_ignored_folder_count_in_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "build/sub"
    below.mkdir(parents=True)
    for name in ("a.yaml", "b.yaml"):
        (below / name).touch()
    (tmp_path / ".gitignore").write_text("build/\na.yaml\n")
    (tmp_path / "build/.gitignore").write_text("/sub/b.yaml\n")
    assert [path.name for path in yaml_files(below)] == ["a.yaml"]
