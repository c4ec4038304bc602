"""A rule says which fields of the scope it reads: what it found stands while these are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.rules.registry import RULES
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.rule import Rule

SOURCES = [
    *(example.read_text(encoding="utf-8") for example in sorted(EXAMPLES.glob("*.yaml"))),
    *(rgd_around(source) for rule in RULES for source in (rule.wrong, rule.right) if source),
]


class Watched:
    """A scope that takes note of what is read of it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.read.add(name)
        return getattr(self.scope, name)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.reads is not None], ids=lambda rule: rule.code)
def test_a_rule_reads_no_more_than_it_says(rule: Rule) -> None:
    assert rule.check_resource
    assert rule.reads is not None
    for source in SOURCES:
        for each in analyze(Text(source)).rgds:
            for resource, scope in zip(each.scoped.parts, each.scoped.scopes, strict=True):
                watched = Watched(scope)
                list(rule.check_resource(resource, cast("Scope", watched)))
                assert watched.read <= rule.reads
