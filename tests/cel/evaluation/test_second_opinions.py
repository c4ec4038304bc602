"""Two other implementations of CEL asked the same: cel-python on the core, cel-expr-python also on extensions.

Each is skipped where it is not installed. Where one of them answers otherwise, `DIFFERENT` says who is right and why.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

import pytest

from kro_ls.cel.evaluation.values import Duration, EvaluationError, Timestamp, TypeValue, Value
from tests.cel.evaluation.support import evaluate

CORE = """
1 + 2 * 3 - 4
7 / 2
-7 / 2
-7 % 3
7 % -3
1.5 * 2.0
1.0 / 0.0
1 / 0
1 % 0
9223372036854775807 + 1
-9223372036854775808 - 1
18446744073709551615u + 1u
0u - 1u
5u * 3u
'a' + 'b'
b'a' + b'b'
[1] + [2, 3]
1 == 1 && 1 != 2
1 < 2 || 1 / 0 == 1
1 / 0 == 1 || true
false && 1 / 0 == 1
1 / 0 == 1 && true
true ? 1 : 1 / 0
!(1 > 2)
'abc' < 'abd'
2 in [1, 2, 3]
'a' in {'a': 1}
{'a': 1}['a']
{'a': 1}['b']
{'a': {'b': [1, 2]}}.a.b[1]
[1, 2][2]
has({'a': 1}.a)
has({'a': 1}.b)
size('tea') + size([1, 2]) + size({'a': 1}) + size(b'abcd')
'hello'.contains('ell') && 'hello'.startsWith('he') && 'hello'.endsWith('lo')
'hello'.matches('l+o$')
[1, 2, 3].all(x, x > 0)
[1, 2, 3].exists(x, x > 2)
[1, 2, 3].exists_one(x, x > 2)
[1, 2, 3].map(x, x * x)
[1, 2, 3].filter(x, x % 2 == 1)
[1, 2, 3].map(x, x > 1, x + 10)
[[1, 2], [3]].map(x, x.map(y, y + size(x)))
[0, 1].exists(x, 1 / x == 1)
[0, 2].exists(x, 1 / x == 1)
{'a': 1, 'b': 2}.all(k, k in ['a', 'b'])
int('42') + int(3.9) + int(5u)
int('x')
double('1.5') + double(2)
string(42) + string(true) + string(1.5)
uint(3) + 1u
uint(-1)
bytes('ü')
string(b'\\xc3\\xbc')
timestamp('2024-02-29T12:30:45Z').getFullYear()
timestamp('2024-02-29T12:30:45Z').getDayOfYear()
timestamp('2024-02-29T12:30:45Z').getDayOfWeek()
timestamp('2024-02-29T12:30:45Z').getHours('Europe/Berlin')
timestamp('2024-02-29T12:30:45Z') + duration('1h30m')
timestamp('2024-02-29T12:30:45Z') - timestamp('2024-02-29T12:00:00Z')
timestamp('2024-02-30T00:00:00Z')
duration('90s').getMinutes()
duration('1h') > duration('59m')
string(duration('90m'))
dyn(1) == 1.0
dyn(1) == '1'
[dyn(1), 2.0] == [dyn(1.0), 2]
dyn('a') + 1
type(1) == type(2)
null == null
""".strip().splitlines()

EXTENDED = """
'tea'.charAt(1)
'tea'.charAt(3)
'tea'.charAt(4)
'abab'.indexOf('b', 2)
'abab'.lastIndexOf('ab')
'TeA'.lowerAscii() + 'TeA'.upperAscii()
'aaa'.replace('a', 'b', 2)
'a,b,c'.split(',')
'a,b,c'.split(',', 2)
'abc'.substring(1, 2)
'abc'.substring(2, 1)
'  a '.trim()
'abc'.reverse()
['a', 'b'].join('-')
'%s %d %.2f %x'.format(['a', 1, 2.5, 255])
strings.quote('a"b')
base64.encode(b'hello')
base64.decode('aGVsbG8')
cel.bind(x, 'a' + 'b', x + x)
optional.of(1).value()
optional.none().orValue(2)
optional.none().value()
{'a': {'b': 1}}.?a.?b.orValue(3)
{'a': {'b': 1}}.?x.?b.orValue(3)
[1, 2][?5].hasValue()
optional.of(1).optMap(x, x + 1).value()
[?optional.of(1), ?optional.none()]
{?'a': optional.of(1), ?'b': optional.none()}
""".strip().splitlines()

FAILED = "no value"

MIXED_EQUALITY = "We are right: the specification compares numbers across types, and unlike kinds as unequal."
DIFFERENT = {
    ("cel-python", "[1, 2, 3].map(x, x > 1, x + 10)"): "We are right: cel-python lacks map() with a filter.",
    ("cel-python", "string(42) + string(true) + string(1.5)"): "We are right: it prints bool as Python does.",
    ("cel-python", "dyn(1) == 1.0"): MIXED_EQUALITY,
    ("cel-python", "dyn(1) == '1'"): MIXED_EQUALITY,
    ("cel-python", "[dyn(1), 2.0] == [dyn(1.0), 2]"): MIXED_EQUALITY,
}
"""By implementation and expression: who is right, and why."""


def ours(text: str) -> object:
    try:
        return comparable(evaluate(text))
    except EvaluationError:
        return FAILED


def comparable(value: Value) -> object:
    """Return the value in the types that the other implementations answer with."""
    match value:
        case Timestamp():
            return value.nanoseconds // 1000
        case Duration():
            return value.nanoseconds // 1000
        case TypeValue():
            return value.name
        case list():
            return [comparable(each) for each in value]
        case dict():
            return {key: comparable(each) for key, each in value.items()}
        case _:
            return value


def theirs(value: Any) -> object:
    """Return what another implementation answers, in the same types."""
    match value:
        case timedelta():
            return value // timedelta(microseconds=1)
        case datetime():
            return round(value.timestamp() * 10**6)
        case bytearray():
            return bytes(value)
        case list():
            return [theirs(each) for each in value]
        case dict():
            return {theirs(key): theirs(each) for key, each in value.items()}
        case _:
            return value


def cel_python() -> Callable[[str], object]:
    celpy = pytest.importorskip("celpy", reason="cel-python is not installed")
    environment = celpy.Environment()

    def ask(text: str) -> object:
        try:
            return theirs(environment.program(environment.compile(text)).evaluate({}))
        except (celpy.CELEvalError, celpy.CELParseError, ValueError, TypeError, AttributeError):
            return FAILED

    return ask


def cel_expr_python() -> Callable[[str], object]:
    cel = pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python is not installed")
    names = ("Bindings", "Encoders", "Optional", "Strings")
    modules = {name: import_module(f"cel_expr_python.ext.ext_{name.lower()}") for name in names}
    extensions = [getattr(module, f"Ext{name}")() for name, module in modules.items()]
    environment = cel.NewEnv(extensions=extensions)

    def ask(text: str) -> object:
        value = environment.compile(text).eval(environment.Activation({}))
        return FAILED if value.type() == cel.Type.ERROR else theirs(value.plain_value())

    return ask


def compare(name: str, ask: Callable[[str], object], texts: list[str]) -> None:
    surprises = []
    for text in texts:
        answers = ours(text), ask(text)
        if (answers[0] == answers[1]) is ((name, text) in DIFFERENT):
            surprises.append(f"{text}: ours {answers[0]!r}, {name} {answers[1]!r}")
    assert not surprises, "\n".join(surprises)


def test_cel_python_agrees_on_the_core() -> None:
    compare("cel-python", cel_python(), CORE)


def test_cel_expr_python_agrees_on_core_and_extensions() -> None:
    compare("cel-expr-python", cel_expr_python(), [*CORE, *EXTENDED])


def test_every_difference_has_a_reason() -> None:
    assert all(reason.strip() for reason in DIFFERENT.values())
    assert {text for _, text in DIFFERENT} <= {*CORE, *EXTENDED}
