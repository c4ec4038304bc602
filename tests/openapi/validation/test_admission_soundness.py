"""A value that one walk calls sound has no faults."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.kro.rgd_schema import RESOURCE, SCHEMA_SECTION
from kro_ls.openapi.validation.admission import is_sound
from kro_ls.openapi.validation.keywords import keyword_errors
from kro_ls.openapi.validation.structural_values import apply_defaults, drop_nulls, prune, structure_errors

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

SCHEMA: JsonObject = {
    "type": "object",
    "required": ["name", "scope"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"},
        "scope": {"type": "string", "enum": ["A", "B"], "default": "A"},
        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "any": {"x-kubernetes-preserve-unknown-fields": True},
        "flag": {"type": "boolean"},
        "port": {"type": "integer", "minimum": 1},
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "maxItems": 2},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
    },
}


def has_faults(value: JsonValue, schema: JsonObject) -> bool:
    """What `faults` finds where nothing is known of the value."""
    unknown = prune(value, schema)
    drop_nulls(value, schema)
    apply_defaults(value, schema)
    return bool(unknown or keyword_errors(value, schema) or structure_errors(value, schema))


@pytest.mark.parametrize(
    "value",
    [
        {"name": "a"},
        {"name": "a-b", "scope": "B", "open": {"x": [None, {"y": 1}]}, "any": [{}], "flag": True},
        {"name": "a", "set": ["x"], "map": {"x": 1}},
        {"name": "a", "any": None, "open": {"x": None}},
    ],
)
def test_an_ordinary_value_is_sound(value: JsonValue) -> None:
    assert is_sound(value, SCHEMA)
    assert not has_faults(deepcopy(value), SCHEMA)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"name": ""},
        {"name": "abcd"},
        {"name": "a\n"},
        {"name": "A"},
        {"name": None},
        {"name": "a", "scope": None},
        {"name": "a", "map": {"x": 1, "y": None}},
        {"name": "a", "scope": "C"},
        {"name": "a", "scop": "A"},
        {"name": "a", "flag": 1},
        {"name": "a", "port": 0},
        {"name": "a", "set": ["x", "x"]},
        {"name": "a", "set": "x"},
        {"name": "a", "map": {}},
        {"name": "a", "map": {"x": True}},
    ],
)
def test_a_value_with_a_fault_is_not_sound(value: JsonValue) -> None:
    assert not is_sound(value, SCHEMA)


def test_a_default_that_would_be_refused_is_left_to_the_validation() -> None:
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 1, "default": "xx"}}}
    assert has_faults({}, schema)
    assert not is_sound({}, schema)


_NAMES = st.sampled_from(
    [*SCHEMA["properties"], *RESOURCE["properties"], *SCHEMA_SECTION["properties"], "key", "metadata", "selector", "x"]  # type: ignore[misc]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "A", "v1", "abcd", "${a}", "Ab", "a\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=5),
    max_leaves=12,
)


@given(st.dictionaries(_NAMES, _VALUES), st.sampled_from([SCHEMA, RESOURCE, SCHEMA_SECTION]))
def test_whatever_is_called_sound_has_no_faults(value: dict[str, object], schema: JsonObject) -> None:
    json_value = cast("JsonObject", value)
    if is_sound(json_value, schema):
        assert not has_faults(deepcopy(json_value), schema)
