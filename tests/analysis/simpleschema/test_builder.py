"""Schemas from `spec` and `types`: assembly of objects, custom types, errors in kro's order with their places."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.simpleschema.builder import MAX_DEPTH, MAX_NODES, build_schema
from kro_ls.analysis.simpleschema.results import SchemaError, SchemaResult

STRING = {"type": "string"}


def schema(spec: Any, types: Any = None) -> Any:
    result = build_schema(spec, types)
    assert result.errors == ()
    return result.schema


def marked(error: SchemaError, spec: Any, types: Any = None) -> str | None:
    """Return the text under the error's span, None for an error about a whole node."""
    node: Any = spec if error.root == "spec" else types
    for name in error.path:
        node = node[name]
    return None if error.span is None else node[error.span.start : error.span.end]


def faults(spec: Any, types: Any = None) -> list[tuple[tuple[str, ...], str | None, str]]:
    return [
        ((error.root, *error.path), marked(error, spec, types), error.kro_message)
        for error in build_schema(spec, types).errors
    ]


def test_nothing_is_an_object() -> None:
    assert schema(None) == schema({}) == {"type": "object"}


def test_atomic_types_and_wrappers() -> None:
    spec = {"s": "string", "i": "integer", "b": "boolean", "f": "float", "o": "object", "l": "[]map[string]float"}
    assert schema(spec)["properties"] == {
        "s": STRING,
        "i": {"type": "integer"},
        "b": {"type": "boolean"},
        "f": {"type": "number"},
        "o": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "l": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "number"}}},
    }


def test_fields_keep_the_order_of_the_document() -> None:
    assert list(schema({"z": "string", "a": "string"})["properties"]) == ["z", "a"]


def test_required_is_sorted_and_keeps_duplicates() -> None:
    built = schema(
        {"b": "string | required=true required=true", "a": "string | required=1", "c": "string | required=f"}
    )
    assert built["required"] == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("spec", "with_default"),
    [
        ({"timeout": "integer | default=30"}, {()}),
        ({"name": "string | required=true", "timeout": "integer | default=30"}, set()),
        ({"outer": {"inner": {"r": "string | required=true", "o": "integer | default=1"}, "sib": "string"}}, set()),
        (
            {
                "outer": {
                    "inner": {"r": "string | required=true", "o": "integer | default=1"},
                    "sib": "string | default=s",
                }
            },
            {(), ("outer",)},
        ),
        ({"a": "string | required=true default=x"}, set()),
        ({"a": {"b": {"c": "string | default="}}}, {(), ("a",), ("a", "b")}),
        ({"a": "[]string | default="}, {()}),
        ({"a": "[]string | default=nonsense"}, {()}),
    ],
)
def test_defaults_bubble_up_to_the_first_object_with_a_required_field(spec: Any, with_default: set[Any]) -> None:
    built = schema(spec)
    found = set()
    pending: list[tuple[tuple[str, ...], Any]] = [((), built)]
    while pending:
        path, node = pending.pop()
        if node.get("default") == {}:
            found.add(path)
        pending += [((*path, name), child) for name, child in node.get("properties", {}).items()]
    assert found == with_default


def test_automatic_default_stays_inside_lists() -> None:
    built = schema({"a": "[]U"}, {"U": {"g": "integer | default=1"}})
    assert built["properties"]["a"]["items"]["default"] == {}
    assert "default" not in built["properties"]["a"]
    assert "default" not in built


# Custom types


def test_reference_takes_over_the_type_and_adds_to_it() -> None:
    types = {"T": 'string | default=x description="d" immutable=true enum="a,b"'}
    built = schema({"a": 'T | default=y immutable=true enum=c description=""', "b": "T"}, types)["properties"]
    rule = {"rule": "self == oldSelf", "message": "field is immutable"}
    assert built["a"] == {**STRING, "default": "y", "enum": ["c"], "x-kubernetes-validations": [rule, rule]}
    assert built["b"] == {
        **STRING,
        "default": "x",
        "description": "d",
        "enum": ["a", "b"],
        "x-kubernetes-validations": [rule],
    }


@pytest.mark.parametrize(
    ("field", "types", "required"),
    [
        ("T", {"T": "string | required=true"}, ["a"]),
        ("T | required=false", {"T": "string | required=true"}, ["a"]),
        ("T | required=true", {"T": "string | required=true"}, ["a", "a"]),
        ("U", {"U": "T", "T": "string | required=true"}, ["a"]),
        ("T", {"T": "string | required=true required=true"}, ["a"]),
        ("[]T", {"T": "string | required=true"}, None),
        ("map[string]T", {"T": "string | required=true"}, None),
        ("U", {"U": {"f": "T"}, "T": "string | required=true"}, None),
    ],
)
def test_required_types(field: str, types: Any, required: list[str] | None) -> None:
    assert schema({"a": field}, types).get("required") == required


def test_required_alias_in_a_struct() -> None:
    built = schema({"a": "U"}, {"U": {"f": "T", "g": "integer | default=1"}, "T": "string | required=true"})
    assert built["properties"]["a"]["required"] == ["f"]
    assert "default" not in built["properties"]["a"]


