"""The recorded answers of real kro (types and check errors), and the types of the CEL specification's tests."""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from kro_ls.cel.syntax.parser import line_and_column
from kro_ls.cel.types import types
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import TYPE_NAMES, Environment
from kro_ls.cel.types.types import Kind, Type, parse_type
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from tests.fixtures.declared_variables import declare_variables
from tests.paths import CONFORMANCE, needs_conformance

pytestmark = needs_conformance

KUBERNETES_OF_THE_DATA = "1.36"

SPECIFICATION_DIFFERS = {
    # cel-go joins a nullable type and null to null ("the less specific wins, ties go to the last"), and kro is cel-go.
    "[optional.of(1), null][0]",
}


def cases(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@lru_cache(maxsize=1)
def environment() -> Environment:
    described = json.loads((CONFORMANCE / "cel" / "environment.json").read_text(encoding="utf-8"))
    index = schema_index(kubernetes(KUBERNETES_OF_THE_DATA))
    schemas = dict(described["schemas"])
    for variable, name in described["kinds"].items():
        api_version, _, kind = name.rpartition("/")
        found = index.find_api_version(api_version, kind)
        assert found is not None, name
        schemas[variable] = found.schema
    return declare_variables(base_environment(), schemas)


def test_types_and_errors_are_those_of_kro(capsys: pytest.CaptureFixture[str]) -> None:
    agreeing = total = 0
    differences = []
    for case in cases(CONFORMANCE / "cel" / "expressions.jsonl"):
        if "parseErrors" in case:
            continue
        total += 1
        text = case["expression"]
        result = check(parse(text).root, environment())
        places = [(*line_and_column(text, error.position), error.message) for error in result.errors]
        errors = [{"line": line, "column": column, "message": message} for line, column, message in places]
        wanted = case.get("checkErrors") or []
        if errors == wanted and (wanted or str(result.type) == case["type"]):
            agreeing += 1
        else:
            differences.append(f"{text}: {result.type} {errors}, kro: {case.get('type')} {wanted}")
    with capsys.disabled():
        print(f"\ncel/expressions.jsonl: {agreeing} of {total} types and check errors agree")
    assert not differences, "\n".join(differences)


TYPES_OF_VALUES = {
    **{tag: parse_type(tag) for tag in ("bool", "int", "uint", "double", "string", "bytes")},
    "null": types.NULL,
    "timestamp": types.TIMESTAMP,
    "duration": types.DURATION,
}
KINDS_OF_VALUES = {"list": Kind.LIST, "map": Kind.MAP, "type": Kind.TYPE, "optional": Kind.OPAQUE}


def suits(deduced: Type, value: dict[str, Any]) -> bool:
    """Return whether the deduced type can be that of the value."""
    (tag, content), *_ = value.items()
    if deduced.is_dynamic:
        return True
    if tag in KINDS_OF_VALUES:
        if deduced.kind is not KINDS_OF_VALUES[tag]:
            return False
        return tag != "list" or all(suits(deduced.parameters[0], element) for element in content)
    if tag == "null":
        return deduced.kind in {Kind.NULL, Kind.STRUCT, Kind.OPAQUE}
    return tag not in TYPES_OF_VALUES or deduced.accepts(TYPES_OF_VALUES[tag])


def spec_environment(case: dict[str, Any]) -> Environment:
    """Return the environment of a case; the specification also names types that kro's expressions cannot name."""
    more = {"type": types.TYPE, "net.IP": types.IP, "net.CIDR": types.CIDR}
    return Environment(
        LIBRARIES,
        variables={variable["name"]: parse_type(variable["type"]) for variable in case.get("typeEnv") or []},
        type_names={**TYPE_NAMES, **more, "optional_type": types.optional_type(types.DYN)},
        container=case.get("container") or "",
    )


def test_expressions_of_the_specification_check(capsys: pytest.CaptureFixture[str]) -> None:
    agreeing = total = 0
    differences = []
    for file in sorted((CONFORMANCE / "cel-spec").glob("*.jsonl")):
        for case in cases(file):
            text = case["expr"]
            if case.get("disableCheck") or "error" in case or text in SPECIFICATION_DIFFERS:
                continue
            total += 1
            result = check(parse(text).root, spec_environment(case))
            right = not result.errors and ("value" not in case or suits(result.type, case["value"]))
            if right and ("type" not in case or str(result.type) == case["type"]):
                agreeing += 1
            else:
                messages = [error.message for error in result.errors]
                differences.append(f"{file.name} {text}: {result.type} {messages}, wanted {case}")
    with capsys.disabled():
        print(f"\ncel-spec: {agreeing} of {total} expressions check as specified")
    assert not differences, "\n".join(differences)
