"""A check says which fields of the scope it reads: what it found stands while these are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.rules.registry import CHECKS, RULES
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.shared_check import SharedCheck

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


SAYING = [check for check in CHECKS if check.reads is not None]


@pytest.mark.parametrize("check", SAYING, ids=lambda check: check.codes[0])
def test_a_check_reads_no_more_than_it_says(check: SharedCheck) -> None:
    assert check.check_resource
    assert check.reads is not None
    for source in SOURCES:
        for each in analyze(Text(source)).rgds:
            for resource, scope in zip(each.scoped.parts, each.scoped.scopes, strict=True):
                watched = Watched(scope)
                list(check.check_resource(resource, cast("Scope", watched)))
                assert watched.read <= check.reads