def test_explicit_default_replaces_the_automatic_one() -> None:
    built = schema({"a": 'U | default={"g":3}'}, {"U": {"g": "integer | default=1"}})
    assert built["properties"]["a"]["default"] == {"g": 3}


def test_types_may_stand_in_any_order_and_have_any_name() -> None:
    types = {"my type": "[]the.other", "the.other": {"x": "third-one"}, "third-one": "integer"}
    items = {"type": "object", "properties": {"x": {"type": "integer"}}}
    assert schema({"a": "my type"}, types)["properties"]["a"] == {"type": "array", "items": items}


def test_sharing_never_shows() -> None:
    built = schema({"a": "T | validation=x", "b": "T | validation=y", "c": "T"}, {"T": "[]string | listType=set"})
    assert [len(built["properties"][name].get("x-kubernetes-validations", ())) for name in "abc"] == [1, 1, 0]


# Errors


@pytest.mark.parametrize(
    ("value", "go_type"),
    [(123, "float64"), (1.5, "float64"), (True, "bool"), (["string"], "[]interface {}"), (None, "<nil>")],
)
def test_a_field_is_text_or_a_mapping(value: Any, go_type: str) -> None:
    assert faults({"a": {"b": value}}) == [(("spec", "a", "b"), None, f"field a: field b: unexpected type: {go_type}")]
    assert faults({}, {"T": {"b": value}}) == [
        (("types", "T", "b"), None, f"parsing type T: field b: unexpected type: {go_type}")
    ]


@pytest.mark.parametrize("section", ["text", ["a"], 1])
def test_sections_are_mappings(section: Any) -> None:
    assert [(error.root, error.path) for error in build_schema(section).errors] == [("spec", ())]
    assert [(error.root, error.path) for error in build_schema({}, section).errors] == [("types", ())]


def test_errors_name_the_chain_of_fields() -> None:
    assert faults({"a": {"b": "[]strng"}}) == [(("spec", "a", "b"), "strng", "field a: field b: unknown type: strng")]


def test_all_errors_come_in_the_order_of_kros_stages() -> None:
    spec = {"a": "string | minLength=x", "b": "Missing"}
    types = {"Z": {"f": "Missing | validation="}, "A": "integer | default=x", "B": "map[int]string"}
    assert faults(spec, types) == [
        (("types", "B"), "int", "parsing type B: map key must be string"),
        (("types", "Z", "f"), "Missing", "node Missing does not exist"),
        (("types", "A"), "x", "building schema for A: default value must be a valid integer, got: x"),
        (
            ("types", "Z", "f"),
            "validation=",
            "building schema for Z: field f: validation failed",
        ),
        (
            ("spec", "a"),
            "x",
            'field a: failed to parse minLength value: strconv.ParseInt: parsing "x": invalid syntax',
        ),
        (("spec", "b"), "Missing", "field b: unknown type: Missing"),
    ]


def test_markers_on_an_unknown_type_are_left_alone() -> None:
    spec = {"a": 'Missing | minLength=1 minItems=2 default=x enum="a,b" pattern="x" listType=set'}
    assert [error.code for error in build_schema(spec).errors] == ["unknown-type"]


def test_one_bad_field_leaves_the_others() -> None:
    result = build_schema({"a": "strng", "b": {"c": "string | required=maybe"}, "d": "string | required=true"})
    assert result.schema is None
    assert result.recovered == {
        "type": "object",
        "properties": {
            "a": {"x-kubernetes-preserve-unknown-fields": True},
            "b": {"type": "object", "properties": {"c": STRING}},
            "d": STRING,
        },
        "required": ["d"],
    }


def test_suggestions() -> None:
    def suggest(field: str) -> tuple[str, ...]:
        return build_schema({"a": field}, {"PortConfig": "string"}).errors[0].suggestions

    assert suggest("strng") == ("string",)
    assert suggest("[]int") == ("integer",)
    assert suggest("portConfig") == ("PortConfig",)
    assert suggest("string required=true") == ("string | required=true",)
    assert suggest("qwertyuiop") == ()


# Recursion


def test_a_type_cannot_hold_itself() -> None:
    types = {"A": {"x": {"y": "[]A"}}}
    assert faults({"a": "A"}, types) == [(("types", "A", "x", "y"), "A", "self references are not allowed")]


def test_a_cycle_is_reported_once_where_it_closes() -> None:
    types = {"A": "[]B", "B": {"x": "map[string]C"}, "C": "A | default=[]", "D": "A"}
    result = build_schema({"a": "D"}, types)
    (error,) = result.errors
    assert (error.root, error.path, marked(error, {}, types)) == ("types", ("C",), "A")
    assert error.kro_message == "cyclic dependency in type C: graph contains a cycle: C -> A -> B -> C"
    assert [(reference.path, reference.name) for reference in error.related] == [(("A",), "B"), (("B", "x"), "C")]
    assert result.recovered["properties"]["a"] == {"x-kubernetes-preserve-unknown-fields": True}


