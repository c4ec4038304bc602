"""The user's choices about the pack: which of its kinds count, and how much."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from msgspec import Struct

from kro_ls.openapi.kind_schema import Trust, stability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.openapi.kind_schema import GroupVersionKind

PackChoice: TypeAlias = Literal["warn", "strict", "off"]
"""Findings are warnings at most, the cluster has the kinds as they are here, or the kinds are unknown."""

CHOICES: Final[tuple[PackChoice, ...]] = get_args(PackChoice)

ALL_GROUPS: Final = "*"

_CALM_ALPHA: Final = ".services.k8s.aws"
"""All kinds of AWS Controllers for Kubernetes are alpha by name; they change as stable ones do."""


class PackPolicy(Struct, frozen=True):
    """The choices by patterns of groups, such as `*.azure.com`; the longest pattern that fits a group counts."""

    choices: tuple[tuple[str, PackChoice], ...] = ()

    @classmethod
    def of(cls, choices: Mapping[str, str]) -> PackPolicy:
        """Return the policy of some CHOICES by patterns."""
        ordered = sorted(choices.items(), key=lambda each: (-len(each[0]), each[0]))
        return cls(tuple((pattern, cast("PackChoice", choice)) for pattern, choice in ordered))

    def under(self, stronger: PackPolicy) -> PackPolicy:
        """Return these choices where a stronger policy has none; its choice for all groups leaves none of these."""
        above = dict(stronger.choices)
        return stronger if ALL_GROUPS in above else PackPolicy.of({**dict(self.choices), **above})

    def choice(self, group: str) -> PackChoice:
        """Return the choice for a group."""
        return next((choice for pattern, choice in self.choices if fnmatchcase(group, pattern)), "warn")

    def trust(self, name: GroupVersionKind) -> Trust | None:
        """Return the trust in a kind of the pack, None where it does not count."""
        choice = self.choice(name.group)
        if choice != "warn":
            return Trust.FULL if choice == "strict" else None
        is_changing = stability(name.version) == "alpha" and not name.group.endswith(_CALM_ALPHA)
        return Trust.CHANGING if is_changing else Trust.GENERAL


DEFAULT_POLICY: Final = PackPolicy()
