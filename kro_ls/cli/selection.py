"""Which rules a run reports: `--select` and `--ignore` take codes and prefixes of codes.

The longest prefix of a code decides; `--ignore` wins a tie. Comments in files silence selected rules, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from kro_ls.rules.registry import RULES, rules_named

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kro_ls.rules.settings import Settings


class Selection(Struct, frozen=True):
    """Prefixes of the codes to report and to ignore. Without any to report, all are reported."""

    selected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    def shows(self, code: str) -> bool:
        """Whether diagnostics with a code are reported."""
        selected = max((len(each) for each in self.selected if code.startswith(each)), default=-1)
        ignored = max((len(each) for each in self.ignored if code.startswith(each)), default=-1)
        return selected > ignored if self.selected else ignored < 0

    def applied(self, settings: Settings, own: Settings) -> Settings:
        """Return settings in which the selected rules are on, unless the command's own settings turn them off."""
        if not self.selected:
            return settings
        own_codes = dict(own.severities)
        severities = (
            (code, each) for code, each in settings.severities if each or code in own_codes or not self.shows(code)
        )
        return replace(settings, severities=tuple(severities))

    def only_shown(self, settings: Settings) -> Settings:
        """Return settings in which every rule that is not reported is off."""
        hidden = {rule.code: None for rule in RULES if not self.shows(rule.code)}
        return replace(settings, severities=tuple(sorted({**dict(settings.severities), **hidden}.items())))


class CodesType(click.ParamType[tuple[str, ...]]):
    """Codes, or prefixes of codes, separated by commas."""

    name = "CODE[,CODE...]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the codes; each must be a prefix of some rule's code."""
        if isinstance(value, tuple):
            return value
        codes = tuple(code for each in str(value).split(",") if (code := each.strip()))
        for code in codes:
            try:
                rules_named(code)
            except LookupError as error:
                self.fail(str(error), param, ctx)
        return codes

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's signature)
        """Return the codes that complete the last one."""
        return complete_codes(incomplete, after=",")


def complete_codes(incomplete: str, *, after: str = "") -> list[CompletionItem]:
    """Return the codes that a shell offers, each with its summary; `after` separates several."""
    from click.shell_completion import CompletionItem

    done, separator, begun = incomplete.rpartition(after) if after else ("", "", incomplete)
    return [
        CompletionItem(f"{done}{separator}{rule.code}", help=rule.summary)
        for rule in RULES
        if rule.code.startswith(begun)
    ]
