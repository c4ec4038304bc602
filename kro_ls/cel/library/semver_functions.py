"""Semantic versions (apiserver `pkg/cel/library/semverlib.go`), read strictly."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import CONSTANT, READING, Cost
from kro_ls.cel.evaluation.values import CustomValue, EvaluationError, succeeds
from kro_ls.golang.numbers import NumberError
from kro_ls.golang.semver import Version, VersionError, parse_version


class Semver(CustomValue, Struct, frozen=True):
    """A version."""

    version: Version
    type_name: ClassVar[str] = "kubernetes.Semver"

    @property
    def size(self) -> int:
        """The number of characters and parts after the dash."""
        return sum(len(part) + 1 if isinstance(part, str) else 1 for part in self.version.prerelease)


def parse_semver(text: str) -> Semver:
    """Read a version. Raises EvaluationError for other text."""
    try:
        return Semver(parse_version(text))
    except (VersionError, NumberError) as error:
        raise EvaluationError(str(error)) from None


def _compare(one: Semver, other: Semver) -> int:
    return int(one.version.order > other.version.order) - int(one.version.order < other.version.order)


def _signed(number: int) -> int:
    """Return an unsigned 64-bit number as Go converts it to a signed one."""
    return number - 2**64 if number >= 2**63 else number


IMPLEMENTATIONS = {
    "string_to_semver": parse_semver,
    "is_semver_string": succeeds(parse_semver),
    "semver_is_greater_than": lambda one, other: _compare(one, other) > 0,
    "semver_is_less_than": lambda one, other: _compare(one, other) < 0,
    "semver_compare_to": _compare,
    "semver_major": lambda semver: _signed(semver.version.major),
    "semver_minor": lambda semver: _signed(semver.version.minor),
    "semver_patch": lambda semver: _signed(semver.version.patch),
}
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20, characters=4 * 64)),
    **dict.fromkeys(("string_to_semver", "is_semver_string"), READING),
    **dict.fromkeys(("semver_major", "semver_minor", "semver_patch"), CONSTANT),
}
