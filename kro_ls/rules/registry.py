"""All rules and checks, which are found by themselves: a module in a folder of this package has a `RULE` or `CHECK`."""

from __future__ import annotations

import os
from importlib import import_module
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


def _modules() -> Iterator[ModuleType]:
    for subject in SUBJECTS:
        for file in sorted(os.listdir(f"{kro_ls.rules.__path__[0]}/{subject}")):
            name, ending = os.path.splitext(file)
            if ending == ".py" and name != "__init__":
                yield import_module(f"kro_ls.rules.{subject}.{name}")


_MODULES = tuple(_modules())

RULES: tuple[Rule, ...] = tuple(module.RULE for module in _MODULES if isinstance(getattr(module, "RULE", None), Rule))
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
