"""Expressions in kro's environment and in the CEL specification's tests: their values, if they have one."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.operators import equal
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError, TypeValue, UInt, Value, make_map, type_name
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import Environment
from kro_ls.cel.types.types import DURATION, DYN, NAMED_TYPES, TIMESTAMP, optional_type, parse_type
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from tests.conformance.cel_checks import environment
from tests.conformance.comparison import Case, Comparison, cases, first_difference


@lru_cache(maxsize=4)
def _variables(directory: Path) -> dict[str, Value]:
    described = json.loads((directory / "cel" / "environment.json").read_text(encoding="utf-8"))
    variables: dict[str, Value] = described["vars"]
    return variables


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare `cel/expressions.jsonl`: the value as JSON, or that its evaluation or conversion fails."""
    for case in cases(file):
        if case.get("parseErrors") or case.get("checkErrors"):
            continue
        expression = case["expression"]
        root = parse(expression).root
        program = compile_program(root, LIBRARIES, check(root, environment(directory)))
        try:
            value = program.evaluate(_variables(directory))
            # The recorder wrote bytes as base64, but kro itself refuses them.
            ours: Any = to_json(value, for_text=True)
        except EvaluationError as error:
            agrees = "evalError" in case or bool(case.get("varies"))
            yield Comparison(_field(case), expression, agrees, f"ours: {error.message}; kro's: {_wanted(case)}")
            continue
        wanted = case["values"] if "values" in case else [case["value"]] if "value" in case else []
        agrees = any(first_difference(ours, each) is None for each in wanted) or bool(case.get("varies"))
        yield Comparison(_field(case), expression, agrees, f"ours {ours!r}, kro's {_wanted(case)}")


def _field(case: Case) -> str:
    return "evaluate: error" if "evalError" in case else "evaluate: value"


def _wanted(case: Case) -> str:
    return str(case.get("evalError", case.get("value", case.get("values"))))


def compare_spec(_directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare a file of `cel-spec/`: the value of every case, or that there is none."""
    for number, case in enumerate(cases(file)):
        name = f"{number}: {case['name']}: {case['expr']}"
        field = "evaluate: error" if "error" in case else "evaluate: value"
        if "value" not in case and "error" not in case:
            continue
        try:
            ours = _evaluate_spec(case)
        except EvaluationError as error:
            yield Comparison(field, name, "error" in case, error.message)
            continue
        wanted = None if "error" in case else value_of(case["value"])
        agrees = "error" not in case and same(ours, wanted)
        yield Comparison(field, name, agrees, f"ours {ours!r}, not {wanted!r}")


def _evaluate_spec(case: Case) -> Value:
    expression = case["expr"]
    parsed = parse(expression)
    if parsed.errors:
        raise EvaluationError(parsed.errors[0].message)
    checked = check(parsed.root, _spec_environment(case))
    if checked.errors and not case.get("disableCheck"):
        raise EvaluationError(checked.errors[0].message)
    bindings = {name: value_of(value) for name, value in (case.get("bindings") or {}).items()}
    # Unchecked expressions have names as well, unless the types do not match.
    program = compile_program(parsed.root, LIBRARIES, None if checked.errors else checked)
    return program.evaluate({**_TYPES, **bindings})


_TYPE_NAMES = {
    **base_environment().type_names,
    **{name: NAMED_TYPES[name] for name in ("net.IP", "net.CIDR", "type", TIMESTAMP.name, DURATION.name)},
    "optional_type": optional_type(DYN),
}
_TYPES: dict[str, Value] = {name: TypeValue(type_.name) for name, type_ in _TYPE_NAMES.items()}


def _spec_environment(case: Case) -> Environment:
    variables = {entry["name"]: parse_type(entry["type"]) for entry in case.get("typeEnv") or ()}
    return Environment(
        LIBRARIES,
        variables=variables,
        structs=LIBRARIES.structs,
        type_names=_TYPE_NAMES,
        container=case.get("container", ""),
    )


def value_of(tagged: Any) -> Value:
    """Return the value that is written with its type in the data, such as `{"int": 1}`."""
    if not isinstance(tagged, dict):
        return tagged
    ((kind, content),) = tagged.items()
    match kind:
        case "int":
            return int(content)
        case "uint":
            return UInt(content)
        case "double":
            return float(content)
        case "bytes":
            return base64.b64decode(content)
        case "list":
            return [value_of(each) for each in content]
        case "map":
            return make_map((value_of(key), value_of(value)) for key, value in content)
        case "type":
            return TypeValue(content)
        case _:
            return content


def same(ours: Value, wanted: Value) -> bool:
    """Return whether two values have the same type and are equal; here NaN equals NaN."""
    if isinstance(ours, float) and isinstance(wanted, float) and math.isnan(ours):
        return math.isnan(wanted)
    return type_name(ours) == type_name(wanted) and equal(ours, wanted, Budget())
