"""The function libraries: exactly kro's overloads, in kro's order, documented."""

import pytest

from kro_ls.cel.library import quantity, semver
from kro_ls.cel.types.declarations import FunctionDeclaration, MacroDeclaration, Overload, declared_variables
from kro_ls.cel.types.types import checker_name, parse_type
from kro_ls.cel.types.unification import MIXED_NUMBER_OVERLOADS, methods_of
from kro_ls.kro import environment as library


def signatures(name: str) -> list[str]:
    return [overload.signature(name) for overload in library.FUNCTIONS[name].overloads]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("charAt", ["string.charAt(index: int) -> string"]),
        ("reverse", ["list(T).reverse() -> list(T)", "string.reverse() -> string"]),
        (
            "indexOf",
            [
                "string.indexOf(text: string) -> int",
                "string.indexOf(text: string, offset: int) -> int",
                "list(A).indexOf(element: A) -> int",
            ],
        ),
        ("ip", ["ip(text: string) -> net.IP", "net.CIDR.ip() -> net.IP"]),
        ("sign", ["sign(quantity: kubernetes.Quantity) -> int"]),
        ("semver", ["semver(text: string) -> kubernetes.Semver"]),
        ("omit", ["omit() -> dyn"]),
        ("json.unmarshal", ["json.unmarshal(text: string) -> dyn"]),
        ("getMonth", ["timestamp.getMonth() -> int", "timestamp.getMonth(zone: string) -> int"]),
        (
            "getHours",
            ["timestamp.getHours() -> int", "timestamp.getHours(zone: string) -> int", "duration.getHours() -> int"],
        ),
        (
            "_[_]",
            [
                "_[_](operand: list(A), index: int) -> A",
                "_[_](operand: map(A, B), key: A) -> B",
                "_[_](operand: optional_type(list(V)), index: int) -> optional_type(V)",
                "_[_](operand: optional_type(map(K, V)), key: K) -> optional_type(V)",
            ],
        ),
        ("newCondition", ["kro.run.Runtime.newCondition(fields: map(string, string)) -> kro.run.Condition"]),
    ],
)
def test_signatures(name: str, expected: list[str]) -> None:
    assert signatures(name) == expected


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        (
            "_<_",
            (
                "bool,bool int,int int,double int,uint uint,uint uint,double uint,int double,double double,int "
                "double,uint string,string bytes,bytes timestamp,timestamp duration,duration"
            ),
        ),
        (
            "_+_",
            (
                "bytes,bytes double,double duration,duration duration,timestamp timestamp,duration int,int "
                "list(A),list(A) string,string uint,uint"
            ),
        ),
        ("_-_", "double,double duration,duration int,int timestamp,duration timestamp,timestamp uint,uint"),
        ("int", "int double duration string timestamp uint"),
        ("string", "string bool bytes double duration int timestamp uint net.IP net.CIDR"),
        ("sum", "list(int) list(uint) list(double) list(duration)"),
        ("max", "list(int) list(uint) list(double) list(bool) list(duration) list(timestamp) list(string) list(bytes)"),
        ("compareTo", "kubernetes.Quantity,kubernetes.Quantity kubernetes.Semver,kubernetes.Semver"),
        ("-_", "double int"),
        ("size", "bytes bytes list(A) list(A) map(A,B) map(A,B) string string"),
    ],
)
def test_overload_order(name: str, operands: str) -> None:
    found = [
        ",".join(checker_name(parameter).replace(", ", ",") for parameter in overload.parameters)
        for overload in library.FUNCTIONS[name].overloads
    ]
    assert found == operands.split()


def test_a_function_of_two_libraries_keeps_both_texts() -> None:
    overloads = library.FUNCTIONS["isLessThan"].overloads
    owners = [library.LIBRARIES.owner_of(overload) for overload in overloads]
    assert owners == [quantity.LIBRARY, semver.LIBRARY]
    assert len(library.FUNCTIONS["isLessThan"].documentation) == 2


