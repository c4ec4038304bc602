"""Finds the rules that people name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.kro_messages import rules_for
from kro_ls.rules.registry import RULES
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.rules.rule import Rule


def find_rule(code: str) -> Rule:
    """Return the rule with this code. Raises LookupError, whose text suggests what the user may have meant."""
    rules = {rule.code: rule for rule in RULES}
    if code in rules:
        return rules[code]
    raise LookupError(f"there is no rule {code!r}; {_advice(code, tuple(rules))}")


def rules_about(code_or_text: str) -> tuple[Rule, ...]:
    """Return the rule with a code, or those that report what kro prints in a cluster. Raises LookupError."""
    try:
        return (find_rule(code_or_text),)
    except LookupError:
        found = rules_for(code_or_text)
        if found:
            return found
        raise


def rules_named(beginning: str) -> tuple[Rule, ...]:
    """Return the rules whose codes have this prefix. Raises LookupError, whose text suggests similar codes."""
    found = tuple(rule for rule in RULES if rule.code.startswith(beginning))
    if not found:
        advice = _advice(beginning, tuple(rule.code for rule in RULES))
        raise LookupError(f"no rule begins with {beginning!r}; {advice}")
    return found


def _advice(code: str, codes: tuple[str, ...]) -> str:
    """Return a suggestion: a code that the typed one abbreviates, is a part of, or misspells."""
    word = code.lower().replace("_", "-").replace(" ", "-")
    abbreviated = [each for each in codes if word and each.startswith(word)]
    suggestion = next(iter(sorted(abbreviated, key=len)), None) or closest(word, codes) or _by_words(word, codes)
    return f"did you mean {suggestion!r}?" if suggestion else "'kro-ls explain' lists them"


def _by_words(typed: str, codes: tuple[str, ...]) -> str | None:
    """Return the first code that has all the typed words, each possibly abbreviated."""
    words = typed.split("-")
    return next((each for each in codes if all(any(p.startswith(w) for p in each.split("-")) for w in words)), None)
