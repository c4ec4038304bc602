"""What the user makes of the pack: which of its kinds count, and how much."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from msgspec import Struct

from kro_ls.openapi.kind_schema import Trust, stability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.openapi.kind_schema import GroupVersionKind

Choice: TypeAlias = Literal["warn", "strict", "off"]
"""Kinds whose findings are warnings at most, kinds that the cluster has like this, and kinds that are not known."""

CHOICES: Final[tuple[Choice, ...]] = get_args(Choice)

ALL_GROUPS: Final = "*"

_CALM_ALPHA: Final = ".services.k8s.aws"
"""All kinds of AWS Controllers for Kubernetes are alpha by name; they change as stable ones do."""


class PackPolicy(Struct, frozen=True):
    """The choices by patterns of groups, such as `*.azure.com`; the longest pattern that fits a group counts."""

    choices: tuple[tuple[str, Choice], ...] = ()

    @classmethod
    def of(cls, choices: Mapping[str, str]) -> PackPolicy:
        """Return the policy of some CHOICES by patterns."""
        ordered = sorted(choices.items(), key=lambda each: (-len(each[0]), each[0]))
        return cls(tuple((pattern, cast("Choice", choice)) for pattern, choice in ordered))

    def under(self, stronger: PackPolicy) -> PackPolicy:
        """Return these choices where a stronger policy says nothing; its choice for all groups leaves none of them."""
        above = dict(stronger.choices)
        return stronger if ALL_GROUPS in above else PackPolicy.of({**dict(self.choices), **above})

    def choice(self, group: str) -> Choice:
        """Return the choice for a group."""
        return next((choice for pattern, choice in self.choices if fnmatchcase(group, pattern)), "warn")

    def trust(self, name: GroupVersionKind) -> Trust | None:
        """Return how sure a kind of the pack is, None where it does not count."""
        choice = self.choice(name.group)
        if choice != "warn":
            return Trust.FULL if choice == "strict" else None
        is_changing = stability(name.version) == "alpha" and not name.group.endswith(_CALM_ALPHA)
        return Trust.CHANGING if is_changing else Trust.GENERAL


DEFAULT_POLICY: Final = PackPolicy()
