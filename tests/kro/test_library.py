"""kro's own functions: edge cases of their values and what they say when they fail."""

import pytest

from kro_ls.cel.evaluation.costs import Budget, BudgetError
from kro_ls.kro.conversion import OMIT, Condition
from kro_ls.kro.environment import LIBRARIES
from tests.cel.evaluation.support import Evaluator

_evaluator = Evaluator(LIBRARIES)
evaluate, failure = _evaluator.evaluate, _evaluator.failure


@pytest.mark.parametrize(
    "expression",
    [
        "lists.insertAtIndex([1], 1, 2) == [1, 2]",
        "lists.setAtIndex([1, 2], 0, 5) == [5, 2]",
        "lists.removeAtIndex([1], 0) == []",
        "json.marshal({'b': 9007199254740993, 'a': duration('1h')}) == '{\"a\":\"1h0m0s\",\"b\":9007199254740993}'",
        "json.marshal([1.0, 1e21, 1e-7, 0.000001, -0.0, 2u]) == '[1,1e+21,1e-7,0.000001,-0,2]'",
        r"""json.marshal('<&>\u2028') == '"\\u003c\\u0026\\u003e\\u2028"'""",
        r"""json.marshal('"\\\n\u0001') == '"\\"\\\\\\n\\u0001"'""",
        "json.marshal([optional.none(), optional.of(1)]) == '[null,1]' && json.marshal(b'hi') == '\"aGk=\"'",
        "json.marshal(timestamp('2024-01-02T03:04:05.9+01:00')) == '\"2024-01-02T02:04:05Z\"'",
        "json.unmarshal('{\"a\": [1, \"x\", null, true]}') == {'a': [1.0, 'x', null, true]}",
        "json.unmarshal('\"\\\\ud800\"') == '\\ufffd'",
        "base64.encode(hash.fnv64a('hello')) == 'pDDYRoCqvQs='",
        "hash.md5('').size() == 16",
        "hash.sha256('').size() == 32",
        "hash.sha256('\ud83d').size() == 32 && random.seededInt(1, 2, '\ud83d') == 1",
        "random.seededString(10, 'seed') == 'qakd42wvqa' && random.seededInt(30000, 32768, 'uid') == 31116",
        "random.seededString(3, 'seed') == 'qak'",
        "{'a': 1}.merge({}) == {'a': 1} && {1: 'a'}.merge({1: 'b'}) == {1: 'b'}",
        "{'a': {'x': 1, 'y': [1]}, 'b': 1}.deepMerge({'a': {'y': [2]}, 'b': {}}) == {'a': {'x': 1, 'y': [2]}, 'b': {}}",
        "runtime.condition({}, 'Ready').status == ''",
        "runtime.newCondition({type: 'A', status: 'True', message: 'm'}).message == 'm'",
    ],
)
def test_is_true(expression: str) -> None:
    assert evaluate(expression) is True


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("lists.setAtIndex([1], 1, 2)", "lists.setAtIndex: index 1 out of bounds [0, 1)"),
        ("lists.insertAtIndex([1], 2, 2)", "lists.insertAtIndex: index 2 out of bounds [0, 1]"),
        ("json.marshal({1: 2})", "json.marshal failed to convert value: map key must be string, got int64"),
        ("json.marshal(quantity('1'))", "json.marshal failed to convert value: unsupported type: kubernetes.Quantity"),
        ("json.marshal(double('NaN'))", "json.marshal failed to encode value: json: unsupported value: NaN"),
        ("json.unmarshal('')", "json.unmarshal failed to parse JSON: unexpected end of JSON input"),
        ("json.unmarshal('NaN')", "json.unmarshal failed to parse JSON: "),
        ("json.unmarshal('[' + '1' + ']').a", "unsupported index type 'string' in list"),
        ("json.unmarshal('1') + 1", "no such overload"),
        ("random.seededString(0, 'a')", "random.seededString length must be positive"),
        ("random.seededInt(1, 1, 'a')", "random.seededInt min must be less than max"),
        ("dyn(1).deepMerge({})", "no such overload"),
    ],
)
def test_fails(expression: str, message: str) -> None:
    error = failure(expression)
    assert message in error.message
    assert 0 <= error.start < error.end <= len(expression)


@pytest.mark.parametrize(
    ("expression", "message", "failing"),
    [
        ("omit() == 1", "omit() is a field-removal sentinel and cannot be compared", "omit() == 1"),
        ("runtime.newCondition({type: '', status: 'True'})", "runtime.newCondition: type must not be empty", ""),
        (
            "runtime.newCondition({type: 'a', status: 'Yes'})",
            'runtime.newCondition: status must be one of True, False, Unknown (got "Yes")',
            "",
        ),
        (
            "runtime.newCondition({type: 'a', status: 1})",
            "no such overload: newCondition(kro.run.Runtime, map)",
            "",
        ),
        ("runtime.condition(1, 'a')", "runtime.condition: obj must be an object, got int", ""),
    ],
)
def test_fails_at(expression: str, message: str, failing: str) -> None:
    error = failure(expression)
    assert error.message == message
    assert expression[error.start : error.end] == (failing or expression)


def test_values_of_its_own() -> None:
    assert evaluate("omit()") is OMIT
    assert evaluate("runtime.newCondition({type: 'A', status: 'True'})") == Condition("A", "True")


def test_the_marker_of_omit_is_not_json() -> None:
    message = "json.marshal failed to encode value: json: unsupported value: omit()"
    assert failure("json.marshal([omit()])").message == message


@pytest.mark.parametrize("expression", ["random.seededString(90000, 'a')", "json.marshal([lists.range(100)])"])
def test_too_much_work_is_stopped(expression: str) -> None:
    with pytest.raises(BudgetError, match="takes more than 150 steps"):
        evaluate(expression, Budget(150))


def test_deep_values_fail_with_a_message() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert "nested too deeply" in failure("json.marshal(v)", v=value).message
