"""Operators, names, selection, optionals, loops: what each gives, and the place of what fails."""

import pytest

from kro_ls.cel.evaluation.costs import Budget, BudgetError
from kro_ls.cel.evaluation.dispatch import implementation
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import Duration, EvaluationError, KeyedMap, Timestamp, UInt, Value
from tests.cel.evaluation.support import evaluate, failure
from tests.cel.support import LIBRARIES, parse

COMPILED = {"or", "orValue", "cel.@mapInsert"}


def documentation_examples() -> list[str]:
    declared = [*LIBRARIES.functions.values()]
    documentation = [each for function in declared for each in function.documentation]
    documentation += [macro.documentation for macro in LIBRARIES.macros.values()]
    return sorted({each.example for each in documentation if each.example})


@pytest.mark.parametrize("example", documentation_examples())
def test_examples_of_the_documentation_are_true(example: str) -> None:
    assert evaluate(example) is True


def test_every_overload_is_implemented() -> None:
    for function in LIBRARIES.functions.values():
        if function.name in COMPILED or (function.is_internal and function.name != "@sortByAssociatedKeys"):
            continue
        for overload in function.overloads:
            called, *_ = implementation(LIBRARIES, overload)
            assert callable(called)


@pytest.mark.parametrize(
    "expression",
    [
        "dyn(1) == 1.0 && dyn(1u) == 1 && dyn(1.0) == 1u",
        "dyn(1) != '1' && dyn(1) != true && dyn(null) != 0",
        "double('NaN') != double('NaN')",
        "[dyn(1), [2.0]] == [dyn(1u), [2]]",
        "{'a': dyn(1)} == {'a': dyn(1.0)} && {'a': 1} != {'b': 1}",
        "dyn([true]) != dyn([1])",
        "-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1",
        "1.0 / 0.0 == double('inf') && -1.0 / 0.0 == double('-inf')",
        "-9223372036854775808 < 9223372036854775807",
        "'b' > 'a' && b'b' > b'a' && true > false",
        "duration('1m') < duration('1h') && timestamp(0) < timestamp(1)",
        "-dyn(duration('1s')) == duration('-1s')",
        "timestamp(0) + duration('1s') == timestamp(1) && timestamp(5) - timestamp(3) == duration('2s')",
        "2 in [1, 2] && !(3 in [1, 2]) && 'a' in {'a': 1} && dyn(1.0) in {1: 'x'}",
        "false && 1 / 0 == 1 || true",
        "!(1 / 0 == 1 && false) && (1 / 0 == 1 || true)",
        "[0, 1].exists(x, 1 / x == 1) && ![1, 0].all(x, 1 / x == 2)",
        "[1, 2, 2].exists_one(x, x == 1) && ![1, 2, 2].exists_one(x, x == 2)",
        "{'a': 1, 'b': 2}.map(k, k) == ['a', 'b']",
        "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
        "[1, 2].map(x, [3, 4].map(y, x * y)) == [[3, 4], [6, 8]]",
        "[[1], [2, 3]].map(x, x.map(x, x + 1)) == [[2], [3, 4]]",
        "[1, 2].transformMap(i, v, v > 1, v) == {1: 2}",
        "cel.bind(x, 1 / 0, true)",
        "cel.bind(x, [1, 2], x + x).size() == 4",
        "[1, 2].map(x, cel.bind(y, x * 2, y + y)) == [4, 8]",
        "{'a': {'b': 1}}.?a.b.value() == 1 && !{'a': {'b': 1}}.?x.b.hasValue()",
        "{'a': [1]}.?a[0].value() == 1 && !{'a': [1]}.?a[3].hasValue()",
        "!dyn(null).?a.hasValue() && !dyn(1).?a.hasValue()",
        "[1][?2].orValue(7) == 7 && {'a': 1}[?'a'].value() == 1",
        "has({'a': 1}.a) && !has({'a': 1}.b) && !has(dyn(1).a)",
        "{?'a': optional.of(1), ?'b': optional.none()} == {'a': 1}",
        "[?optional.of(1), ?optional.none(), 2] == [1, 2]",
        "optional.of(1) == optional.of(1) && optional.none() != optional.of(1) && optional.none() == optional.none()",
        "optional.of(1).or(optional.of(1 / 0)).value() == 1 && optional.of(1).orValue(1 / 0) == 1",
        "[optional.of(1), optional.none()].unwrapOpt() == [1]",
        "{true: 'a', false: 'b'}[true] == 'a' && {dyn(true): 'a', dyn(1): 'b'}.size() == 2",
        "{'a': 1, 'a': 2}.a == 2",
        "type(1) == type(2) && type(1) != type(1u) && type({}) == type({'a': 1})",
    ],
)
def test_is_true(expression: str) -> None:
    assert evaluate(expression) is True


