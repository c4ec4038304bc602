"""All rules. A rule is found by itself: a module in a folder of this package that has a `RULE`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import kro_ls.rules
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

SUBJECTS = ("text", "names", "schema", "resources", "expressions", "status", "types", "kinds", "surprises")
"""The folders of rules, in the order in which their rules are listed to people."""


def _rules() -> Iterator[Rule]:
    for subject in SUBJECTS:
        folders = [f"{path}/{subject}" for path in kro_ls.rules.__path__]
        for module in iter_modules(folders):
            rule = getattr(import_module(f"kro_ls.rules.{subject}.{module.name}"), "RULE", None)
            if isinstance(rule, Rule):
                yield rule


RULES = tuple(_rules())
"""All rules, in the order in which they are listed to people: by subject, then by code."""
