"""References between definitions."""

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.sources.ref_expansion import Definitions, reference_of


def definitions(**named: JsonObject) -> Definitions:
    return Definitions(named.get)


def refer(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def test_a_definition_without_references_is_itself() -> None:
    leaf: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert definitions(Leaf=leaf).resolve("Leaf") is leaf


def test_definitions_are_shared() -> None:
    source = definitions(
        A={"properties": {"x": refer("Leaf"), "y": {"type": "array", "items": refer("Leaf")}}}, Leaf={"type": "string"}
    )
    resolved = source.resolve("A")
    assert resolved == {"properties": {"x": {"type": "string"}, "y": {"type": "array", "items": {"type": "string"}}}}
    assert resolved is source.resolve("A")


def test_a_reference_replaces_what_stands_beside_it_but_the_description() -> None:
    source = definitions(
        A={"properties": {"x": {"allOf": [refer("Leaf")], "default": {}, "description": "why"}}},
        Leaf={"type": "object", "description": "what"},
    )
    assert source.resolve("A") == {"properties": {"x": {"type": "object", "description": "why"}}}


def test_an_unknown_definition() -> None:
    assert definitions().resolve("A") is None
    assert definitions(A={"items": refer("B")}).resolve("A") == {"items": {"type": "object"}}


def test_cycles_are_cut_where_they_close_whatever_was_asked_first() -> None:
    a: JsonObject = {"properties": {"b": refer("B")}}
    b: JsonObject = {"properties": {"a": refer("A")}}
    expected_a = {"properties": {"b": {"properties": {"a": {"type": "object"}}}}}
    expected_b = {"properties": {"a": {"properties": {"b": {"type": "object"}}}}}
    forwards = definitions(A=a, B=b)
    assert (forwards.resolve("A"), forwards.resolve("B")) == (expected_a, expected_b)
    backwards = definitions(A=a, B=b)
    assert (backwards.resolve("B"), backwards.resolve("A")) == (expected_b, expected_a)


def test_the_names_in_a_reference() -> None:
    assert reference_of({"$ref": "A"}) == "A"
    assert reference_of({"$ref": "#/definitions/io.k8s.A"}) == "io.k8s.A"
    assert reference_of({"allOf": [{"type": "string"}, {"$ref": "#/x/A"}]}) == "A"
    assert reference_of({"$ref": 1, "allOf": "?"}) is None


def test_many_definitions_that_all_refer_to_each_other_stay_bounded() -> None:
    names = [f"D{number}" for number in range(30)]
    everything: JsonObject = {"properties": {name: refer(name) for name in names}}
    resolved = Definitions(dict.fromkeys(names, everything).get).resolve("D0")
    assert resolved is not None
    assert resolved["properties"]


def test_deep_nesting_is_cut() -> None:
    deep: JsonObject = {"type": "string"}
    for _ in range(5_000):
        deep = {"items": deep}
    resolved = definitions(A=deep).resolve("A")
    assert resolved is not None


references = st.sampled_from(["A", "B", "C", "D"]).map(refer)
schemas = st.recursive(
    references | st.none() | st.just({"type": "string"}),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.fixed_dictionaries({}, optional={"properties": inner, "items": inner, "allOf": inner, "x": inner})
    ),
    max_leaves=8,
).filter(lambda value: isinstance(value, dict))


@given(st.fixed_dictionaries({"A": schemas, "B": schemas, "C": schemas}))
def test_any_data_resolves(named: dict[str, JsonObject]) -> None:
    source = Definitions(named.get)
    for name in named:
        assert source.resolve(name) is not None
