"""The checker: types, errors with their places, references. The tables follow cel-go's rules one by one."""

import pytest

from kro_ls.cel.syntax.ast import Call, Identifier, Node, Select, walk
from kro_ls.cel.syntax.parser import line_and_column
from kro_ls.cel.types.check_result import CheckResult, ErrorKind, NameReference
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import Environment
from kro_ls.cel.types.types import StructFields, Type, checker_name, parse_type
from kro_ls.cel.types.unification import Resolution
from tests.cel.support import ENVIRONMENT, LIBRARIES, parse

FIELDS_OF_SPEC = {
    "s": "string", "i": "int", "d": "double", "b": "bool", "t": "timestamp", "sub": "Sub", "open": "Open",
    "strings": "list(string)", "ints": "list(int)", "subs": "list(Sub)", "labels": "map(string, string)", "any": "dyn",
}  # fmt: skip
STRUCTS = {
    "Spec": StructFields({name: parse_type(text) for name, text in FIELDS_OF_SPEC.items()}),
    "Sub": StructFields({"x": parse_type("int"), "y": parse_type("string")}),
    "Open": StructFields({"known": parse_type("bool")}, is_open=True),
}


class Structs:
    """Two closed structs and an open one."""

    def find_struct(self, name: str) -> StructFields | None:
        return STRUCTS.get(name)

    def field_type(self, name: str, field: str) -> Type | None:
        struct = STRUCTS.get(name)
        if struct is None:
            return None
        return struct.fields.get(field) or (parse_type("dyn") if struct.is_open else None)


ENVIRONMENT = ENVIRONMENT.extend({"v": parse_type("Spec"), "u": parse_type("uint")}, Structs())


NOT_A_RANGE = "cannot be range of a comprehension (must be list, map, or dynamic)"


def checked(text: str, environment: Environment = ENVIRONMENT) -> CheckResult:
    return check(parse(text).root, environment)


