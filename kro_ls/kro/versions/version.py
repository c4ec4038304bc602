"""A version of kro, and ranges of versions."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Version(Struct, frozen=True, order=True):
    """A version by its numbers. `is_released` is False for a commit on the way to these numbers.

    `dialect` names a proposal that the version is taken to have on top, such as `krep-2`; no release has it.
    """

    major: int
    minor: int
    patch: int
    is_released: bool = True
    dialect: str = ""

    def __str__(self) -> str:
        if self.dialect:
            return self.dialect
        return self.release + ("" if self.is_released else ".dev")

    @property
    def release(self) -> str:
        """The release that has it."""
        return f"{self.major}.{self.minor}.{self.patch}"


def _patches(minor: int, newest: int) -> tuple[Version, ...]:
    return tuple(Version(0, minor, patch) for patch in range(newest + 1))


BEFORE_0_9_4: Final = Version(0, 9, 4, is_released=False)
"""The commit 0302e659 of 2026-08-19, on the way to 0.9.4, which no release has."""
NEWEST: Final = Version(0, 9, 4)
"""The newest release: the default version everywhere."""

KREP_2: Final = Version(0, 9, 4, dialect="krep-2")
"""The newest release with collections as KREP-2 proposed them (`kro.krep_2`)."""

_ALL = (
    *_patches(6, 3),
    *_patches(7, 1),
    *_patches(8, 5),
    *_patches(9, 4),
    *_patches(10, 0),
    BEFORE_0_9_4,
)
VERSIONS: Final = tuple(sorted(_ALL))
"""Every supported version, oldest first."""

OLDEST: Final = VERSIONS[0]
NEXT: Final = VERSIONS[-1]
"""The next release, as far as its candidate and earlier commits have it. No fact is bound to it, since it changes."""


def parse_version(text: str) -> Version:
    """Return the version that `text` names: `0.9.4`, `v0.9.4`, or `0.9` for its newest release.

    A release candidate counts as its release, and `krep-2` is the dialect of that proposal. Raises ValueError, whose
    text lists the supported versions.
    """
    if text.strip() == KREP_2.dialect:
        return KREP_2
    wanted = text.strip().removeprefix("v").partition("-")[0]
    for version in reversed(VERSIONS):
        name = str(version)
        if name == wanted or (version.is_released and name.startswith(f"{wanted}.") and wanted.count(".") == 1):
            return version
    raise ValueError(f"unknown version of kro '{text}'; known are {OLDEST} to {NEWEST}, and {NEXT}, which is to come")


class Versions(Struct, frozen=True):
    """The versions from `since` on, up to and without `before`; None is no bound.

    `krep_2` is True for only those with the dialect of KREP-2, False for only those without it.
    """

    since: Version | None = None
    before: Version | None = None
    krep_2: bool | None = None

    def __contains__(self, version: Version) -> bool:
        if self.krep_2 is not None and self.krep_2 is not bool(version.dialect):
            return False
        return (self.since is None or version >= self.since) and (self.before is None or version < self.before)

    def __and__(self, other: Versions) -> Versions:
        """Return the versions of both, which may be none."""
        since = max((each for each in (self.since, other.since) if each), default=None)
        before = min((each for each in (self.before, other.before) if each), default=None)
        return Versions(since, before, self.krep_2 if other.krep_2 is None else other.krep_2)


ALL: Final = Versions()
NONE: Final = Versions(before=OLDEST)
WITH_KREP_2: Final = Versions(krep_2=True)
WITHOUT_KREP_2: Final = Versions(krep_2=False)


def since(text: str) -> Versions:
    """Return the versions from the named one on."""
    return Versions(since=parse_version(text))