def test_long_chains_and_cycles_of_types() -> None:
    cycle = {f"T{number}": f"T{(number + 1) % 3000}" for number in range(3000)}
    assert [error.code for error in build_schema({"a": "T0"}, cycle).errors] == ["recursive-type"]
    chain = {f"T{number}": f"T{number - 1}" for number in range(1, 3000)} | {"T0": "string"}
    assert schema({"a": "T2999"}, chain)["properties"]["a"] == STRING


# Bounds


def test_expansion_is_bounded() -> None:
    types: dict[str, Any] = {"T0": "string"}
    types |= {f"T{number}": {"a": f"T{number - 1}", "b": f"T{number - 1}"} for number in range(1, 40)}
    result = build_schema({"a": "T39"}, types)
    assert {error.code for error in result.errors} == {"schema-too-large"}
    assert f"{MAX_NODES:,}" in result.errors[0].message


def test_depth_is_bounded() -> None:
    spec: dict[str, Any] = {}
    inner = spec
    for _ in range(900):
        inner["a"] = {}
        inner = inner["a"]
    assert [error.code for error in build_schema(spec, {"T": spec}).errors] == ["schema-too-large"] * 2
    types: dict[str, Any] = {"T0": "string"}
    types |= {f"T{number}": f"[]T{number - 1}" for number in range(1, 5 * MAX_DEPTH)}
    result = build_schema({"a": f"T{MAX_DEPTH - 5}"}, types)
    assert {error.code for error in result.errors} == {"schema-too-large"}
    assert not any(error.root == "spec" for error in result.errors)


# Facts


def result_of_people() -> SchemaResult:
    spec = {"owner": "Person", "team": "Team | default=[]", "nested": {"x": 'string | description="d" default=v'}}
    types = {
        "Team": "[]map[string]Person",
        "Person": {"name": "Name", "tags": "[]string"},
        "Name": "string | required=true",
    }
    return build_schema(spec, types)


def test_definitions() -> None:
    result = result_of_people()
    nested = result.definitions["spec", ("nested", "x")]
    assert nested.syntax is not None
    assert (str(nested.syntax.type), nested.description, nested.has_default, nested.default) == (
        "string",
        "d",
        True,
        "v",
    )
    default = nested.marker("default")
    assert default is not None
    assert default.value == "v"
    assert nested.marker("enum") is None
    assert result.definitions["types", ("Person", "name")].required
    assert not result.definitions["spec", ("owner",)].required
    assert result.definitions["spec", ()].schema is result.schema


def test_type_references() -> None:
    result = result_of_people()
    found = [(reference.root, reference.path, reference.name) for reference in result.type_references]
    assert sorted(found) == [
        ("spec", ("owner",), "Person"),
        ("spec", ("team",), "Team"),
        ("types", ("Person", "name"), "Name"),
        ("types", ("Team",), "Person"),
    ]


@pytest.mark.parametrize(
    ("path", "definition"),
    [
        ((), ("spec", ())),
        (("nested", "x"), ("spec", ("nested", "x"))),
        (("owner",), ("spec", ("owner",))),
        (("owner", "name"), ("types", ("Person", "name"))),
        (("team", None, None, "tags"), ("types", ("Person", "tags"))),
        (("team", None, "tags"), None),
        (("team", "tags"), None),
        (("owner", "name", "x"), None),
        (("owner", "nope"), None),
    ],
)
def test_definition_of_a_value(path: tuple[str | None, ...], definition: tuple[str, tuple[str, ...]] | None) -> None:
    found = result_of_people().definition_of(path)
    assert (None if found is None else (found.root, found.path)) == definition


def test_definition_in_a_cycle_ends() -> None:
    assert build_schema({"a": "A"}, {"A": "B", "B": "A"}).definition_of(("a", "x")) is None


def test_a_type_that_no_field_can_name_is_a_warning() -> None:
    result = build_schema({}, {"string": "integer", "fine": "integer", " x": "integer"})
    assert result.errors == ()
    assert [(warning.path, warning.code) for warning in result.warnings] == [
        (("string",), "unreachable-type"),
        ((" x",), "unreachable-type"),
    ]


TEXTS = st.one_of(
    st.sampled_from(
        ["string", "[]A", "B | required=true", "map[string]C", "A | default=x", "integer | enum=1,2", "", "|"]
    ),
    st.text(alphabet="ABC[]|= string{}\"'\\", max_size=15),
)
FIELDS = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(), st.lists(st.text(max_size=2), max_size=2)),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abc"), FIELDS, max_size=3), st.dictionaries(st.sampled_from("ABCD"), FIELDS))
def test_anything_gives_a_result(spec: Any, types: Any) -> None:
    result = build_schema(spec, types)
    assert (result.schema is None) == bool(result.errors)
    assert result.recovered["type"] == "object"
    for error in (*result.errors, *result.warnings):
        marked(error, spec, types)
        node: Any = spec if error.root == "spec" else types
        for name in error.path:
            node = node[name]
        if error.span is not None:
            assert 0 <= error.span.start <= error.span.end <= len(node)
    for reference in result.type_references:
        node = spec if reference.root == "spec" else types
        for name in reference.path:
            node = node[name]
        assert node[reference.span.start : reference.span.end] == reference.name