def messages(text: str, environment: Environment = ENVIRONMENT) -> list[str]:
    return [
        "{}:{} {}".format(*line_and_column(text, error.position), error.message)
        for error in checked(text, environment).errors
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # literals
        ("null", "null_type"), ("true", "bool"), ("1", "int"), ("1u", "uint"), ("1.0", "double"), ("'a'", "string"),
        ("b'a'", "bytes"), ("[]", "list(dyn)"), ("{}", "map(dyn, dyn)"), ("[1, 2]", "list(int)"),
        ("[1, 'a']", "list(dyn)"), ("[[1], ['a']]", "list(dyn)"), ("[[], [1]]", "list(list(int))"),
        ("{'a': 1, 'b': 'x'}", "map(string, dyn)"), ("{1: 'a', 'b': 'x'}", "map(dyn, string)"),
        ("[1, null]", "list(dyn)"), ("[v, null]", "list(null_type)"), ("[null, v]", "list(Spec)"),
        ("[v.t, null]", "list(null_type)"), ("[1, 'a'][0] + 1", "int"), ("[?v.?s]", "list(string)"),
        ("{?'a': v.?i}", "map(string, int)"), ("[?v.any]", "list(dyn)"), ("[1, dyn('a')]", "list(dyn)"),
        ("[optional.of(1), optional.none()]", "list(optional_type(int))"),
        # names and selection
        ("v", "Spec"), (".v", "Spec"), ("v.sub.x", "int"), ("v.labels.app", "string"), ("v.any.x.y", "dyn"),
        ("v.open.known", "bool"), ("v.open.other.more", "dyn"), ("has(v.s)", "bool"), ("has(v.labels.x)", "bool"),
        ("v.?sub", "optional_type(Sub)"), ("v.?sub.x", "optional_type(int)"), ("v.sub.?x", "optional_type(int)"),
        ("v.?labels.app", "optional_type(string)"), ("v.any.?x", "optional_type(dyn)"),
        ("int", "type(int)"),
        # overloads
        ("v.any + 2", "int"), ("v.any + 'a'", "string"), ("v.any * 2", "int"), ("v.any + v.any", "dyn"),
        ("-v.any", "dyn"), ("v.any[0]", "dyn"), ("v.any['k']", "dyn"), ("v.any[?0]", "dyn"), ("v.any.sum()", "dyn"),
        ("v.any.reverse()", "dyn"), ("v.any.size()", "int"), ("v.any.indexOf('x')", "int"),
        ("v.any.add(v.any)", "kubernetes.Quantity"), ("v.any.join(',')", "string"), ("[].sum()", "int"),
        ("[].max()", "int"), ("[].sort()", "list(int)"), ("size('a')", "int"),
        ("lists.range(3)", "list(int)"), ("ip.isCanonical('::')", "bool"),
        ("v.labels[?'x']", "optional_type(string)"), ("v.?labels['x']", "optional_type(string)"),
        ("string(null)", "string"),
        ("type(1) == type('a')", "bool"), ("type(1)", "type(int)"), ("1 in [1]", "bool"), ("'a' in v.labels", "bool"),
        ("cidr('::/0').ip()", "net.IP"), ("quantity('1').add(1)", "kubernetes.Quantity"), ("dyn(1)", "dyn"),
        # conditional and equality
        ("true ? v : null", "Spec"), ("true ? 1 : dyn('a')", "dyn"), ("true ? {} : {'a': 1}", "map(string, int)"),
        ("v == null", "bool"), ("v.t == null", "bool"), ("v.?s == null", "bool"), ("v.any == null", "bool"),
        ("true ? optional.of(dyn(1)) : optional.of(1)", "optional_type(dyn)"), ("true && v.any", "bool"),
        # macros
        ("v.strings.map(x, size(x))", "list(int)"), ("v.labels.map(k, k)", "list(string)"),
        ("v.strings.filter(x, x == '')", "list(string)"), ("v.subs.map(s, s.x > 1, s.y)", "list(string)"),
        ("v.strings.all(i, x, x != string(i))", "bool"), ("v.labels.transformMap(k, x, size(x))", "map(string, int)"),
        ("v.strings.transformMapEntry(i, x, {x: i})", "map(string, int)"),
        ("v.strings.transformList(i, x, i)", "list(int)"), ("v.ints.sortBy(x, -x)", "list(int)"),
        ("cel.bind(x, v.i, x + 1)", "int"), ("v.?i.optMap(x, x + 1)", "optional_type(int)"),
        ("v.?sub.optFlatMap(x, x.?y)", "optional_type(string)"), ("v.any.map(x, x.y)", "list(dyn)"),
        ("([].map(x, x))[0].foo", "dyn"), ("v.strings.exists_one(x, x == 'a')", "bool"),
        ("cel.bind(v, 1, v + 1)", "int"), ("v.ints.map(v, v + 1)", "list(int)"),
    ],
)  # fmt: skip
def test_type(text: str, expected: str) -> None:
    result = checked(text)
    assert [error.message for error in result.errors] == []
    assert str(result.type) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # names
        ("x", ["1:1 undeclared reference to 'x' (in container '')"]),
        (" .x", ["1:3 undeclared reference to '.x' (in container '')"]),
        ("foo(x)", ["1:4 undeclared reference to 'foo' (in container '')",
                    "1:5 undeclared reference to 'x' (in container '')"]),
        ("v.s.length()", ["1:11 undeclared reference to 'length' (in container '')"]),
        ("math.greatest(1, 2)", ["1:1 undeclared reference to 'math' (in container '')",
                                 "1:14 undeclared reference to 'greatest' (in container '')"]),
        ("v.ints.map(x)", ["1:11 undeclared reference to 'map' (in container '')",
                           "1:12 undeclared reference to 'x' (in container '')"]),
        ("_in_(1, [1])", ["1:5 undeclared reference to '_in_' (in container '')"]),
        ("bogus ? 1 : 'a'", ["1:1 undeclared reference to 'bogus' (in container '')",
                             "1:7 found no matching overload for '_?_:_' applied to '(!error!, int, string)'"]),
        # selection
        ("v.bogus", ["1:2 undefined field 'bogus'"]),
        ("v.bogus.more.size()", ["1:2 undefined field 'bogus'"]),
        ("has(v.bogus)", ["1:4 undefined field 'bogus'"]),
        ("v.?bogus", ["1:2 undefined field 'bogus'"]),
        ("v.s.x", ["1:4 type 'string' does not support field selection"]),
        ("v.strings.x + 1", ["1:10 type 'list(string)' does not support field selection"]),
        ("null.x", ["1:5 type 'null' does not support field selection"]),
        ("quantity('1').x", ["1:14 unexpected failed resolution of 'kubernetes.Quantity'"]),
        # overloads
        ("1 + 'a'", ["1:3 found no matching overload for '_+_' applied to '(int, string)'"]),
        ("1 + 1.0", ["1:3 found no matching overload for '_+_' applied to '(int, double)'"]),
        ("u == 1", ["1:3 found no matching overload for '_==_' applied to '(uint, int)'"]),
        ("v['s']", ["1:2 found no matching overload for '_[_]' applied to '(Spec, string)'"]),
        ("'s' in v", ["1:5 found no matching overload for '@in' applied to '(string, Spec)'"]),
        ("v.s == null", ["1:5 found no matching overload for '_==_' applied to '(string, null)'"]),
        ("v.t + 1", ["1:5 found no matching overload for '_+_' applied to '(timestamp, int)'"]),
        ("startsWith('a', 'b')", ["1:11 found no matching overload for 'startsWith' applied to '(string, string)'"]),
        ("quantity('1').sign()", ["1:19 found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"]),
        ("v.?s.orValue(1)", ["1:13 found no matching overload for 'orValue' applied to 'optional_type(string).(int)'"]),
        ("[1, 2].flatten()", ["1:15 found no matching overload for 'flatten' applied to 'list(int).()'"]),
        ("true ? 1 : 'a'", ["1:6 found no matching overload for '_?_:_' applied to '(bool, int, string)'"]),
        ("true ? 1 : null", ["1:6 found no matching overload for '_?_:_' applied to '(bool, int, null)'"]),
        ("-v.s", ["1:1 found no matching overload for '-_' applied to '(string)'"]),
        ("json.encode()", ["1:12 found no matching overload for 'json.encode' applied to '()'"]),
        ("v == {}", ["1:3 found no matching overload for '_==_' applied to '(Spec, map(dyn, dyn))'"]),
        ("v == v.sub", ["1:3 found no matching overload for '_==_' applied to '(Spec, Sub)'"]),
        ("1 && 'a'", ["1:1 expected type 'bool' but found 'int'", "1:6 expected type 'bool' but found 'string'"]),
        # literals
        ("[?1]", ["1:3 expected type 'optional_type(int)' but found 'int'"]),
        ("{?'a': 1}", ["1:8 expected type 'optional_type(int)' but found 'int'"]),
        ("Nope{a: 1}", ["1:5 undeclared reference to 'Nope' (in container '')"]),
        ("int{}", ["1:4 'int' is not a message type"]),
        ("google.protobuf.Nope{}", ["1:21 undeclared reference to 'google.protobuf.Nope' (in container '')"]),
        ("google.protobuf.Struct{field: {}}", ["1:29 undefined field 'field'"]),
        ("google.protobuf.Int64Value{value: 1u}", [
            "1:33 expected type of field 'value' is 'int' but provided type is 'uint'"]),
        ("google.protobuf.Int64Value{}.value", ["1:29 type 'wrapper(int)' does not support field selection"]),
        ("Sub{x: 'a', z: 1}", ["1:6 expected type of field 'x' is 'int' but provided type is 'string'",
                               "1:14 undefined field 'z'"]),
        # macros
        ("v.s.map(x, x)", [
            f"1:2 expression of type 'string' {NOT_A_RANGE}"]),
        ("v.?strings.map(x, x)", [
            f"1:2 expression of type 'optional_type(list(string))' {NOT_A_RANGE}"]),
        ("v.strings.all(x, x)", ["1:18 expected type 'bool' but found 'string'"]),
        ("v.strings.filter(x, x)", [
            "1:17 found no matching overload for '_?_:_' applied to '(string, list(string), list(string))'"]),
        ("v.ints.transformMapEntry(i, x, i)", [
            "1:25 found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), int)'"]),
        ("v.subs.sortBy(x, x)", [
            "1:14 found no matching overload for '@sortByAssociatedKeys' applied to 'list(Sub).(list(Sub))'"]),
        ("v.i.optMap(x, x)", ["1:11 found no matching overload for 'hasValue' applied to 'int.()'",
                              "1:11 found no matching overload for 'value' applied to 'int.()'"]),
        ("v.strings.map(x, y)", ["1:18 undeclared reference to 'y' (in container '')"]),
        ("v.strings.map(x, x)[0] + x", ["1:26 undeclared reference to 'x' (in container '')"]),
        # lines
        ("v.s +\n  v.i", ["1:5 found no matching overload for '_+_' applied to '(string, int)'"]),
        ("v.s\n  + v.i +\n'ü' + q", ["2:3 found no matching overload for '_+_' applied to '(string, int)'",
                                     "3:7 undeclared reference to 'q' (in container '')"]),
    ],
)  # fmt: skip
def test_errors(text: str, expected: list[str]) -> None:
    assert messages(text) == expected


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("1 < 1.5", False),
        ("u >= 1", False),
        ("[1].all(x, x < 1.5)", True),
        ("[1].all(x, true) && 1 < 1.5", True),
        ("1 < 1.5 && [1].all(x, true)", False),
        ("cel.bind(x, 1, x) < 1.5", True),
        ("[1].all(x, x == 1u)", False),
        ("has(v.s) && 1 < 1.5", False),
    ],
)
def test_mixed_numbers_can_be_ordered_after_the_first_comprehension(text: str, *, accepted: bool) -> None:
    assert (not messages(text)) is accepted


