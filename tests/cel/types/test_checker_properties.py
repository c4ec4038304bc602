"""Whatever the tree, checking gives a result: no exception, places inside the text, a type for every answer."""

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.syntax.ast import Hole, Identifier, Select, walk
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import StructFields, Type, parse_type
from tests.cel.support import ENVIRONMENT, LIBRARIES, parse
from tests.fixtures.examples import MANY

TOKENS = [
    *("a", "s", "x", "y", "runtime", "cel", "optional", "none", "of", "1", "2u", "1.5", "'t'", "null", "true", "b'b'"),
    *("+", "-", "*", "==", "<", "&&", "||", "!", "?", ":", ".", ".?", ",", "(", ")", "[", "[?", "]", "{", "}", "in"),
    *(".map(x,", ".filter(x,", ".all(i, x,", ".exists(", ".sortBy(x,", "has(", ".optMap(y,", ".transformMap(x, y,"),
    *("cel.bind(x,", ".newCondition({", "type:", "'%s'.format([", "size(", "json.marshal(", ".size()", "dyn("),
]


class Structs:
    """One struct that contains itself."""

    def find_struct(self, name: str) -> StructFields | None:
        return StructFields({"a": parse_type("list(Struct)"), "x": parse_type("int")}) if name == "Struct" else None

    def field_type(self, name: str, field: str) -> Type | None:
        struct = self.find_struct(name)
        return struct.fields.get(field) if struct else None


ENVIRONMENT = ENVIRONMENT.extend(
    {"a": parse_type("list(Struct)"), "s": parse_type("Struct"), "x": parse_type("map(string, dyn)")}, Structs()
)


@MANY
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_checks_any_tree(text: str) -> None:
    parsed = parse(text)
    result = check(parsed.root, ENVIRONMENT)
    assert not any(type_.is_generic for type_ in result.types.values())
    assert result.types[parsed.root] == result.type
    for error in result.errors:
        assert 0 <= error.start <= error.end <= len(text)
        assert 0 <= error.position <= len(text)
        assert error.message
    assert [error.position for error in result.errors] == sorted(error.position for error in result.errors)


@MANY
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_the_second_check_gives_the_same(text: str) -> None:
    root = parse(text).root
    first = check(root, ENVIRONMENT)
    second = check(root, ENVIRONMENT)
    assert first.errors == second.errors
    assert first.types == second.types
    assert first.references == second.references


@MANY
@given(st.lists(st.sampled_from([*TOKENS, ".", "(", "[", ","]), max_size=15).map(" ".join))
def test_no_error_is_about_a_hole(text: str) -> None:
    root = parse(text).root
    for error in check(root, ENVIRONMENT).errors:
        assert not isinstance(error.node, Hole)
        assert not (isinstance(error.node, Select) and not error.node.field)


@given(st.sampled_from(sorted(LIBRARIES.functions)), st.lists(st.sampled_from(TOKENS[9:16]), max_size=4))
def test_every_function_takes_or_refuses_any_arguments(name: str, arguments: list[str]) -> None:
    text = f"{name}({', '.join(arguments)}) == dyn({arguments[0] if arguments else '0'}).{name}()"
    check(parse(text).root, ENVIRONMENT)


def test_examples_of_the_documentation_check() -> None:
    examples = {
        documentation.example
        for declared in LIBRARIES.functions.values()
        for documentation in declared.documentation
        if documentation.example
    } | {macro.documentation.example for macro in LIBRARIES.macros.values()}
    for example in sorted(examples):
        parsed = parse(example)
        result = check(parsed.root, ENVIRONMENT)
        assert not parsed.errors, example
        assert not result.errors, (example, result.errors[0].message)
        assert str(result.type) == "bool", example


def test_identifiers_in_examples_are_known() -> None:
    root = parse("a.map(e, e.x + size(a))").root
    result = check(root, ENVIRONMENT)
    names = [found for found in walk(root) if isinstance(found, Identifier) and found in result.types]
    assert {found.name for found in names} == {"a", "e"}
