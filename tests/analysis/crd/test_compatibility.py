"""The comparison of an old and a new CRD."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.crd.compatibility import (
    Change,
    CompatibilityError,
    CompatibilityReport,
    compare_crds,
    compare_schemas,
)
from kro_ls.analysis.crd.generate import generate_crd
from kro_ls.analysis.simpleschema.builder import build_schema

SECTION = {"kind": "App", "apiVersion": "v1alpha1"}


def crd(spec: Any, types: Any = None) -> dict[str, Any]:
    result = build_schema(spec, types)
    assert result.schema is not None
    return generate_crd(SECTION, result.schema)


def compare(old: Any, new: Any) -> CompatibilityReport:
    return compare_crds(crd(old), crd(new))


def listed(changes: list[Change]) -> list[tuple[str, str]]:
    prefix = ".properties.spec"
    return [(change.kro_path.removeprefix(prefix), change.kro_type) for change in changes]


@pytest.mark.parametrize(
    ("old", "new", "breaking", "non_breaking"),
    [
        ("string", "integer", [(".properties.a.type", "TYPE_CHANGED")], []),
        ("string", None, [(".properties.a", "PROPERTY_REMOVED")], []),
        (
            "string | required=true",
            None,
            [(".properties.a", "PROPERTY_REMOVED")],
            [(".required", "REQUIRED_REMOVED")],
        ),
        (None, "string", [], [(".properties.a", "PROPERTY_ADDED")]),
        (None, "string | required=true", [(".properties.a", "PROPERTY_ADDED")], []),
        (None, "string | required=true default=x", [], [(".properties.a", "PROPERTY_ADDED")]),
        (None, "string | default=x", [], [(".default", "DEFAULT_CHANGED"), (".properties.a", "PROPERTY_ADDED")]),
        ("string", "string | required=true", [(".required", "REQUIRED_ADDED")], []),
        (
            "string | default=x",
            "string | required=true",
            [(".required", "REQUIRED_ADDED")],
            [(".default", "DEFAULT_CHANGED"), (".properties.a.default", "DEFAULT_CHANGED")],
        ),
        (
            "string | required=true default=x",
            "string | required=true",
            [(".required", "REQUIRED_DEFAULT_REMOVED")],
            [(".properties.a.default", "DEFAULT_CHANGED")],
        ),
        ("[]string", "[]integer", [(".properties.a.items.type", "TYPE_CHANGED")], []),
        ("map[string]string", "map[string]integer", [], []),
        ("object", {"b": "string | required=true"}, [(".properties.a.properties.b", "PROPERTY_ADDED")], []),
        ({"b": "string"}, "object", [(".properties.a.properties.b", "PROPERTY_REMOVED")], []),
        ("string", 'string | enum="a" immutable=true validation="true"', [], []),
        ("[]string", "[]string | uniqueItems=true", [], []),
        (
            'string | enum="a,b"',
            'string | enum="b,c"',
            [(".properties.a.enum", "ENUM_RESTRICTED")],
            [(".properties.a.enum", "ENUM_EXPANDED")],
        ),
        ("string", "string | pattern=x", [(".properties.a.pattern", "PATTERN_ADDED")], []),
        ("string | pattern=y", "string | pattern=x", [(".properties.a.pattern", "PATTERN_CHANGED")], []),
        ("string | pattern=y", "string", [], [(".properties.a.pattern", "PATTERN_REMOVED")]),
        ("string", "string | description=x", [], [(".properties.a.description", "DESCRIPTION_CHANGED")]),
        ("string", "string | minLength=0", [(".properties.a.minLength", "MIN_LENGTH_ADDED")], []),
        ("string | maxLength=3", "string", [], [(".properties.a.maxLength", "MAX_LENGTH_REMOVED")]),
        (
            "[]string | minItems=1 maxItems=5",
            "[]string | minItems=2 maxItems=6",
            [(".properties.a.minItems", "MIN_ITEMS_INCREASED")],
            [(".properties.a.maxItems", "MAX_ITEMS_INCREASED")],
        ),
        (
            "integer | minimum=2 maximum=5",
            "integer | minimum=1 maximum=4",
            [(".properties.a.maximum", "MAXIMUM_DECREASED")],
            [(".properties.a.minimum", "MINIMUM_DECREASED")],
        ),
    ],
)
def test_changes_of_a_field(old: Any, new: Any, breaking: list[Any], non_breaking: list[Any]) -> None:
    report = compare({} if old is None else {"a": old}, {} if new is None else {"a": new})
    assert (listed(report.breaking), listed(report.non_breaking)) == (breaking, non_breaking)
    assert bool(report.breaking) == bool(breaking)
    assert report.has_changes == bool(breaking or non_breaking)


@pytest.mark.parametrize(
    ("old", "new", "summary"),
    [
        ({}, {}, "no breaking changes"),
        ({"a": "string", "b": "string"}, {}, "Property a was removed; Property b was removed"),
        (
            dict.fromkeys("abcde", "string"),
            {},
            "Property a was removed; Property b was removed; Property c was removed; and 2 more changes",
        ),
        ({}, {"x.y": "string | required=true"}, "Optional property y was added"),
        (
            {"a": "integer | minimum=1 maximum=5"},
            {"a": "integer | minimum=2 maximum=4"},
            "Minimum was increased from 1 to 2; Maximum was decreased from 5 to 4",
        ),
        ({"a": "float"}, {"a": "float | maximum=1.5e22"}, "Maximum constraint 15000000000000000000000 was added"),
        ({"a": "float"}, {"a": "float | minimum=0.5e-6"}, "Minimum constraint 0.0000005 was added"),
        ({"a": 'string | enum="a,b"'}, {"a": 'string | enum="b"'}, 'Enum value "a" was removed'),
        ({"a": "string | pattern=x"}, {"a": "string | pattern=y"}, "Validation pattern changed from x to y"),
        ({"a": "string"}, {"a": "integer"}, "Type changed from string to integer"),
        ({"a": "string"}, {"a": "string | required=true"}, "Field a is newly required"),
        (
            {"a": "string | required=true default=x"},
            {"a": "string | required=true"},
            "Default value removed from required field a",
        ),
        ({"a": "[]string"}, {"a": "[]string | maxItems=3"}, "MaxItems constraint 3 was added"),
    ],
)
def test_summary(old: Any, new: Any, summary: str) -> None:
    assert compare(old, new).summary == summary


def test_texts_of_harmless_changes() -> None:
    old = {"a": "string | description=x default=y minLength=2", "b": "string | required=true"}
    new = {"a": 'string | description=z default="y w" minLength=1', "b": "string"}
    assert [change.description for change in compare(old, new).non_breaking] == [
        "Default value was changed from  to {}",
        "Description field was changed from x to z",
        'Default value was changed from "y" to "y w"',
        "MinLength was decreased from 2 to 1",
        "Field b is no longer required",
    ]


def test_items_added_and_removed() -> None:
    bare = {"type": "array"}
    full = {"type": "array", "items": {"type": "string"}}
    assert [change.kro_type for change in compare_schemas(full, bare).breaking] == ["PROPERTY_REMOVED"]
    assert [change.kro_type for change in compare_schemas(bare, full).non_breaking] == ["PROPERTY_ADDED"]


def test_versions() -> None:
    old, new = crd({}), crd({})
    new["spec"]["versions"][0]["name"] = "v1"
    (change,) = compare_crds(old, new).breaking
    assert (change.kro_path, change.description) == ("version", "Type changed from v1alpha1 to v1")


def test_served_and_status_subresource() -> None:
    old, new = crd({}), crd({})
    new["spec"]["versions"][0] |= {"served": False, "subresources": {}}
    report = compare_crds(old, new)
    assert [(change.kro_path, change.kro_type) for change in report.breaking] == [
        ("version.served", "TYPE_CHANGED"),
        ("version.subresources.status", "PROPERTY_REMOVED"),
    ]
    assert report.summary == "Type changed from true to false; Property status was removed"


def test_crds_that_cannot_be_compared() -> None:
    good, without_schema = crd({}), crd({})
    del without_schema["spec"]["versions"][0]["schema"]
    with pytest.raises(
        CompatibilityError, match="expected exactly one version in each CRD, got 1 old and 0 new versions"
    ):
        compare_crds(good, {})
    with pytest.raises(CompatibilityError, match="old version v1alpha1 has no schema"):
        compare_crds(without_schema, good)
    with pytest.raises(CompatibilityError, match="new version v1alpha1 has no schema"):
        compare_crds(good, without_schema)


def test_depth_is_bounded() -> None:
    schema: dict[str, Any] = {}
    for _ in range(300):
        schema = {"type": "array", "items": {"type": "object", "properties": {"a": schema}}}
    with pytest.raises(CompatibilityError, match="nested more than"):
        compare_schemas(schema, schema)


FIELDS = st.dictionaries(
    st.sampled_from("abc"),
    st.sampled_from(
        [
            "string",
            "integer | default=1 minimum=1",
            "integer | minimum=2 required=true",
            "string | default=x pattern=a",
            'string | enum="a,b" required=true',
            "[]string | minItems=1",
            "object",
        ]
    ),
)


@given(FIELDS, FIELDS)
def test_equal_schemas_have_no_changes_and_others_the_mirrored_ones(old: Any, new: Any) -> None:
    assert not compare(old, old).has_changes
    forth, back = compare(old, new), compare(new, old)
    assert forth.has_changes == back.has_changes
