"""Expressions in kro's environment: their types, or the errors of the type checker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kro_ls.cel.syntax.parser import line_and_column
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import Environment
from kro_ls.kro.environment import base_environment, parse
from tests.conformance.comparison import Comparison, cases
from tests.conformance.schemas import schemas
from tests.fixtures.declared_variables import declare_variables


@lru_cache(maxsize=4)
def environment(directory: Path) -> Environment:
    """Return the environment that `cel/environment.json` describes."""
    described = json.loads((directory / "cel" / "environment.json").read_text(encoding="utf-8"))
    declared = dict(described["schemas"])
    for variable, name in described["kinds"].items():
        api_version, _, kind = name.rpartition("/")
        found = schemas(directory).find_api_version(api_version, kind)
        if found is not None:
            declared[variable] = found.schema
    return declare_variables(base_environment(), declared)


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare `cel/expressions.jsonl`: the type, or the line, column and message of every error of the checker."""
    for case in cases(file):
        if case.get("parseErrors"):
            continue
        expression = case["expression"]
        result = check(parse(expression).root, environment(directory))
        wanted = case.get("checkErrors") or []
        places = [(*line_and_column(expression, each.position), each.message) for each in result.errors]
        found = [{"line": line, "column": column, "message": message} for line, column, message in places]
        yield Comparison("check: errors", expression, found == wanted, f"ours {found}, kro's {wanted}")
        if not wanted:
            yield Comparison("check: type", expression, str(result.type) == case["type"], f"ours {result.type}")
