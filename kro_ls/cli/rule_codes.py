"""Completes the codes of rules in shells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_codes(incomplete: str, *, after: str = "") -> list[CompletionItem]:
    """Return the codes that a shell offers, each with its summary; `after` separates several."""
    from click.shell_completion import CompletionItem

    done, separator, begun = incomplete.rpartition(after) if after else ("", "", incomplete)
    return [
        CompletionItem(f"{done}{separator}{rule.code}", help=rule.summary)
        for rule in RULES
        if rule.code.startswith(begun)
    ]
