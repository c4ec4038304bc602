"""Reads files as they are in a commit, using only `git`'s plumbing commands.

Nothing that a repository configures is run: no hook, pager, filter, external diff or monitor. Nothing is fetched, and
git works in the repository of a path, whatever its configuration says. `git` is started only if the user requested a
comparison with a commit.
"""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryFile
from threading import Event, Timer
from typing import TYPE_CHECKING, Final

from kro_ls.programs import find_program
from kro_ls.workspace.files import MOST_BYTES, YAML_SUFFIXES, decode, is_inside, read_file, repository_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SECONDS: Final = 60
_MOST_OUTPUT: Final = 4 * MOST_BYTES
"""In bytes. Even a small repository can have any number of files."""
_MOST_REPORTED: Final = 4096

_SAFE: Final = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=",
    "-c",
    f"core.hooksPath={os.devnull}",
    # A folder of a repository that looks like a bare repository has a configuration that was checked out.
    "-c",
    "safe.bareRepository=explicit",
)
_ENVIRONMENT: Final = {
    # A list of protocols that overrides `protocol.*.allow` of any configuration; no protocol has this name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",  # ignored by older versions of git
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EXTERNAL_DIFF": "",
    "LC_ALL": "C",
}


class GitError(Exception):
    """An error of `git`; the text says why and what to do."""


class NoRepositoryError(GitError):
    """There are no commits, because the file is in no repository or git is not installed."""


def text_at(ref: str, path: Path) -> Text | None:
    """Return a YAML file as it is in a commit, None if the commit lacks it.

    Raises GitError, and UnreadableFileError for a file that is not text.
    """
    content = next((content for _, content in yaml_files_at(ref, [path])), None)
    return Text(decode(path, content)) if content is not None else None


