"""The releases whose definitions can be fetched: each file at a commit, with its hash.

`releases.json` is written by `scripts/pin-kinds`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from kro_ls.openapi.sources.provenance import Provenance, title_of_project

_DATA = Path(__file__).with_name("releases.json")

HOST = "https://raw.githubusercontent.com"


class Release(Struct, frozen=True):
    """A release of a project; `files` are paths in its repository, each with its SHA-256 and the groups of kinds."""

    project: str
    repository: str
    version: str
    date: str
    commit: str
    files: tuple[tuple[str, ...], ...]


class PinnedFile(Struct, frozen=True):
    """A file to fetch: its path on the host, its SHA-256, and the origin of its definitions."""

    path: str
    digest: str
    origin: Provenance


@lru_cache(maxsize=1)  # a file of the package
def releases() -> tuple[Release, ...]:
    """Return all releases."""
    return msgspec.json.decode(_DATA.read_bytes(), type=tuple[Release, ...])


def pinned_files(name: str) -> list[PinnedFile]:
    """Return the files of a project, or those with the kinds of a group; none for an unknown name.

    If several repositories of a project have a file at the same path, as all controllers of AWS do, the newest counts.
    """
    found: dict[tuple[str, str], tuple[Release, tuple[str, ...]]] = {}
    for release in sorted(releases(), key=lambda each: each.date):
        for file in release.files:
            if name == release.project or name in file[2:]:
                found[release.project, file[0]] = release, file
    return [_pinned(release, file) for release, file in found.values()]


def groups_of(project: str) -> list[str]:
    """Return the groups that the releases of a project define, sorted."""
    files = (file for release in releases() if release.project == project for file in release.files)
    return sorted({group for _, _, *groups in files for group in groups})


def fetchable() -> list[str]:
    """Return the names that `pinned_files` accepts: projects first, then groups."""
    names = dict.fromkeys(release.project for release in releases())
    return [*names, *sorted({group for name in names for group in groups_of(name)})]


def _pinned(release: Release, file: tuple[str, ...]) -> PinnedFile:
    path, digest, *_ = file
    origin = Provenance(title_of_project(release.project), release.version, release.date)
    return PinnedFile(f"{release.repository}/{release.commit}/{path}", digest, origin)
