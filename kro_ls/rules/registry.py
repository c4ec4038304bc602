"""All rules and checks, which are found by themselves.

A module in a folder of this package has a `RULE`, or `RULES` and mostly the `CHECK` that finds what all of them report.
"""

from __future__ import annotations

import os
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

import kro_ls.rules
from kro_ls.rules.expression_checks import expression_check
from kro_ls.rules.rule import Rule
from kro_ls.rules.shared_check import SharedCheck, own_check

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
"""The folders of rules, in the order in which their rules are listed to people."""


def modules() -> Iterator[ModuleType]:
    """Yield the modules in the folders of this package, by subject and then by name."""
    for subject in SUBJECTS:
        for file in sorted(os.listdir(f"{kro_ls.rules.__path__[0]}/{subject}")):
            name, ending = os.path.splitext(file)
            if ending == ".py" and name != "__init__":
                yield import_module(f"kro_ls.rules.{subject}.{name}")


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """Return the rules of a module by code, the order in which people read them."""
    rules: tuple[Rule, ...] = getattr(module, "RULES", ())
    rule = getattr(module, "RULE", None)
    return (rule,) if isinstance(rule, Rule) else rules


_MODULES = tuple(modules())

RULES: tuple[Rule, ...] = tuple(
    rule
    for _, modules in groupby(_MODULES, lambda module: module.__package__)
    for rule in sorted((rule for module in modules for rule in rules_of(module)), key=lambda rule: rule.code)
)
"""All rules, in the order in which they are listed to people: by subject, then by code."""

RULE_OF: dict[str, Rule] = {rule.code: rule for rule in RULES}
"""The rules by code."""

SHARED_CHECKS: tuple[SharedCheck, ...] = tuple(
    module.CHECK for module in _MODULES if isinstance(getattr(module, "CHECK", None), SharedCheck)
)
"""The checks that find what several rules report; the other rules have checks of their own."""

EXPRESSION_CHECK = expression_check(RULES)
"""The check that runs what the rules have for single expressions."""

CHECKS = (*map(own_check, RULES), *SHARED_CHECKS, EXPRESSION_CHECK)
"""All checks in one form."""
