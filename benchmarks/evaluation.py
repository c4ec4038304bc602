"""Evaluations per second of small expressions, compiled once, on plain data and on data read with their schema.

Run: python -m benchmarks.evaluation
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.report import Row, show, wants_json
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.types.checker import check
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from kro_ls.openapi.cel_types import declare_variables
from kro_ls.openapi.cel_values import wrap

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

ROUNDS = 5
EVALUATIONS = 20_000
EXPRESSIONS = (
    "schema.spec.replicas > 1",
    "schema.spec.name + '-config'",
    "schema.spec.name == 'web' && schema.spec.replicas >= 3",
    "'web-' + string(schema.spec.replicas)",
    "schema.spec.?name.orValue('x')",
    "has(schema.spec.name) ? schema.spec.name : 'x'",
    "schema.spec.tags.map(x, x + 'a')",
)
STRING: JsonObject = {"type": "string"}
SPEC: JsonObject = {"name": STRING, "replicas": {"type": "integer"}, "tags": {"type": "array", "items": STRING}}
SCHEMA: JsonObject = {"type": "object", "properties": {"spec": {"type": "object", "properties": SPEC}}}
INSTANCE: JsonObject = {"spec": {"name": "web", "replicas": 3, "tags": ["a", "b", "c"]}}


def measure(expression: str, instance: object) -> int:
    """The most evaluations per second of several rounds."""
    root = parse(expression).root
    checked = check(root, expression, declare_variables(base_environment(), {"schema": SCHEMA}))
    assert not checked.errors
    evaluate = compile_program(root, LIBRARIES, checked).evaluate
    variables = {"schema": instance}
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(EVALUATIONS):
            evaluate(variables)
        shortest = min(shortest, time.perf_counter() - start)
    return round(EVALUATIONS / shortest)


def main() -> None:
    """Print the numbers."""
    as_json = wants_json(__doc__)
    rows: list[Row] = [
        {
            "expression": expression,
            "plain data, per second": measure(expression, INSTANCE),
            "with a schema, per second": measure(expression, wrap(INSTANCE, SCHEMA)),
        }
        for expression in EXPRESSIONS
    ]
    show(rows, as_json)


if __name__ == "__main__":
    main()
