"""Finds the rules for what kro printed: people search for the text that they see in a cluster."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING

from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from kro_ls.rules.rule import Rule


def rules_for(text: str) -> tuple[Rule, ...]:
    """Return the rules that report what a text from a cluster says, usually one; () where none does.

    The text may hold more than a message, such as its context, or only a part of one, such as `contains a cycle`.
    """
    found = {rule.code: max((_likeness(each, text) for each in rule.kro_messages), default=0) for rule in RULES}
    most = max(found.values())
    return tuple(rule for rule in RULES if found[rule.code] == most > 0)


def fits(template: str, text: str) -> bool:
    """Whether a text holds a message that is made of a template, such as `unknown type: {name}`."""
    return _pattern(template).search(text) is not None


def _likeness(template: str, text: str) -> int:
    """Return how many letters of a message, what varies aside, a text has; 0 where it does not fit."""
    pieces = _pieces(template)
    if fits(template, text):
        return sum(map(len, pieces))
    return len(text) if any(text.lower() in piece.lower() for piece in pieces) else 0


def shown(template: str) -> str:
    """Return a template as documentation shows it, with `...` for what varies."""
    return "...".join(_pieces(template))


@cache
def _pieces(template: str) -> tuple[str, ...]:
    """Return what stands before, between and after the names of what varies."""
    pieces = [""]
    for literal, name, _, _ in Formatter().parse(template):
        pieces[-1] += literal
        if name is not None:
            pieces.append("")
    return tuple(pieces)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(".*?".join(map(re.escape, _pieces(template))), re.DOTALL)
