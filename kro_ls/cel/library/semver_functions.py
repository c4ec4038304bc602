"""Semantic versions (apiserver `pkg/cel/library/semverlib.go`), read strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kro_ls.cel.evaluation.errors import EvaluationError
from kro_ls.cel.evaluation.values import MAX_UINT

_NUMBER = re.compile(r"[0-9]+")
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]+")
_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Semver:
    """A version without its build metadata, which compares with nothing."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[int | str, ...] = ()
    type_name: ClassVar[str] = "kubernetes.Semver"

    @property
    def order(self) -> tuple[object, ...]:
        """What versions are ordered by: a version comes after its prereleases, in those numbers before words."""
        identifiers = tuple((isinstance(part, str), part) for part in self.prerelease)
        return (self.major, self.minor, self.patch, not self.prerelease, identifiers)


def parse_semver(text: str) -> Semver:
    """Read a version. Raises EvaluationError for other text."""
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise EvaluationError("No Major.Minor.Patch elements found")
    rest, plus, build = parts[2].partition("+")
    patch, dash, prerelease = rest.partition("-")
    for identifier in build.split(".") if plus else ():
        _check_identifier("Build meta data", identifier)
    identifiers = prerelease.split(".") if dash else []
    return Semver(
        _number("major", parts[0]),
        _number("minor", parts[1]),
        _number("patch", patch),
        tuple(_prerelease(identifier) for identifier in identifiers),
    )


def _number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise EvaluationError(f'Invalid character(s) found in {name} number "{text[:50]}"')
    if len(text) > 1 and text.startswith("0"):
        raise EvaluationError(f'{name.capitalize()} number must not contain leading zeroes "{text[:50]}"')
    return _bounded(text)


def _bounded(text: str) -> int:
    if len(text) > _MOST_DIGITS or int(text) > MAX_UINT:
        raise EvaluationError(f'strconv.ParseUint: parsing "{text[:50]}": value out of range')
    return int(text)


def _check_identifier(what: str, text: str) -> None:
    if not text:
        raise EvaluationError(f"{what} is empty")
    if not _IDENTIFIER.fullmatch(text):
        raise EvaluationError(f'Invalid character(s) found in {what.lower()} "{text[:50]}"')


def _prerelease(text: str) -> int | str:
    if not _NUMBER.fullmatch(text):
        _check_identifier("Prerelease", text)
        return text
    if len(text) > 1 and text.startswith("0"):
        raise EvaluationError(f'Numeric PreRelease version must not contain leading zeroes "{text[:50]}"')
    return _bounded(text)


def _is_semver(text: str) -> bool:
    try:
        parse_semver(text)
    except EvaluationError:
        return False
    return True


def _compare(one: Semver, other: Semver) -> int:
    return int(one.order > other.order) - int(one.order < other.order)


def _signed(number: int) -> int:
    """Return an unsigned 64-bit number as Go converts it to a signed one."""
    return number - 2**64 if number >= 2**63 else number


IMPLEMENTATIONS = {
    "string_to_semver": parse_semver,
    "is_semver_string": _is_semver,
    "semver_is_greater_than": lambda one, other: _compare(one, other) > 0,
    "semver_is_less_than": lambda one, other: _compare(one, other) < 0,
    "semver_compare_to": _compare,
    "semver_major": lambda version: _signed(version.major),
    "semver_minor": lambda version: _signed(version.minor),
    "semver_patch": lambda version: _signed(version.patch),
}
