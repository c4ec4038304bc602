"""jsonschema as a second opinion on what is valid. Where Kubernetes differs from JSON Schema, nothing is generated.

That is null (`nullable`), formats, numbers that are whole but written with a point, bounds that are not whole, and
`int-or-string`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from kro_ls.openapi.validation.keywords import keyword_errors

_NAMES = st.sampled_from(["a", "b", "name"])
_NUMBERS = st.one_of(st.integers(-5, 12), st.integers(-5, 12).map(lambda number: number + 0.5))
_TEXTS = st.text("ab1-é", max_size=4)
_SIZES = st.integers(0, 3)
_LEAVES = st.one_of(st.booleans(), _NUMBERS, _TEXTS)
VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_NAMES, inner, max_size=3)),
    max_leaves=8,
)


def _some(required: dict[str, st.SearchStrategy[Any]], optional: dict[str, Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(required, optional=optional)


_WHOLE = st.integers(-5, 12)
_SCALARS = st.one_of(
    _some({"type": st.just("boolean")}, {}),
    _some({"type": st.just("integer")}, {"minimum": _WHOLE, "maximum": _WHOLE, "multipleOf": st.integers(1, 4)}),
    _some({"type": st.just("number")}, {"minimum": _WHOLE, "maximum": _WHOLE, "multipleOf": st.integers(1, 4)}),
    _some(
        {"type": st.just("number"), "minimum": _WHOLE, "maximum": _WHOLE},
        {"exclusiveMinimum": st.booleans(), "exclusiveMaximum": st.booleans()},
    ),
    _some(
        {"type": st.just("string")},
        {
            "minLength": _SIZES,
            "maxLength": _SIZES,
            "pattern": st.sampled_from(["^a", "1$", "a.*b", "^[a-z-]+$", "é|1"]),
        },
    ),
    _some({"type": st.just("string"), "enum": st.lists(_TEXTS, min_size=1, max_size=3)}, {}),
)


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    branches = st.lists(inner, min_size=1, max_size=3)
    lists = {"items": inner, "minItems": _SIZES, "maxItems": _SIZES, "uniqueItems": st.booleans()}
    names = {"required": st.lists(_NAMES, min_size=1, unique=True), "minProperties": _SIZES, "maxProperties": _SIZES}
    return st.one_of(
        _some({"type": st.just("array")}, lists),
        _some({"type": st.just("object"), "properties": st.dictionaries(_NAMES, inner, max_size=3)}, names),
        _some({"type": st.just("object"), "additionalProperties": st.one_of(st.just(value=False), inner)}, names),
        st.sampled_from(["anyOf", "oneOf", "allOf"]).flatmap(lambda word: _some({word: branches}, {})),
        _some({"not": inner}, {}),
    )


SCHEMAS = st.recursive(_SCALARS, _larger, max_leaves=6)


@given(schema=SCHEMAS, value=VALUES)
def test_both_say_the_same(schema: dict[str, Any], value: Any) -> None:
    assert (not keyword_errors(value, schema)) == Draft4Validator(schema).is_valid(value)
