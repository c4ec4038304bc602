"""Finds the rule that the user names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.registry import RULES
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.rules.rule import Rule


def find_rule(code: str) -> Rule:
    """Return the rule with this code. Raises LookupError, whose text says what the user may have meant."""
    rules = {rule.code: rule for rule in RULES}
    if code in rules:
        return rules[code]
    suggestion = closest(code, tuple(rules))
    hint = f"did you mean {suggestion!r}?" if suggestion else "'kro-ls explain' lists them"
    raise LookupError(f"there is no rule {code!r}; {hint}")
