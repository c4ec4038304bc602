"""Pruning, defaulting and validation, rule by rule."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.rgd_schema import RGD_SCHEMA
from kro_ls.openapi.json_values import JsonObject, JsonValue
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.admission import Admission, admit, faults
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, Path, go_json, go_number, place_of
from kro_ls.openapi.validation.keywords import keyword_errors

CHECKED = '<nil>: Invalid value: "": Checked value must be of type'
BOUNDARY = '<nil>: Invalid value: "": Maximum boundary value must be of type'
NO_PATTERN = "should match '(, but pattern is invalid: error parsing regexp: missing closing ): `(`'"


def errors(value: JsonValue, schema: JsonObject) -> list[str]:
    """The texts for a field `f` of an object."""
    root: JsonObject = {"type": "object", "properties": {"f": schema}}
    return [error.text.replace("f in body", "_") for error in keyword_errors({"f": value}, root)]


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ("a", {"type": "string"}, []),
        (1, {"type": "string"}, ['f: Invalid value: "integer": _ must be of type string: "integer"']),
        (None, {"type": "string"}, ['f: Invalid value: "null": _ must be of type string: "null"']),
        (None, {"type": "string", "nullable": True}, []),
        (None, {}, []),
        (1.0, {"type": "integer"}, []),
        (
            1.5,
            {"type": "integer"},
            [
                'f: Invalid value: "number": _ must be of type integer: "number"',
                f"{CHECKED} integer (default format) in f",
            ],
        ),
        (1, {"type": "number"}, []),
        (True, {"type": "integer"}, ['f: Invalid value: "boolean": _ must be of type integer: "boolean"']),
        (True, {"type": "integer", "format": "int32"}, ['f: Invalid value: "": _ must be of type int32: ""']),
        (1, {"x-kubernetes-int-or-string": True}, []),
        ("1%", {"x-kubernetes-int-or-string": True}, []),
        (
            [],
            {"x-kubernetes-int-or-string": True},
            ['f: Invalid value: "array": _ must be of type integer,string: "array"'],
        ),
        # A list passes for a string with a format: the API server looks no further.
        ([1], {"type": "string", "format": "date"}, []),
        (3, {"type": "string", "format": "date"}, ['f: Invalid value: "int64": _ must be of type date: "int64"']),
        ("x", {"type": "string", "format": "date"}, ['f: Invalid value: "x": _ must be of type date: "x"']),
        ("x", {"type": "string", "format": "unheard-of"}, []),
    ],
)
def test_types_and_formats(value: JsonValue, schema: JsonObject, expected: list[str]) -> None:
    assert errors(value, schema) == expected


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ("abc", {"maxLength": 2}, ["f: Too long: may not be more than 2 bytes"]),
        ("ab", {"maxLength": 1}, ["f: Too long: may not be more than 1 byte"]),
        ("é😀", {"maxLength": 2, "minLength": 2}, []),
        ("a", {"minLength": 2, "pattern": "b"}, ['f: Invalid value: "a": _ should be at least 2 chars long']),
        ("a\n", {"pattern": "^b$"}, ['f: Invalid value: "a\\n": _ should match \'^b$\'']),
        ("a", {"pattern": r"\p{Greek}"}, ['f: Invalid value: "a": _ should match \'\\p{Greek}\'']),
        ("a", {"pattern": "(.?){1000}" * 5}, []),
        ("a", {"pattern": "("}, [f'f: Invalid value: "a": _ {NO_PATTERN}']),
        ("c", {"enum": ["a", 1]}, ['f: Unsupported value: "c": supported values: "a", "1"']),
        (2, {"enum": [1.5, None]}, ['f: Unsupported value: 2: supported values: "1.5", "null"']),
        (None, {"nullable": True, "enum": ["a"]}, ['f: Unsupported value: null: supported values: "a"']),
        (1, {"enum": [1.0]}, []),
        (True, {"enum": [1]}, ['f: Unsupported value: true: supported values: "1"']),
        ({"a": 1}, {"enum": [{"a": 1}]}, []),
        ([1], {"minItems": 2}, ["f: Invalid value: 1: _ should have at least 2 items"]),
        ([1, 2], {"maxItems": 1}, ["f: Too many: 2: must have at most 1 item"]),
        ([1, 1.0, 2], {"uniqueItems": True}, []),
        ([{"a": 1}, {"a": 1}], {"uniqueItems": True}, ['f: Invalid value: "": _ shouldn\'t contain duplicates']),
        ({}, {"minProperties": 1}, ["f: Invalid value: 0: _ should have at least 1 properties"]),
        ({"a": 1, "b": 2}, {"maxProperties": 1}, ["f: Too many: 2: must have at most 1 item"]),
        ({"a": 1}, {"additionalProperties": False}, ['f: Invalid value: "a": f.a in body is a forbidden property']),
        ({"a": 1}, {"additionalProperties": {"enum": [2]}}, ['f.a: Unsupported value: 1: supported values: "2"']),
        ({}, {"required": ["a"]}, ["f.a: Required value"]),
        ([{}], {"items": {"required": ["a"]}}, ["f[0].a: Required value"]),
    ],
)  # fmt: skip
def test_keywords(value: JsonValue, schema: JsonObject, expected: list[str]) -> None:
    assert errors(value, schema) == expected


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (3, {"maximum": 3, "minimum": 3}, []),
        (4, {"maximum": 3}, ["f: Invalid value: 4: _ should be less than or equal to 3"]),
        (3, {"maximum": 3, "exclusiveMaximum": True}, ["f: Invalid value: 3: _ should be less than 3"]),
        (2.5, {"minimum": 3}, ["f: Invalid value: 2.5: _ should be greater than or equal to 3"]),
        (3.0, {"minimum": 3, "exclusiveMinimum": True}, ["f: Invalid value: 3: _ should be greater than 3"]),
        # Without a type an integer is compared with the bound cut to an integer.
        (3, {"maximum": 3.7}, []),
        (4, {"minimum": float("-inf")}, []),
        (4, {"maximum": 3.7}, ["f: Invalid value: 4: _ should be less than or equal to 3"]),
        (5, {"multipleOf": 2}, ["f: Invalid value: 5: _ should be a multiple of 2"]),
        (0.3, {"multipleOf": 0.1}, []),
        (0.35, {"multipleOf": 0.1}, ["f: Invalid value: 0.35: _ should be a multiple of 0.1"]),
        (1, {"multipleOf": 0}, ["f: Invalid value: 0: factor MultipleOf declared for f must be positive: 0"]),
        (2**31, {"type": "integer", "format": "int32"}, [f"{CHECKED} integer with format int32 in f"]),
        (1, {"type": "integer", "maximum": 1.5}, [f"{BOUNDARY} integer (default format) in f"]),
        (1e39, {"type": "number", "format": "float"}, [f"{CHECKED} number with format float in f"]),
        (1e300, {"type": "number", "format": "double"}, []),
    ],
)  # fmt: skip
def test_numbers(value: JsonValue, schema: JsonObject, expected: list[str]) -> None:
    assert errors(value, schema) == expected


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ("a", {"anyOf": [{"pattern": "^b"}, {"pattern": "^a"}]}, []),
        (
            "c",
            {"anyOf": [{"pattern": "^b"}, {"pattern": "^a"}]},
            [
                '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)',
                "f: Invalid value: \"c\": _ should match '^b'",
            ],
        ),
        (
            {"a": 1},
            # The second branch passes more checks, so its errors are the ones shown.
            {"anyOf": [{"required": ["z"]}, {"properties": {"a": {"minimum": 1}}, "required": ["y"]}]},
            ['<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)', "f.y: Required value"],
        ),
        (
            {},
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            [
                '<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found none valid',
                "f.a: Required value",
            ],
        ),
        (
            {"a": 1, "b": 1},
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            ['<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
        ),
        (
            "a",
            {"allOf": [{"minLength": 2}, {"maxLength": 3}]},
            [
                'f: Invalid value: "a": _ should be at least 2 chars long',
                '<nil>: Invalid value: "": "f" must validate all the schemas (allOf)',
            ],
        ),
        (
            "a",
            {"allOf": [{"minLength": 2}]},
            [
                'f: Invalid value: "a": _ should be at least 2 chars long',
                '<nil>: Invalid value: "": "f" must validate all the schemas (allOf). None validated',
            ],
        ),
        ("a", {"not": {"enum": ["a"]}}, ['<nil>: Invalid value: "": "f" must not validate the schema (not)']),
        ("b", {"not": {"enum": ["a"]}}, []),
    ],
)
def test_branches(value: JsonValue, schema: JsonObject, expected: list[str]) -> None:
    assert errors(value, schema) == expected


def test_errors_carry_the_path_of_the_value() -> None:
    schema: JsonObject = {"properties": {"a": {"items": {"required": ["b"], "anyOf": [{"minProperties": 3}]}}}}
    found = keyword_errors({"a": [{}]}, schema)
    assert {error.path for error in found} == {("a", 0), ("a", 0, "b")}


WIDGET: JsonObject = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "size": {"type": "integer", "default": 1},
                "name": {"type": "string", "nullable": True, "default": "n"},
                "nested": {"type": "object", "default": {}, "properties": {"deep": {"type": "string", "default": "d"}}},
                "optional": {"type": "object", "properties": {"deep": {"type": "string", "default": "d"}}},
                "plain": {"type": "string"},
                "map": {"type": "object", "additionalProperties": {"type": "integer", "default": 7}},
                "list": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}},
                },
                "free": {"type": "object", "additionalProperties": True},
                "open": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": {"type": "object", "properties": {"a": {"type": "string"}}}},
                },
                "raw": {"x-kubernetes-preserve-unknown-fields": True},
                "object": {
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "properties": {"spec": {"type": "object"}},
                },
            },
        }
    },
}


def places(admission: Admission) -> tuple[str, ...]:
    return tuple(map(place_of, admission.unknown_fields))


def admitted(**spec: JsonValue) -> tuple[JsonValue, tuple[str, ...]]:
    value: JsonObject = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}
    before = deepcopy(value)
    admission = admit(value, WIDGET)
    assert value == before
    assert admission.defaulted["metadata"] == {"name": "w"}
    stored = admission.defaulted["spec"]
    assert isinstance(stored, dict)
    filled = {"size": 1, "name": "n", "nested": {"deep": "d"}}
    return {name: stored[name] for name in stored if stored[name] != filled.get(name)}, places(admission)


def test_defaults_fill_in_what_is_absent() -> None:
    assert admitted() == ({}, ())
    assert admitted(size=2, name=None) == ({"size": 2, "name": None}, ())
    assert admitted(optional={}) == ({"optional": {"deep": "d"}}, ())
    assert admitted(list=[{}, {"a": "y"}]) == ({"list": [{"a": "x"}, {"a": "y"}]}, ())


def test_nulls_that_are_not_allowed_go_or_become_the_default() -> None:
    assert admitted(size=None, plain=None) == ({}, ())
    assert admitted(map={"a": None, "b": 1}) == ({"map": {"a": 7, "b": 1}}, ())


def test_unknown_fields_are_pruned() -> None:
    assert admitted(sise=1, list=[{"b": 1}])[1] == ("spec.list[0].b", "spec.sise")
    assert admitted(free={"a": {"b": 1}, "c": 2}) == ({"free": {"a": {}, "c": 2}}, ("spec.free.a.b",))
    assert admitted(plain={"a": [{"b": 1}]}) == ({"plain": {}}, ("spec.plain.a",))


def test_preserved_fields_stay() -> None:
    value: JsonObject = {"x": [{"y": 1}], "known": {"a": "s"}}
    assert admitted(open=value) == ({"open": value}, ())
    assert admitted(open={"known": {"b": 1}})[1] == ("spec.open.known.b",)
    assert admitted(raw=[{"a": [{"b": 1}]}]) == ({"raw": [{"a": [{"b": 1}]}]}, ())


def test_embedded_resources_keep_their_object_fields() -> None:
    value: JsonObject = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {}}
    assert admitted(object=value) == ({"object": value}, ())
    admission = admit({"spec": {"object": {"kind": "9", "apiVersion": "a/b/c", "metadata": 3, "x": 1}}}, WIDGET)
    texts = [error.text for error in admission.errors]
    assert places(admission) == ("spec.object.x",)
    assert 'spec.object.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c' in texts
    assert any(text.startswith('spec.object.kind: Invalid value: "9": may have mixed case') for text in texts)
    assert "spec.object.metadata: Invalid value: 3: must be an object" in texts
    missing = [error.text for error in admit({"spec": {"object": {"kind": ""}}}, WIDGET).errors]
    assert missing == [
        "spec.object.apiVersion: Required value",
        'spec.object.kind: Invalid value: "": must not be empty',
    ]


def list_errors(items: list[JsonValue], **keywords: JsonValue) -> list[str]:
    schema: JsonObject = {
        "properties": {
            "m": {"additionalProperties": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}}}
        }
    }
    schema["properties"]["m"]["additionalProperties"].update(keywords)  # type: ignore[index,call-overload,union-attr]  # made above
    return [error.text for error in admit({"m": {"k": items}}, schema).errors]


def test_lists_that_are_sets() -> None:
    assert list_errors([1, True, "1", 1.5], **{"x-kubernetes-list-type": "set"}) == []
    assert list_errors(["a", "b", "a", "a"], **{"x-kubernetes-list-type": "set"}) == ['m[k][2]: Duplicate value: "a"']
    assert list_errors([{"a": 1}, {"a": 1}], **{"x-kubernetes-list-type": "set"}) == [
        'm[k][1]: Duplicate value: {"a":1}'
    ]
    assert list_errors(["a", "a"], **{"x-kubernetes-list-type": "atomic"}) == []


def test_lists_that_are_maps() -> None:
    one: JsonObject = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
    assert list_errors([{"name": "a"}, {"name": "b"}, {}], **one) == []
    assert list_errors([{"name": "a"}, {"name": "a", "x": 1}], **one) == ['m[k][1]: Duplicate value: {"name":"a"}']
    assert list_errors([{}, {"x": 1}], **one) == ["m[k][1]: Duplicate value: {}"]
    two: JsonObject = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "name"]}
    items: list[JsonValue] = [{"name": "a", "port": 1}, {"name": "a", "port": 2}, {"name": "a", "port": 1}]
    assert list_errors(items, **two) == ['m[k][2]: Duplicate value: {"name":"a","port":1}']
    assert list_errors([{}, "x"], **one) == [
        'm[k][1]: Invalid value: "x": must be an object for an array of list-type map'
    ]


def test_rules_are_evaluated_by_the_function_given() -> None:
    schema: JsonObject = {**WIDGET, "x-kubernetes-validations": [{"rule": "self.spec.size > 1"}]}
    refusal = FieldError(("spec",), ErrorType.INVALID, "spec: Invalid value: no", "no")
    seen: list[JsonObject] = []

    def evaluate(value: JsonObject, given: JsonObject, _old: JsonObject | None) -> list[FieldError]:
        assert given is schema
        seen.append(value)
        return [refusal]

    admission = admit({"spec": {}}, schema, evaluate)
    assert admission.errors == (refusal,)
    assert seen == [admission.defaulted]
    assert admit({"spec": {}}, schema).errors == ()


def test_rules_are_not_evaluated_on_objects_of_the_wrong_shape() -> None:
    schema: JsonObject = {**WIDGET, "x-kubernetes-validations": [{"rule": "true"}]}
    texts = [error.text for error in admit({"spec": 3}, schema, lambda *_: pytest.fail("evaluated")).errors]
    assert len(texts) == 2
    assert texts[1] == (
        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
        "correct the existing errors to complete validation"
    )
    assert len(admit({"spec": 3}, WIDGET, lambda *_: []).errors) == 1


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        ({"id": "a", "template": {}}, []),
        ({"id": "a", "template": None}, ["spec.resources[0]: Invalid value: exactly one of template or externalRef"]),
        ({"id": "a"}, ["spec.resources[0]: Invalid value: exactly one of template or externalRef"]),
        (
            {"id": "a", "template": {}, "externalRef": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "n"}}},
            ["spec.resources[0]: Invalid value: exactly one of template or externalRef"],
        ),
        (
            {"id": "a", "externalRef": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "n", "selector": {}}}},
            ["spec.resources[0].externalRef.metadata: Invalid value: exactly one of name or selector"],
        ),
    ],
)
def test_rules_of_resource_graph_definitions(resource: JsonObject, expected: list[str]) -> None:
    rgd: JsonObject = {"spec": {"schema": {"apiVersion": "v1", "kind": "A"}, "resources": [resource]}}
    found = [error.text for error in admit(rgd, RGD_SCHEMA, rule_errors).errors]
    assert [text.removesuffix(" must be provided") for text in found] == expected


def test_go_notation() -> None:
    assert go_quoted('a"\\\n\té\x00\u200b😀') == '"a\\"\\\\\\n\\té\\x00\\u200b😀"'
    numbers = [0.0, 1.0, -2.5, 123456.5, 1e6, -1.5e21, 1.5e-5, 0.0001, 100.0, float("inf"), 123456789.125]
    assert [go_number(number) for number in numbers] == [
        *("0", "1", "-2.5", "123456.5", "1e+06", "-1.5e+21", "1.5e-05", "0.0001", "100", "+Inf", "1.23456789125e+08")
    ]
    assert go_json({"b": [1.0, None, True, 1e-7, 1e20], "a": "<é>"}) == (
        '{"a":"\\u003cé\\u003e","b":[1,null,true,1e-7,100000000000000000000]}'
    )


def schemas(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[JsonObject]:
    """Schemas of any shape; `keywords` are further ones that a schema may have."""
    return st.recursive(
        st.fixed_dictionaries(
            {},
            optional={
                "type": st.sampled_from(["string", "integer", "object", "array", "number", "boolean", 3]),
                "format": st.sampled_from(["int32", "date", "float", "uri", ""]),
                "enum": st.lists(st.integers() | st.text(max_size=2), max_size=2),
                "nullable": st.booleans(),
                "maximum": st.integers() | st.floats(allow_nan=False),
                "multipleOf": st.floats(allow_nan=False, allow_infinity=False),
                "pattern": st.sampled_from(["^a", "(", "[a-z]+"]),
                "required": st.lists(st.sampled_from("ab"), max_size=1),
                "x-kubernetes-list-type": st.sampled_from(["set", "map", "x"]),
                "x-kubernetes-embedded-resource": st.booleans(),
                "x-kubernetes-preserve-unknown-fields": st.booleans(),
                **keywords,
            },
        ),
        lambda inner: st.fixed_dictionaries(
            {},
            optional={
                "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
                "items": inner,
                "additionalProperties": inner | st.booleans(),
                "anyOf": st.lists(inner, max_size=2),
                "not": inner,
            },
        ),
        max_leaves=5,
    )


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "kind"]), inner, max_size=3),
    max_leaves=6,
)


objects = st.dictionaries(st.sampled_from(["a", "b", "metadata"]), values, max_size=3)
defaults: st.SearchStrategy[Any] = st.none() | st.integers() | st.just({}) | st.just({"a": [1]})


def value_at(value: JsonValue, path: Path) -> JsonValue:
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


@given(objects, schemas(default=defaults))
def test_the_paths_of_an_outcome_lead_into_the_value(value: JsonObject, schema: JsonObject) -> None:
    before = deepcopy(value)
    admission = admit(value, schema)
    assert value == before
    for path in admission.unknown_fields:
        value_at(value, path)
    for error in admission.errors:
        value_at(admission.defaulted, error.path[:-1])
        assert error.text.endswith(error.message)


@given(objects, schemas())
def test_what_is_stored_is_admitted_as_it_is(value: JsonObject, schema: JsonObject) -> None:
    """Except for defaults, which nothing prunes."""
    admission = admit(value, schema)
    again = admit(admission.defaulted, schema)
    assert again == Admission(admission.defaulted, (), admission.errors)


@given(objects, schemas(default=defaults))
def test_a_part_is_judged_as_it_is_in_its_object(value: JsonObject, schema: JsonObject) -> None:
    whole = admit({"part": value}, {"properties": {"part": schema}})
    part = faults(deepcopy(value), schema)
    assert [("part", *path) for path in part.unknown_fields] == list(whole.unknown_fields)
    assert [("part", *error.path) for error in part.errors] == [error.path for error in whole.errors]
    assert [error.type for error in part.errors] == [error.type for error in whole.errors]
