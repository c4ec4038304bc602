"""Types: printing, parsing, equality, nominal acceptance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.types import types
from kro_ls.cel.types.types import Type, checker_name, parse_type

LEAVES = [
    types.ANY, types.BOOL, types.BYTES, types.DOUBLE, types.DURATION, types.DYN, types.INT, types.NULL, types.STRING,
    types.TIMESTAMP, types.UINT, types.IP, types.CIDR, types.QUANTITY, types.struct_type("__type_a.spec.items.@idx"),
    types.type_parameter("A"), types.wrapper_type(types.INT),
]  # fmt: skip


def all_types() -> st.SearchStrategy[Type]:
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            inner.map(types.list_type),
            st.builds(types.map_type, inner, inner),
            inner.map(types.optional_type),
            inner.map(types.type_of),
        ),
        max_leaves=6,
    )


@pytest.mark.parametrize(
    ("printed", "in_messages", "in_kro"),
    [
        (types.TIMESTAMP, "timestamp", "google.protobuf.Timestamp"),
        (types.DURATION, "duration", "google.protobuf.Duration"),
        (types.NULL, "null", "null_type"),
        (types.ANY, "any", "google.protobuf.Any"),
        (types.ERROR, "!error!", "error"),
        (types.type_parameter("_var0"), "_var0", "<_var0>"),
        (types.list_type(types.STRING), "list(string)", "list(string)"),
        (types.map_type(types.STRING, types.INT), "map(string, int)", "map(string, int)"),
        (types.optional_type(types.NULL), "optional_type(null)", "optional_type(null_type)"),
        (types.type_of(types.INT), "type(int)", "type(int)"),
        (types.TYPE, "type", "type"),
        (types.wrapper_type(types.INT), "wrapper(int)", "wrapper(int)"),
        (types.IP, "net.IP", "net.IP"),
        (types.struct_type("__type_schema.spec"), "__type_schema.spec", "__type_schema.spec"),
    ],
)
def test_both_printed_forms(printed: Type, in_messages: str, in_kro: str) -> None:
    assert checker_name(printed) == in_messages
    assert str(printed) == in_kro


@given(all_types())
def test_what_the_checker_prints_reads_back(printed: Type) -> None:
    read = parse_type(checker_name(printed))
    assert read == printed
    assert hash(read) == hash(printed)


@given(all_types(), all_types())
def test_equal_exactly_when_printed_alike(left: Type, right: Type) -> None:
    assert (left == right) == (checker_name(left) == checker_name(right))


@pytest.mark.parametrize("text", ["list(int", "map(int, string))", "", "a b", "list()x"])
def test_broken_type_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="type"):
        parse_type(text)


@pytest.mark.parametrize(
    ("expected", "given_type", "accepted"),
    [
        ("dyn", "int", True),
        ("int", "dyn", False),
        ("int", "int", True),
        ("double", "int", False),
        ("list(dyn)", "list(int)", True),
        ("list(int)", "list(dyn)", False),
        ("map(string, dyn)", "map(string, list(int))", True),
        ("optional_type(dyn)", "optional_type(bool)", True),
        ("optional_type(bool)", "bool", False),
        ("__type_a", "__type_a", True),
        ("__type_a", "__type_b", False),
        ("__type_a", "null", False),
        ("wrapper(int)", "null", True),
        ("null", "null", True),
        ("any", "null", True),
    ],
)
def test_nominal_acceptance(expected: str, given_type: str, *, accepted: bool) -> None:
    assert parse_type(expected).accepts(parse_type(given_type)) is accepted


def test_generic_means_that_a_type_parameter_occurs() -> None:
    assert parse_type("map(string, list(A))").is_generic
    assert not parse_type("map(string, list(dyn))").is_generic