@pytest.mark.parametrize(
    ("expression", "message", "failing"),
    [
        ("1 + (2 / 0)", "division by zero", "2 / 0"),
        ("1 % 0 == 1", "modulus by zero", "1 % 0"),
        ("[9223372036854775807 + 1]", "integer overflow", "9223372036854775807 + 1"),
        ("-(-9223372036854775808)", "integer overflow", "-(-9223372036854775808)"),
        ("-9223372036854775808 / -1", "integer overflow", "-9223372036854775808 / -1"),
        ("0u - 1u", "unsigned integer overflow", "0u - 1u"),
        ("{'a': 1}.b + 1", "no such key: b", "{'a': 1}.b"),
        ("size({'a': {}}.a.b)", "no such key: b", "{'a': {}}.a.b"),
        ("[1][3]", "index out of bounds: 3", "[1][3]"),
        ("[1][dyn('a')]", "unsupported index type 'string' in list", "[1][dyn('a')]"),
        ("[1][dyn(1.5)]", "unsupported index value 1.5 in list", "[1][dyn(1.5)]"),
        ("dyn(1) + 'a'", "no such overload", "dyn(1) + 'a'"),
        ("dyn(null) > 1", "no such overload: _>_", "dyn(null) > 1"),
        ("1 > dyn(null)", "no such overload", "1 > dyn(null)"),
        ("dyn(true) + dyn(true)", "no such overload: _+_", "dyn(true) + dyn(true)"),
        ("dyn('a') - dyn('a')", "no such overload", "dyn('a') - dyn('a')"),
        ("-dyn([1])", "no such overload: -_", "-dyn([1])"),
        ("dyn(1) in dyn(1)", "no such overload", "dyn(1) in dyn(1)"),
        ("dyn(1) ? 1 : 2", "no such overload", "dyn(1) ? 1 : 2"),
        ("!dyn(1)", "no such overload", "!dyn(1)"),
        ("true && dyn(1)", "no such overload", "true && dyn(1)"),
        ("1 / 0 == 1 && true", "division by zero", "1 / 0"),
        ("dyn([1]).startsWith('a')", "no such overload: startsWith(list, string)", "dyn([1]).startsWith('a')"),
        ("string(dyn(null))", "no such overload: string(null_type)", "string(dyn(null))"),
        ("dyn([1, 'a']).join()", "no such overload: join(list)", "dyn([1, 'a']).join()"),
        ("[0, 1].map(x, 1 / x)", "division by zero", "1 / x"),
        ("[0, 1].all(x, 1 / x == 1)", "division by zero", "1 / x"),
        ("dyn(1).map(x, x)", "got 'int', expected iterable type", "dyn(1)"),
        ("[1, 1].transformMapEntry(i, v, {v: i})", "insert failed: key 1 already exists", ""),
        ("optional.none().value()", "optional.none() dereference", "optional.none().value()"),
        ("[?dyn(1)]", "cannot initialize optional list element from non-optional value 1", "dyn(1)"),
        ("type(1) == int", "reference to undefined type: int", "int"),
    ],
)
def test_fails_at(expression: str, message: str, failing: str) -> None:
    error = failure(expression)
    assert error.message == message
    assert expression[error.start : error.end] == (failing or expression)


def test_a_missing_variable_fails_where_it_is_read() -> None:
    error = failure_without("a.b || true", "a.?b.hasValue()")
    assert [each and each.message for each in error] == [None, "no such attribute(s): a"]


def failure_without(*texts: str) -> list[EvaluationError | None]:
    found: list[EvaluationError | None] = []
    for text in texts:
        try:
            compile_program(parse(text).root, LIBRARIES).evaluate({})
            found.append(None)
        except EvaluationError as error:
            found.append(error)
    return found