@pytest.mark.parametrize(
    ("text", "wrong", "kind"),
    [
        ("1 + bogus.x", "bogus", ErrorKind.UNDECLARED_NAME),
        ("v.s . bogus()", "bogus", ErrorKind.UNDECLARED_FUNCTION),
        ("v.sub . bogus", "bogus", ErrorKind.UNDEFINED_FIELD),
        ("has(v.bogus)", "bogus", ErrorKind.UNDEFINED_FIELD),
        ("v.s.bogus", "bogus", ErrorKind.UNSELECTABLE),
        ("1 + 'a'", "+", ErrorKind.NO_OVERLOAD),
        ("true ? 1 : 'a'", "?", ErrorKind.NO_OVERLOAD),
        ("v.i.startsWith('a')", "startsWith", ErrorKind.NO_OVERLOAD),
        ("true && (v.i)", "v.i", ErrorKind.TYPE_MISMATCH),
        ("v.strings.all(x, x + 'a')", "x + 'a'", ErrorKind.TYPE_MISMATCH),
        ("v.strings.filter(x, x + 'a')", "x + 'a'", ErrorKind.NO_OVERLOAD),
        ("v.ints.transformMapEntry(i, x, i + x)", "i + x", ErrorKind.NO_OVERLOAD),
        ("v.subs.sortBy(x, x.bogus)", "bogus", ErrorKind.UNDEFINED_FIELD),
        ("v.subs.sortBy(x, x)", "x", ErrorKind.NO_OVERLOAD),
        ("v.sub.x.optMap(x, x)", "v.sub.x", ErrorKind.NO_OVERLOAD),
        ("v.s.map(x, x)", "v.s", ErrorKind.NOT_A_RANGE),
        ("'%d'.format([true])", "true", ErrorKind.FORMAT),
        ("'%d'.format([])", "'%d'", ErrorKind.FORMAT),
        ("Nope{}", "Nope", ErrorKind.STRUCT_LITERAL),
    ],
)
def test_the_smallest_wrong_text(text: str, wrong: str, kind: ErrorKind) -> None:
    error = checked(text).errors[0]
    assert text[error.start : error.end] == wrong
    assert error.kind is kind


