"""The variable `runtime`: the macro `newCondition`, and the types of conditions."""

import pytest

from kro_ls.cel.syntax.ast import Call, Hole, MacroCall
from kro_ls.cel.types.check_result import CheckResult
from kro_ls.cel.types.checker import check
from kro_ls.kro.environment import base_environment, parse
from tests.cel.syntax.unparse import dump


def test_the_keys_of_a_new_condition_become_strings() -> None:
    root = parse('runtime.newCondition({type: "T", status: s})').root
    assert isinstance(root, MacroCall)
    fields = "map(string:'type' => string:'T', string:'status' => name:s)"
    assert dump(root.expansion) == f"method:newCondition(name:runtime, {fields})"


def test_another_receiver_has_no_macro() -> None:
    assert isinstance(parse("other.newCondition({})").root, Call)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("runtime.newCondition(x)", 22, "runtime.newCondition: argument must be a map literal"),
        (
            'runtime.newCondition({"type": t})',
            23,
            (
                "runtime.newCondition: keys must be bare identifiers (type, status, reason, message);"
                " quoted or computed keys are not allowed"
            ),
        ),
        (
            "runtime.newCondition({kind: t})",
            23,
            'runtime.newCondition: unknown key "kind" (allowed: type, status, reason, message)',
        ),
        ("runtime.newCondition({type: t, type: t})", 32, 'runtime.newCondition: duplicate key "type"'),
        ("runtime.newCondition({status: s})", 22, "runtime.newCondition: 'type' is required"),
        ("runtime.newCondition({type: t})", 22, "runtime.newCondition: 'status' is required"),
    ],
)
def test_wrong_arguments(text: str, column: int, message: str) -> None:
    result = parse(text)
    assert [(error.line, error.column, error.message) for error in result.errors] == [(1, column, message)]
    assert isinstance(result.root, MacroCall)
    assert isinstance(result.root.expansion, Hole)


def checked(text: str) -> CheckResult:
    return check(parse(text).root, base_environment())


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("runtime", "kro.run.Runtime"),
        ("kro.run.Condition", "type(kro.run.Condition)"),
        ("runtime.newCondition({type: 'a', status: 1}).reason", "string"),
        ("runtime.condition({}, 'Ready')", "kro.run.Condition"),
    ],
)
def test_types(text: str, type_: str) -> None:
    result = checked(text)
    assert str(result.type) == type_
    assert result.errors == ()


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("runtime.x", 8, "unexpected failed resolution of 'kro.run.Runtime'"),
        ("runtime.condition({}, 'a').x", 27, "undefined field 'x'"),
    ],
)
def test_errors(text: str, column: int, message: str) -> None:
    (error,) = checked(text).errors
    assert (error.position + 1, error.message) == (column, message)
