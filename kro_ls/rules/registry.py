"""All rules and checks: finds their modules, and the rules that a person names or quotes a message of.

A module in a folder of this package has a `RULE`, or `RULES` and mostly the `CHECK` that finds what all of them report.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

import kro_ls.rules
from kro_ls.rules.rule import Rule, SharedCheck
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


SUBJECTS = (
    "text",
    "names",
    "schema",
    "resources",
    "expressions",
    "status",
    "types",
    "kinds",
    "versions",
    "surprises",
    "files",
)
"""The folders of rules, in the order in which people see their rules."""


def modules() -> Iterator[ModuleType]:
    """Yield the modules in the folders of this package, by subject and then by name."""
    for subject in SUBJECTS:
        for file in sorted(os.listdir(f"{kro_ls.rules.__path__[0]}/{subject}")):
            name, ending = os.path.splitext(file)
            if ending == ".py" and name != "__init__":
                yield import_module(f"kro_ls.rules.{subject}.{name}")


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """Return the rules of a module."""
    rules: tuple[Rule, ...] = getattr(module, "RULES", ())
    rule = getattr(module, "RULE", None)
    return (rule,) if isinstance(rule, Rule) else rules


_MODULES = tuple(modules())

RULES: tuple[Rule, ...] = tuple(
    rule
    for _, modules in groupby(_MODULES, lambda module: module.__package__)
    for rule in sorted((rule for module in modules for rule in rules_of(module)), key=lambda rule: rule.code)
)
"""All rules in the order in which people see them: by subject, then by code."""

RULE_OF: dict[str, Rule] = {rule.code: rule for rule in RULES}
"""The rules by code."""

SHARED_CHECKS: tuple[SharedCheck, ...] = tuple(
    module.CHECK for module in _MODULES if isinstance(getattr(module, "CHECK", None), SharedCheck)
)
"""The checks that several rules share."""


def rules_for(text: str) -> tuple[Rule, ...]:
    """Return the rules that report a message from a cluster, usually one; () if there are none.

    The text may have more than the message, such as its context, or only a part of it, such as `contains a cycle`.
    """
    found = {rule.code: max((_likeness(each, text) for each in rule.kro_messages), default=0) for rule in RULES}
    most = max(found.values())
    return tuple(rule for rule in RULES if found[rule.code] == most > 0)


def fits(template: str, text: str) -> bool:
    """Whether a text has a message of a template such as `unknown type: {name}`."""
    return _pattern(template).search(text) is not None


def _likeness(template: str, text: str) -> int:
    """Return how many of the fixed letters of a message a text has; 0 if it does not fit."""
    pieces = _pieces(template)
    if fits(template, text):
        return sum(map(len, pieces))
    return len(text) if any(text.lower() in piece.lower() for piece in pieces) else 0


def shown(template: str) -> str:
    """Return a template as documentation shows it, with `...` for its names."""
    return "...".join(_pieces(template))


@cache  # the templates are constants
def _pieces(template: str) -> tuple[str, ...]:
    """Return the texts before, between and after the names in a template."""
    from string import Formatter

    pieces = [""]
    for literal, name, _, _ in Formatter().parse(template):
        pieces[-1] += literal
        if name is not None:
            pieces.append("")
    return tuple(pieces)


@cache  # the templates are constants
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(".*?".join(map(re.escape, _pieces(template))), re.DOTALL)


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
    """Return the first code with all the typed words, which may be abbreviated."""
    words = typed.split("-")
    return next((each for each in codes if all(any(p.startswith(w) for p in each.split("-")) for w in words)), None)
