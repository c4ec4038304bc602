"""The recorded answers of real kro to expressions, and the expressions of the CEL specification's tests."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kro_ls.kro.environment import parse
from tests.cel.syntax.unparse import dump, unparse
from tests.paths import CONFORMANCE, needs_conformance

pytestmark = needs_conformance


def cases(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_errors_are_those_of_kro() -> None:
    total = first = all_equal = 0
    for case in cases(CONFORMANCE / "cel" / "expressions.jsonl"):
        errors = [(error.line, error.column, error.message) for error in parse(case["expression"]).errors]
        if "parseErrors" not in case:
            assert errors == [], case["expression"]
            continue
        wanted = [(error["line"], error["column"], error["message"]) for error in case["parseErrors"]]
        assert errors, case["expression"]
        total += 1
        first += errors[0][:2] == wanted[0][:2]
        all_equal += errors == wanted
    print(f"\nparse errors: {first} of {total} with the first place equal, {all_equal} equal throughout")
    assert all_equal == total > 0


def test_expressions_of_the_specification_are_accepted() -> None:
    expressions = [case["expr"] for file in sorted((CONFORMANCE / "cel-spec").glob("*.jsonl")) for case in cases(file)]
    assert expressions
    assert [expression for expression in expressions if parse(expression).errors] == []


def test_recorded_expressions_survive_unparsing() -> None:
    files = [CONFORMANCE / "cel" / "expressions.jsonl", *sorted((CONFORMANCE / "cel-spec").glob("*.jsonl"))]
    for case in (case for file in files for case in cases(file)):
        result = parse(case.get("expression") or case["expr"])
        if not result.errors:
            assert dump(parse(unparse(result.root)).root) == dump(result.root)