def test_overload_ids_are_unique() -> None:
    ids = [overload.id for declared in library.FUNCTIONS.values() for overload in declared.overloads]
    assert len(ids) == len(set(ids)) > 300


def test_mixed_number_overloads_exist() -> None:
    ids = {overload.id for declared in library.FUNCTIONS.values() for overload in declared.overloads}
    assert len(MIXED_NUMBER_OVERLOADS) == 24
    assert ids >= MIXED_NUMBER_OVERLOADS


@pytest.mark.parametrize("declared", library.FUNCTIONS.values(), ids=lambda declared: declared.name)
def test_functions_are_documented(declared: FunctionDeclaration) -> None:
    for documentation in declared.documentation:
        assert documentation.text.endswith(".")
        assert documentation.example or declared.is_internal
        assert not documentation.raises or documentation.raises.endswith(".")


@pytest.mark.parametrize("macro", library.MACROS.values(), ids=lambda macro: macro.name)
def test_macros_are_documented(macro: MacroDeclaration) -> None:
    assert macro.documentation.text.endswith(".")
    assert macro.name in macro.documentation.example
    for form in macro.argument_names:
        variables = declared_variables(form)
        assert form[: len(variables)] == variables != form
    assert macro.signatures()[0].startswith(f"{macro.name}(")


@pytest.mark.parametrize(
    ("receiver", "has", "has_not"),
    [
        ("string", {"charAt", "find", "size", "indexOf", "deepMerge"}, {"sum", "getHours", "orValue", "join"}),
        ("list(string)", {"join", "size", "max", "first", "indexOf"}, {"charAt", "hasValue", "sum"}),
        ("list(list(int))", {"flatten", "reverse"}, {"sum", "join"}),
        ("map(string, int)", {"merge", "size"}, {"isSorted"}),
        ("optional_type(int)", {"orValue", "hasValue", "or"}, {"size"}),
        ("kubernetes.Quantity", {"asInteger", "isLessThan", "add"}, {"major", "sign"}),
        ("kro.run.Runtime", {"newCondition", "condition"}, {"size"}),
        ("dyn", {"charAt", "sum", "major"}, {"sign", "@sortByAssociatedKeys"}),
    ],
)
def test_methods_of_a_type(receiver: str, has: set[str], has_not: set[str]) -> None:
    names = {function.name for function, _ in methods_of(parse_type(receiver), library.FUNCTIONS)}
    assert has <= names
    assert not has_not & names


def test_methods_come_with_the_overloads_that_fit() -> None:
    found = {function.name: overloads for function, overloads in methods_of(parse_type("string"), library.FUNCTIONS)}
    assert [overload.id for overload in found["reverse"]] == ["string_reverse"]


@pytest.mark.parametrize(
    ("receiver", "expected"),
    [
        ("list(int)", {"all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "transformList"}),
        ("map(string, int)", {"all", "exists", "exists_one", "existsOne", "filter", "map", "transformList"}),
        ("optional_type(int)", {"optMap", "optFlatMap"}),
        ("string", set()),
    ],
)
def test_macros_of_a_type(receiver: str, expected: set[str]) -> None:
    found = {name for name, macro in library.MACROS.items() if macro.applies_to(parse_type(receiver))}
    assert found - {"transformMap", "transformMapEntry"} == expected


def test_disabled_functions_are_not_declared() -> None:
    assert "math.greatest" in library.DISABLED
    assert not library.DISABLED.keys() & (library.FUNCTIONS.keys() | library.MACROS.keys())


def test_an_overload_knows_receiver_and_arguments() -> None:
    overload: Overload = library.FUNCTIONS["substring"].overloads[1]
    assert overload.receiver is not None
    assert checker_name(overload.receiver) == "string"
    assert [(name, checker_name(type_)) for name, type_ in overload.arguments] == [("start", "int"), ("end", "int")]
