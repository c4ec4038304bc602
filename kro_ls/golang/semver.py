"""Semantic versions as the Go module github.com/blang/semver/v4 reads them, with its messages for what is not one."""

from __future__ import annotations

import re

from msgspec import Struct

from kro_ls.golang.numbers import parse_uint
from kro_ls.golang.quoting import go_quoted

_NUMBER = re.compile(r"[0-9]+")
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]+")


class VersionError(ValueError):
    """A text that is not a version; the text is that of the Go module."""


class Version(Struct, frozen=True):
    """A version without its build metadata, which compares with nothing."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[int | str, ...] = ()

    @property
    def order(self) -> tuple[object, ...]:
        """What versions are ordered by: a version comes after its prereleases, in those numbers before words."""
        identifiers = tuple((isinstance(part, str), part) for part in self.prerelease)
        return (self.major, self.minor, self.patch, not self.prerelease, identifiers)


def parse_version(text: str) -> Version:
    """Read a version. Raises VersionError, or NumberError for a number that is too large."""
    if not text:
        raise VersionError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise VersionError("No Major.Minor.Patch elements found")
    rest, plus, build = parts[2].partition("+")
    patch, dash, prerelease = rest.partition("-")
    version = Version(
        _number("major", parts[0]),
        _number("minor", parts[1]),
        _number("patch", patch),
        tuple(map(_prerelease, prerelease.split("."))) if dash else (),
    )
    for identifier in build.split(".") if plus else ():
        _check_identifier("Build meta data", identifier)
    return version


def _number(name: str, text: str) -> int:
    if text and not _NUMBER.fullmatch(text):
        raise VersionError(f"Invalid character(s) found in {name} number {go_quoted(text)}")
    if len(text) > 1 and text.startswith("0"):
        raise VersionError(f"{name.capitalize()} number must not contain leading zeroes {go_quoted(text)}")
    return parse_uint(text)


def _check_identifier(what: str, text: str) -> None:
    if not text:
        raise VersionError(f"{what} is empty")
    if not _IDENTIFIER.fullmatch(text):
        raise VersionError(f"Invalid character(s) found in {what.lower()} {go_quoted(text)}")


def _prerelease(text: str) -> int | str:
    if not _NUMBER.fullmatch(text):
        _check_identifier("Prerelease", text)
        return text
    if len(text) > 1 and text.startswith("0"):
        raise VersionError(f"Numeric PreRelease version must not contain leading zeroes {go_quoted(text)}")
    return parse_uint(text)