def test_an_error_carries_the_types() -> None:
    error = checked("v.s.substring('a')").errors[0]
    assert [checker_name(found) for found in error.types] == ["string", "string"]


IN_PRECISION = "could not parse formatting clause: error while parsing precision"
NO_INTEGER = f"{IN_PRECISION}: error while converting precision to integer: strconv.Atoi:"
NO_STRING = (
    "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
    "types, durations, and timestamps, was given"
)
NO_DECIMAL = "error during formatting: decimal clause can only be used on ints, uints, and doubles, was given"
NO_HEX = "error during formatting: only ints, uints, bytes, and strings can be formatted as hex, was given"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("'%s %%'.format([1])", None),
        ("'%s'.format([dyn(v)])", None),
        ("'%s'.format([[1, {'a': null}]])", None),
        ("'%.3f %X %o %b %e'.format([1, 'a', 1u, true, 1.0])", None),
        ("v.s.format([1])", None),
        ("'%s'.format(v.ints)", None),
        ("'%s'.format([])", "1:12 index 0 out of range"),
        ("'a'.format([1, 2])", "1:11 too many arguments supplied to string.format (expected 0, got 2)"),
        ("'%y'.format([1])", '1:12 could not parse formatting clause: unrecognized formatting clause "y"'),
        ("'%\ud800'.format([1])", '1:12 could not parse formatting clause: unrecognized formatting clause "í"'),
        ("'%'.format([1])", "1:11 unexpected end of string"),
        ("'%.101f'.format([1])", f"1:16 {IN_PRECISION}: precision 101 exceeds maximum allowed precision 100"),
        (
            "'%.99999999999999999999f'.format([1])",
            f'1:33 {NO_INTEGER} parsing "99999999999999999999": value out of range',
        ),
        ("'%.f'.format([1])", f'1:13 {NO_INTEGER} parsing "": invalid syntax'),
        ("'%.2'.format([1])", f"1:13 {IN_PRECISION}: could not find end of precision specifier"),
        ("'%s'.format([v])", f"1:14 {NO_STRING} Spec"),
        ("'%s'.format([[1, [quantity('1')]]])", f"1:27 {NO_STRING} kubernetes.Quantity"),
        ("'%s'.format([{'a': v.?s}])", f"1:21 {NO_STRING} optional_type"),
        ("'%d'.format(['a'])", f"1:14 {NO_DECIMAL} string"),
        ("'%x'.format([[1]])", f"1:14 {NO_HEX} list"),
    ],
)
def test_format(text: str, message: str | None) -> None:
    assert messages(text) == ([] if message is None else [message])


