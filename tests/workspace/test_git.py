"""Repositories that want more than to be read: nothing of theirs runs, and nothing outside of them is read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kro_ls.workspace import git as module
from kro_ls.workspace.git import GitError, yaml_files_at

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SECRET = b"kind: Secret\n"


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    who = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "protocol.file.allow=always",
    )
    run = subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, input=stdin)
    return run.stdout.decode().strip()


def repository(folder: Path, content: bytes = b"a: 1\n") -> Path:
    folder.mkdir(parents=True)
    (folder / "app.yaml").write_bytes(content)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    return folder


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[str]:
    """Give a program that must not run, whatever its arguments are."""
    program, ran = tmp_path / "trap", tmp_path / "ran"
    program.write_text(f'#!/bin/sh\necho "$@" >> {ran}\n')
    program.chmod(0o755)
    yield str(program)
    assert not ran.exists(), ran.read_text()


@pytest.fixture(params=[True, False], ids=["with GIT_NO_LAZY_FETCH", "as an older git"])
def either_git(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.delitem(module._ENVIRONMENT, "GIT_NO_LAZY_FETCH")


def found(*paths: Path, ref: str = "HEAD") -> dict[str, bytes]:
    return {path.name: content for path, content in yaml_files_at(ref, paths)}


def test_files_of_a_commit_as_they_were(repo: Path) -> None:
    (repo / "sub").mkdir()
    (repo / "sub/b ä.yml").write_bytes(b"\nb: 2\n\n")
    (repo / "empty.yaml").write_bytes(b"")
    (repo / "notes.md").write_bytes(b"x")
    (repo / "link.yaml").symlink_to("app.yaml")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "y")
    (repo / "app.yaml").unlink()
    assert found(repo) == {"app.yaml": b"a: 1\n", "b ä.yml": b"\nb: 2\n\n", "empty.yaml": b""}
    assert dict(yaml_files_at("HEAD", [repo / "sub"])) == {repo / "sub/b ä.yml": b"\nb: 2\n\n"}
    assert dict(yaml_files_at("HEAD", [repo / "app.yaml"])) == {repo / "app.yaml": b"a: 1\n"}
    assert found(repo, ref="HEAD~1") == {"app.yaml": b"a: 1\n"}


def test_linked_worktrees_and_submodules_have_their_commits_elsewhere(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "worktree"), "-b", "other")
    assert found(tmp_path / "worktree") == {"app.yaml": b"a: 1\n"}
    outer = repository(tmp_path / "outer")
    git(outer, "submodule", "--quiet", "add", str(repo), "inner")
    assert found(outer / "inner") == {"app.yaml": b"a: 1\n"}


COMMANDS = {
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{folder}",
    "core.pager": "{trap}",
    "pager.cat-file": "{trap}",
    "pager.ls-tree": "{trap}",
    "core.editor": "{trap}",
    "core.sshCommand": "{trap}",
    "core.gitProxy": "{trap}",
    "core.askPass": "{trap}",
    "core.alternateRefsCommand": "{trap}",
    "credential.helper": "!{trap}",
    "diff.external": "{trap}",
    "diff.x.textconv": "{trap}",
    "diff.x.command": "{trap}",
    "filter.x.smudge": "{trap}",
    "filter.x.clean": "{trap}",
    "filter.x.process": "{trap}",
    "merge.x.driver": "{trap}",
    "gpg.program": "{trap}",
    "alias.rev-parse": "!{trap}",
    "alias.cat-file": "!{trap}",
    "uploadpack.packObjectsHook": "{trap}",
    "maintenance.auto": "true",
    "trace2.normalTarget": "{folder}/trace",
    "log.showSignature": "true",
}


def test_no_command_of_the_configuration_runs(repo: Path, trap: str) -> None:
    for key, value in COMMANDS.items():
        git(repo, "config", key, value.format(trap=trap, folder=repo.parent))
    (repo / ".gitattributes").write_text("* filter=x diff=x merge=x text\n")
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "post-checkout"):
        shutil.copy(trap, repo / ".git/hooks" / hook)
    (repo / ".git/info/attributes").write_text("* filter=x diff=x\n")
    assert found(repo) == {"app.yaml": b"a: 1\n"}
    assert not (repo.parent / "trace").exists()


@pytest.mark.parametrize(
    "remote",
    [
        {"url": "ext::{trap} %S"},
        {"url": "{folder}", "uploadpack": "{trap}"},
        {"url": "file://{folder}", "uploadpack": "{trap}"},
        {"url": "ssh://nowhere/x"},
        {"url": "nowhere:x"},
        {"url": "git://nowhere/x"},
        {"url": "http://127.0.0.1:9/x"},
        {"url": "none::x"},
        {"url": "x", "vcs": "ext"},
        {"url": "::x"},
    ],
    ids=lambda remote: " ".join(remote.values()),
)
@pytest.mark.parametrize("allowed", ["", "GIT_ALLOW_PROTOCOL"])
def test_what_a_partial_clone_lacks_is_not_fetched(
    repo: Path,
    trap: str,
    remote: dict[str, str],
    allowed: str,
    either_git: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if allowed:
        monkeypatch.setenv(allowed, "ext:file:ssh:git:http:none")
    settings = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "core.sshCommand": trap,
        "core.gitProxy": trap,
        "credential.helper": f"!{trap}",
        "protocol.allow": "always",
        **{f"protocol.{name}.allow": "always" for name in ("ext", "file", "ssh", "git", "http", "none")},
        **{f"remote.origin.{key}": value.format(trap=trap, folder=repo) for key, value in remote.items()},
    }
    for key, value in settings.items():
        git(repo, "config", key, value)
    remove(repo, git(repo, "rev-parse", "HEAD:app.yaml"))
    with pytest.raises(GitError, match=r"\S"):
        found(repo)
    with pytest.raises(GitError, match=r"\S"):
        found(repo, ref="0" * 39 + "1")


def remove(folder: Path, name: str) -> None:
    (folder / ".git/objects" / name[:2] / name[2:]).unlink()


@pytest.mark.parametrize("lacking", ["HEAD:app.yaml", "HEAD^{tree}", "HEAD"])
def test_what_is_missing_is_reported(repo: Path, lacking: str) -> None:
    remove(repo, git(repo, "rev-parse", lacking))
    with pytest.raises(
        GitError, match=r"does not have what app\.yaml holds in HEAD|not a tree|knows no commit|bad|unable"
    ):
        found(repo)


def test_a_damaged_object_is_reported(repo: Path) -> None:
    name = git(repo, "rev-parse", "HEAD:app.yaml")
    path = repo / ".git/objects" / name[:2] / name[2:]
    path.chmod(0o644)
    path.write_bytes(b"garbage")
    with pytest.raises(GitError, match=r"\S"):
        found(repo)


def test_a_folder_in_the_place_of_a_file_is_reported(repo: Path) -> None:
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    root = git(repo, "mktree", stdin=f"040000 tree {tree}\tsub\n".encode())
    raw = b"100644 odd.yaml\0" + bytes.fromhex(root)
    odd = git(repo, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", stdin=raw)
    commit = git(repo, "commit-tree", "-m", "x", odd)
    with pytest.raises(GitError, match=r"odd\.yaml"):
        found(repo, ref=commit)


@pytest.mark.parametrize("elsewhere", ["empty", "other", "nowhere", "", "repo/sub"])
def test_another_worktree_in_the_configuration_does_not_count(repo: Path, tmp_path: Path, elsewhere: str) -> None:
    (tmp_path / "empty").mkdir()
    repository(tmp_path / "other", SECRET)
    git(repo, "config", "core.worktree", str(tmp_path / elsewhere))
    assert found(repo) == found(repo / "app.yaml") == {"app.yaml": b"a: 1\n"}
    git(repo, "config", "core.bare", "true")
    assert found(repo) == {"app.yaml": b"a: 1\n"}


def borrowed(repo: Path, other: Path, how: str) -> None:
    """Make the commits of another repository those of this one."""
    own = repo / ".git"
    if how == "gitfile":
        shutil.rmtree(own)
        own.write_text(f"gitdir: {other}/.git\n")
    elif how == "gitfile of a worktree":
        git(other, "worktree", "add", "-q", str(other.parent / "listed"), "-b", "x")
        shutil.rmtree(own)
        own.write_text(f"gitdir: {other}/.git/worktrees/listed\n")
    elif how == "gitdir of nothing":
        (own / "gitdir").write_text("gone\0\n")
        (own / "commondir").write_text(f"{other}/.git\n")
    elif how == "link":
        shutil.rmtree(own)
        own.symlink_to(other / ".git")
    elif how == "commondir":
        (own / "commondir").write_text(f"{other}/.git\n")
    elif how == "alternates":
        (own / "objects/info/alternates").write_text(f"{other}/.git/objects\n")
        (own / "HEAD").write_text(git(other, "rev-parse", "HEAD"))
    else:
        for part in ("objects", "refs"):
            shutil.rmtree(own / part)
            (own / part).symlink_to(other / ".git" / part)


@pytest.mark.parametrize(
    "how",
    ["gitfile", "gitfile of a worktree", "gitdir of nothing", "link", "commondir", "alternates", "links"],
)
def test_commits_of_another_repository_are_not_read(repo: Path, tmp_path: Path, how: str) -> None:
    other = repository(tmp_path / "other", SECRET)
    borrowed(repo, other, how)
    assert git(repo, "show", "HEAD:app.yaml").encode() + b"\n" == SECRET
    with pytest.raises(GitError, match=r"outside of it, where nothing is read|borrows objects of other repositories"):
        found(repo)


def test_a_bare_repository_that_was_checked_out_is_a_folder(repo: Path, tmp_path: Path) -> None:
    hidden = repository(tmp_path / "hidden", SECRET)
    shutil.copytree(hidden / ".git", repo / "sub")
    git(repo, "config", "-f", "sub/config", "core.worktree", str(repo / "sub"))
    assert found(repo / "sub") == {}


def test_a_git_that_is_no_repository_does_not_lead_to_one_above(repo: Path) -> None:
    (repo / "sub/.git").mkdir(parents=True)
    with pytest.raises(GitError, match="not a git repository"):
        found(repo / "sub")
    # What looks like a bare repository beside it was checked out, with its configuration.
    shutil.copytree(repo / ".git", repo / "sub", dirs_exist_ok=True)
    with pytest.raises(GitError, match=r"cannot use bare repository|not a git repository"):
        found(repo / "sub")
    with pytest.raises(GitError, match="not in a git repository"):
        found(repo.parent)


def test_a_commit_of_countless_files_is_too_much(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_OUTPUT", 1_000_000)
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    for _ in range(12):
        entries = "".join(f"040000 tree {tree}\tsub{number}\n" for number in range(10))
        tree = git(repo, "mktree", stdin=entries.encode())
    with pytest.raises(GitError, match="more than 0 MiB to compare with; name folders or files in it"):
        found(repo, ref=git(repo, "commit-tree", "-m", "x", tree))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_git_that_waits_is_ended(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", 0.5)
    os.mkfifo(repo / ".git/pipe")
    git(repo, "config", "include.path", "pipe")
    with pytest.raises(GitError, match=r"git did not answer within 0\.5 seconds"):
        found(repo)
