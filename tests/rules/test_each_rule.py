"""Each rule has a test file, called like its module or its code, with a finding and a near miss: a correct text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kro_ls.rules.registry import modules, rules_of

_RULES = [
    (module.__name__.removeprefix("kro_ls.rules.").split("."), rule.code)
    for module in modules()
    for rule in rules_of(module)
]


@pytest.mark.parametrize(("place", "code"), _RULES, ids=[code for _, code in _RULES])
@pytest.mark.parametrize("mark", ["^", "~"], ids=["finding", "near-miss"])
def test_a_rule_has_a_finding_and_a_near_miss(place: tuple[str, str], code: str, mark: str) -> None:
    """What marks a text is checked by `tests/fixtures/diagnostics.py`; the number of marks may be worked out."""
    subject, module = place
    files = (Path(__file__).parent / subject / f"test_{name}.py" for name in (module, code.replace("-", "_")))
    source = "".join(file.read_text(encoding="utf-8") for file in files if file.exists())
    assert re.search(rf"""(?:[{re.escape(mark)}]|"[{re.escape(mark)}]" \* [^}}]+}}) ?{code}(?![\w-])""", source)