def test_consequences_of_another_error_are_distinguished() -> None:
    assert [error.is_consequence for error in checked("bogus ? 1 : 'a'").errors] == [False, True]
    assert [error.is_consequence for error in checked("[[bogus]].join()").errors] == [False, True]


def node(root: Node, text: str, part: str) -> Node:
    """Return the last node as written with this text."""
    return [found for found in walk(root) if text[found.start : found.end] == part][-1]


def test_types_of_parts_as_written() -> None:
    text = "v.subs.filter(s, has(s.y)).map(s, s.x + 1)"
    root = parse(text).root
    result = check(root, ENVIRONMENT)
    parts = {"v": "Spec", "v.subs": "list(Sub)", "has(s.y)": "bool", "s.y": "string", "s.x + 1": "int", "s.x": "int"}
    assert {part: str(result.types[node(root, text, part)]) for part in parts} == parts
    assert {text[start:end]: str(found) for (start, end), found in result.variables.items()} == {"s": "Sub"}
    assert len(result.variables) == 2


def test_references() -> None:
    text = "v.strings.map(x, x.reverse() + json.encode(v.any))"
    root = parse(text).root
    result = check(root, ENVIRONMENT)
    local = result.references[node(root, text, "x")]
    assert isinstance(local, NameReference)
    assert local.comprehension is not None
    assert local.comprehension.variable == "x"
    reverse = result.references[node(root, text, "x.reverse()")]
    assert isinstance(reverse, Resolution)
    assert [overload.id for overload in reverse.overloads] == ["string_reverse"]
    marshal = result.references[node(root, text, "json.encode(v.any)")]
    assert isinstance(marshal, Resolution)
    assert marshal.function.name == "json.encode"
    variable = result.references[node(root, text, "v")]
    assert variable == NameReference("v")


