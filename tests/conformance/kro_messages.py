"""Refused definitions: one of our messages quotes kro's message, which leads to the rule that reports it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kro_ls.rules.diagnostics import Diagnostic
from kro_ls.rules.registry import rules_for
from tests.conformance.comparison import Case, Comparison


def compare_case(case: Case, errors: list[Diagnostic]) -> Iterator[Comparison]:
    """Compare a definition that kro refuses and that has errors in kro-ls."""
    unknown = [f'unknown field "{path}"' for path in case.get("unknownFields") or ()]
    printed = [*(case.get("errors") or ()), *(case.get("admissionErrors") or ()), *unknown]
    ours = [_plain(each.kro_message) for each in errors if each.kro_message]
    detail = f"ours {ours}, kro's {printed}"
    agrees = any(message in _plain(text) for message in ours for text in printed)
    yield Comparison("message of kro", case["file"], agrees, detail)
    codes = {each.code for each in errors}
    found = {rule.code for text in printed for rule in rules_for(text)}
    yield Comparison("rule for a message", case["file"], bool(codes & found), f"{found} for {printed}, not {codes}")


def _plain(text: str) -> str:
    """Return a text without the numbers of resources, which a diagnostic about one of them does not have."""
    return re.sub(r"\[(\d+|\*)\]", "[]", text)
