"""Expressions in kro's environment and in the CEL specification's tests: which ones are refused, and where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kro_ls.kro.environment import parse
from tests.conformance.comparison import Comparison, cases


def compare(_directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare `cel/expressions.jsonl`: which are refused, with line, column and message of the first error."""
    for case in cases(file):
        expression = case["expression"]
        wanted = case.get("parseErrors") or []
        found = parse(expression).errors
        first = found[0] if found else None
        yield Comparison("parse: refused", expression, bool(found) == bool(wanted), str(first))
        if wanted and first:
            place = (first.line, first.column) == (wanted[0]["line"], wanted[0]["column"])
            yield Comparison("parse: first error's place", expression, place, f"ours {first}, kro's {wanted[0]}")
            message = first.message == wanted[0]["message"]
            yield Comparison("parse: first error's message", expression, message, f"ours {first}, kro's {wanted[0]}")


def compare_spec(_directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare a file of `cel-spec/`: expressions with a value can be parsed."""
    for number, case in enumerate(cases(file)):
        if "value" in case:
            found = parse(case["expr"]).errors
            yield Comparison("parse", f"{number}: {case['name']}: {case['expr']}", not found, str(found[:1]))
