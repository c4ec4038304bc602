"""Each rule has a test file, with a finding of it and a near miss: a correct text that is close to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kro_ls.rules.registry import modules, rules_of

_RULES = [
    (module.__name__.replace("kro_ls.rules.", "").replace(".", "/test_") + ".py", rule.code)
    for module in modules()
    for rule in rules_of(module)
]


@pytest.mark.parametrize(("file", "code"), _RULES, ids=[code for _, code in _RULES])
@pytest.mark.parametrize("mark", ["^", "~"], ids=["finding", "near-miss"])
def test_a_rule_has_a_finding_and_a_near_miss(file: str, code: str, mark: str) -> None:
    """`tests/fixtures/diagnostics.py` checks the marks of a text; the number of marks may be computed."""
    source = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert re.search(rf"""(?:[{re.escape(mark)}]|"[{re.escape(mark)}]" \* [^}}]+}}) ?{code}(?![\w-])""", source)