def test_dotted_names_and_containers() -> None:
    variables = {name: parse_type(text) for name, text in {"a.b": "int", "c.a.b": "string", "a": "Spec"}.items()}
    environment = Environment(LIBRARIES, variables, Structs())
    inside = Environment(LIBRARIES, variables, Structs(), container="c.d")
    assert str(checked("a.b", environment).type) == "int"
    assert str(checked("a.s", environment).type) == "string"
    assert str(checked("a.b", inside).type) == "string"
    assert str(checked(".a.b", inside).type) == "int"
    assert str(checked("[v].map(a, a.s)", ENVIRONMENT).type) == "list(string)"
    assert messages("[1].map(a, a.b)", environment) == ["1:13 type 'int' does not support field selection"]
    assert messages("zz", inside) == ["1:1 undeclared reference to 'zz' (in container 'c.d')"]


def test_a_dotted_name_is_one_reference() -> None:
    environment = Environment(LIBRARIES, {"a.b": parse_type("int")})
    root = parse("a.b").root
    result = check(root, environment)
    assert isinstance(root, Select)
    assert result.references == {root: NameReference("a.b")}
    assert root.operand not in result.types


@pytest.mark.parametrize(
    "text", ["v.", "v.s.", "v.s + ", "size(", "v.s.substring(1, ", "[", "{'a': ", "v.ints.map(x, x."]
)
def test_holes_are_quiet(text: str) -> None:
    assert messages(text) == []


def test_what_is_known_around_a_hole() -> None:
    text = "v.subs.map(s, s.)"
    root = parse(text).root
    result = check(root, ENVIRONMENT)
    selection = next(found for found in walk(root) if isinstance(found, Select) and not found.field)
    assert isinstance(selection.operand, Identifier)
    assert str(result.types[selection.operand]) == "Sub"


@pytest.mark.parametrize("levels", [50, 200])
def test_nested_macros(levels: int) -> None:
    text = "[1]"
    for _ in range(levels):
        text = f"[1].map(x, {text})"
    result = checked(text)
    assert not result.errors
    assert str(result.type).startswith("list(list(")


def test_nested_literals() -> None:
    result = checked("[" * 90 + "]" * 90)
    assert str(result.type) == "list(" * 90 + "dyn" + ")" * 90


def test_types_that_double_are_bounded() -> None:
    text = "a"
    for _ in range(200):
        text = f"cel.bind(a, {{a: a}}, {text})"
    printed = str(checked(f"cel.bind(a, {{1: 1}}, {text})").type)
    assert printed.startswith("map(")
    assert len(printed) < 10_000


def test_type_variables_that_refer_to_each_other_at_length_are_given_up() -> None:
    text = "a"
    for _ in range(150):
        text = f"cel.bind(a, [[], {'[' * 60}a{']' * 60}], {text})"
    result = checked(f"cel.bind(a, [], {text} + bogus)")
    assert str(result.type) == "dyn"
    assert not result.errors


def test_many_open_types() -> None:
    result = checked(f"[{','.join(['[]'] * 5000)}]")
    assert not result.errors
    assert str(result.type) == "list(list(dyn))"


def test_balanced_operators_of_a_long_chain() -> None:
    result = checked(" && ".join(["v.b"] * 3000))
    assert result.errors == ()
    assert str(result.type) == "bool"


def test_a_call_without_overload_has_the_error_type() -> None:
    text = "(1 + 'a').size()"
    root = parse(text).root
    result = check(root, ENVIRONMENT)
    assert len(result.errors) == 1
    assert isinstance(root, Call)
    assert root.target is not None
    assert checker_name(result.types[root.target]) == "!error!"