def test_without_a_check_functions_are_found_by_their_full_names() -> None:
    program = compile_program(parse("json.encode(a.b) + string(lists.range(2).size())").root, LIBRARIES)
    assert program.evaluate({"a": {"b": 1}}) == "12"


@pytest.mark.parametrize("text", ["", "a.", "1 +", "f(", "unknown(1)", "x.unknown()", "T{a: 1}", "has(a)"])
def test_an_expression_that_is_not_a_program_fails_when_it_runs(text: str) -> None:
    with pytest.raises(EvaluationError):
        compile_program(parse(text).root, LIBRARIES).evaluate({"x": 1})


@pytest.mark.parametrize(
    "expression",
    [
        "lists.range(1000000).map(x, lists.range(1000000).map(y, x * y))",
        "lists.range(100).map(a, lists.range(100).map(b, lists.range(100).map(c, lists.range(100).map(d, 1))))",
        "lists.range(1000000).all(x, lists.range(1000000).all(y, true))",
        "lists.range(2).map(x, '" + "a" * 1000 + "'.replace('', '" + "b" * 1000 + "')).size()",
        "lists.range(140).map(x, '"
        + "a" * 10000
        + "').join('').size() + lists.range(140).map(x, '"
        + "a" * 10000
        + "').join('').size()",
        "'" + "a" * 3000 + "'.findAll('a*?b|a').size()",
        "lists.range(1000).map(x, 'a'.matches('(a{500}){2}' + string(x)))",
    ],
)
def test_too_much_work_is_stopped(expression: str) -> None:
    with pytest.raises(BudgetError, match="takes more than 100000 steps"):
        evaluate(expression, Budget(100_000))


def test_without_a_budget_there_is_one() -> None:
    assert "takes more than 5000000 steps" in failure("lists.range(900000).map(x, x + 1 + 2).size()").message


def test_a_text_has_a_largest_size() -> None:
    error = failure("'" + "a" * 1000 + "'.replace('', '" + "b" * 10000 + "')")
    assert error.message == "evaluation stopped: a text would have more than 1572864 characters"


def doubled(start: str, step: str, times: int) -> str:
    text = start
    for number in range(times):
        text = f"cel.bind(x{number}, {text}, {step.format(f'x{number}')})"
    return text


@pytest.mark.parametrize(
    "expression",
    [
        doubled("'ab'", "{0} + {0}", 40),
        doubled("[1]", "{0} + {0}", 40),
        f"'%s'.format([{doubled('[1]', '[{0}, {0}]', 40)}])",
        f"json.encode({doubled('[1]', '[{0}, {0}]', 40)})",
        f"dyn({doubled('[dyn(1)]', '[dyn({0}), dyn({0})]', 40)}).flatten(50)",
        f"{doubled('[1]', '[{0}, {0}]', 40)} == {doubled('[1]', '[{0}, {0}]', 40)}",
    ],
)
def test_doubling_values_are_stopped(expression: str) -> None:
    with pytest.raises(BudgetError):
        evaluate(expression, Budget(100_000))


def test_a_budget_is_shared_and_nothing_absorbs_its_error() -> None:
    budget = Budget(300)
    assert evaluate("lists.range(60).size()", budget) == 60
    with pytest.raises(BudgetError):
        evaluate("true || lists.range(60).size() == 1 ? lists.range(60).exists(x, x > 70) || true : false", budget)


def test_deep_values_fail_with_a_message() -> None:
    value: Value = 1
    for _ in range(100_000):
        value = [value]
    error = failure("json.encode(v)", v=value)
    assert "nested too deeply" in error.message


def test_values_are_plain() -> None:
    assert evaluate("[1, 2u, 1.5, 'a', b'b', true, null]") == [1, UInt(2), 1.5, "a", b"b", True, None]
    assert type(evaluate("2u")) is UInt
    assert evaluate("{'a': 1}") == {"a": 1}
    assert isinstance(evaluate("{true: 1}"), KeyedMap)
    assert evaluate("duration('1s')") == Duration(10**9)
    assert evaluate("timestamp('1970-01-01T01:00:00+01:00')") == Timestamp(0, 3600)
