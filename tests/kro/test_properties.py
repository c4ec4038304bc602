"""Whatever the expression and the values, evaluation gives a value or an EvaluationError, and soon."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.operators import equal
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError, Value
from kro_ls.cel.syntax.ast import Node
from kro_ls.cel.types.check_result import CheckResult
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN, list_type, map_type, parse_type
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from tests.fixtures.examples import MANY
from tests.kro.test_library import evaluate

TOKENS = [
    *(
        "a",
        "s",
        "x",
        "y",
        "runtime",
        "1",
        "2u",
        "1.5",
        "'t'",
        "null",
        "true",
        "b'b'",
        "d",
        "t",
        "-1",
        "9000000000000000000",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "%",
        "==",
        "<",
        "&&",
        "||",
        "!",
        "?",
        ":",
        ".",
        ".?",
        ",",
        "(",
        ")",
        "[",
        "[?",
        "]",
        "{",
        "}",
    ),
    *(".map(x,", ".filter(x,", ".all(i, x,", ".exists(x,", ".sortBy(x,", "has(", ".optMap(y,", ".transformMap(x, y,"),
    *("cel.bind(x,", "'%s %d'.format([", "size(", "json.marshal(", ".size()", "dyn(", " in ", "optional.of(", "type("),
]
ENVIRONMENT = base_environment().extend(
    {
        "a": list_type(DYN),
        "s": parse_type("string"),
        "x": map_type(parse_type("string"), DYN),
        "y": DYN,
        "d": parse_type("google.protobuf.Duration"),
        "t": parse_type("google.protobuf.Timestamp"),
    }
)
VARIABLES: dict[str, Value] = {
    "a": [1, "b", None, [2.5], {"k": True}],
    "s": "text",
    "x": {"k": 1, "l": [1]},
    "y": {"n": None},
    "d": evaluate("duration('1h')"),
    "t": evaluate("timestamp('2024-01-02T03:04:05Z')"),
}
ARGUMENTS = [
    *("a", "s", "x", "y", "d", "t", "0", "-1", "3", "9223372036854775807", "-9223372036854775808", "2u", "1.5", "0.0"),
    *("double('NaN')", "double('inf')", "''", "'a,b'", "'[a'", "'(a*)*b'", "'1Gi'", "'10.0.0.0/8'", "'::1'", "'%d%s'"),
    *("'2024-01-02T03:04:05Z'", "'1h'", "'Europe/Berlin'", "'+02:00'", "'https://a:80/p?q=1'", "'1.2.3-rc.1+b'"),
    *("b'\\xff'", "null", "true", "[]", "{}", "[1, 2]", "['a']", "[[1], [2]]", "{'a': 1}", "{1: 2}", "{true: 1}"),
    *("optional.none()", "optional.of(1)", "type(1)", "quantity('1.5Ki')", "ip('1.2.3.4')", "cidr('fe80::/10')"),
    *("semver('1.0.0')", "url('/p')", "omit()", "runtime", "runtime.condition({}, '')", "'\\ud7ff'", "'{\"a\": 1}'"),
]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def run(text: str) -> None:
    root = parse(text).root
    checked = check(root, ENVIRONMENT)
    for known in (checked, None):
        error = failure_of(root, known)
        assert error is None or (error.message and error.start <= error.end <= len(text))


def failure_of(root: Node, known: CheckResult | None) -> EvaluationError | None:
    try:
        to_json(compile_program(root, LIBRARIES, known).evaluate(VARIABLES, Budget(20_000)), Budget(20_000))
    except EvaluationError as error:
        return error
    return None


@MANY
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_evaluates_any_tree(text: str) -> None:
    run(text)


@settings(max_examples=5 * len(LIBRARIES.functions))
@given(
    st.sampled_from(sorted(LIBRARIES.functions)),
    st.lists(st.sampled_from(ARGUMENTS), min_size=1, max_size=4),
    st.booleans(),
)
def test_every_function_takes_any_arguments(name: str, arguments: list[str], is_method: bool) -> None:
    first, *rest = arguments if is_method else ["", *arguments]
    run(f"dyn({first}).{name}({', '.join(rest)})" if is_method else f"{name}({', '.join(rest)})")


@MANY
@given(JSON)
def test_json_text_reads_as_what_was_written(value: Value) -> None:
    assert evaluate("json.unmarshal(json.marshal(v))", v=value) == as_doubles(value)


def as_doubles(value: Value) -> Value:
    match value:
        case bool():
            return value
        case int():
            return float(value)
        case list():
            return [as_doubles(each) for each in value]
        case dict():
            return {key: as_doubles(each) for key, each in value.items()}
        case _:
            return value


@MANY
@given(JSON)
def test_plain_data_stay_as_they_are(value: Value) -> None:
    assert to_json(value) == value
    assert equal(value, value, Budget())