def yaml_files_at(ref: str, paths: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """Yield the YAML files of a commit at or below some paths, with their current paths.

    Symbolic links, submodules, and files that are too large to be definitions are left out. Raises GitError.
    """
    for path in paths:
        real = Path(os.path.realpath(path))
        root = repository_of(real if real.is_dir() else real.parent)
        if root is None:
            raise NoRepositoryError(f"{path}: not in a git repository, so there is no commit to compare with")
        _require_own(root)
        blobs = _blobs(root, ref, real.relative_to(root).as_posix())
        for name, content in zip(blobs, _contents(root, ref, blobs), strict=True):
            relative = os.path.relpath(root / name, real)
            yield path if relative == "." else path / relative, content


def _require_own(root: Path) -> None:
    """Raise GitError for a repository whose files refer to commits in another one."""
    git, common = (
        Path(root, os.fsdecode(_git(root, "rev-parse", each).rstrip(b"\n")))
        for each in ("--absolute-git-dir", "--git-common-dir")
    )
    allowed = [root, repository_of(root.parent) or root]  # that of a submodule is in the repository around it
    worktree = _text(git / "gitdir")
    if common == git.parent.parent and worktree and Path(os.path.normpath(git / worktree)) == root / ".git":
        allowed.append(common)  # the worktree of another repository, which says so as well
    for place in (git, common, common / "objects", common / "refs"):
        if not is_inside(place, allowed):
            raise GitError(f"{root}: its commits are in {place}, outside of it, where nothing is read")
    if _text(common / "objects" / "info" / "alternates"):
        advice = "run 'git repack -a -d', then delete objects/info/alternates"
        raise GitError(f"{root}: it borrows objects of other repositories, which are not read; {advice}")


def _text(file: Path) -> str:
    return (read_file(file) or "").strip()


def _blobs(root: Path, ref: str, below: str) -> dict[str, tuple[bytes, int]]:
    """Return the YAML files of a commit at or below a path, with the names and the sizes in bytes of their blobs.

    Files that are too large to be definitions are left out.
    """
    unknown = f"{root}: git knows no commit {ref!r}; check the name"
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", failure=unknown)
    arguments = ("ls-tree", "-r", "-z", "--full-tree", commit.decode("ascii").strip(), "--")
    listing = _git(root, *arguments, *([below] if below != "." else []))
    entries = (line.partition(b"\t") for line in listing.split(b"\0") if line)
    files = {os.fsdecode(name): entry.split()[2] for entry, _, name in entries if entry.startswith(b"100")}
    blobs = {name: blob for name, blob in files.items() if name.endswith(YAML_SUFFIXES)}
    answers = iter(_asked(root, "--batch-check", blobs.values()).splitlines())
    found = {}
    for name in blobs:
        blob, kind, size = (*next(answers, b"").split(), b"", b"", b"")[:3]
        if kind != b"blob":
            raise _missing(root, ref, name)
        if int(size) <= MOST_BYTES:
            found[name] = blob, int(size)
    return found


def _contents(root: Path, ref: str, blobs: Mapping[str, tuple[bytes, int]]) -> Iterator[bytes]:
    """Yield what files of a commit hold."""
    answer = _asked(root, "--batch", (blob for blob, _ in blobs.values()))
    start = 0
    for name, (blob, size) in blobs.items():
        head = b"%s blob %d\n" % (blob, size)
        end = start + len(head) + size
        if not answer.startswith(head, start) or len(answer) <= end:
            raise _missing(root, ref, name)
        yield answer[start + len(head) : end]
        start = end + 1  # behind a line end


def _asked(root: Path, option: str, blobs: Iterable[bytes]) -> bytes:
    return _git(root, "cat-file", option, question=b"".join(blob + b"\n" for blob in blobs))


def _missing(root: Path, ref: str, name: str) -> GitError:
    return GitError(f"{root}: git does not have what {name} holds in {ref}; see 'git fsck', or fetch it")


def _git(root: Path, *arguments: str, question: bytes = b"", failure: str = "") -> bytes:
    """Return what `git` prints in the repository with this root; `question` is its standard input.

    Raises GitError with what git says, or else with the text `failure`.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # Without this, a `.git` that is no repository would have git read one above.
    place = {"GIT_CEILING_DIRECTORIES": str(root.parent)}
    program = find_program("git")
    if program is None:
        raise NoRepositoryError("git is not installed, or not on the PATH, so nothing can be compared with a commit")
    command = [program, *_SAFE, *arguments]
    with TemporaryFile() as asked, TemporaryFile() as errors:
        asked.write(question)
        asked.seek(0)
        try:
            process = Popen(  # noqa: S603 # the user asked for it; nothing of it comes from a repository
                command, cwd=root, env=inherited | _ENVIRONMENT | place, stdin=asked, stdout=PIPE, stderr=errors
            )
        except OSError as error:
            raise GitError(f"{root}: {error.strerror}; check the path") from error
        output = _output(root, process)
        errors.seek(0)
        reported = "; ".join(errors.read(_MOST_REPORTED).decode("utf-8", "replace").splitlines())
    if process.returncode:
        raise GitError(reported or failure or f"{root}: git {arguments[0]} failed; see 'git fsck'")
    return output


def _output(root: Path, process: Popen[bytes]) -> bytes:
    """Wait for a process, and return its output. Raises GitError where that takes too long, or is too much."""
    is_late = Event()

    def stop() -> None:
        is_late.set()
        process.kill()

    timer = Timer(_SECONDS, stop)
    timer.start()
    with process:
        try:
            output = process.stdout.read(_MOST_OUTPUT + 1) if process.stdout else b""
            if len(output) > _MOST_OUTPUT:
                process.kill()
        finally:
            process.wait()
            timer.cancel()
    if is_late.is_set():
        raise GitError(f"{root}: git did not answer within {_SECONDS} seconds")
    if len(output) > _MOST_OUTPUT:
        raise GitError(f"{root}: more than {_MOST_OUTPUT // 1024**2} MiB to compare with; name folders or files in it")
    return output
