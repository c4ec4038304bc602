"""The fields of an instance by their names in CEL are those that a selection finds."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.scope import InstanceFields, cut_down
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.openapi.cel_types import SchemaRoot

NAME = st.one_of(
    st.sampled_from(sorted(RESERVED_WORDS)),
    st.text("abé_-./$0", min_size=1, max_size=5),
    st.sampled_from(["__in__", "a__b", "a__dot__b", "_", "__"]),
)


@given(st.lists(NAME, unique=True, max_size=6), st.data())
def test_a_field_is_there_when_a_selection_finds_it(names, data) -> None:  # type: ignore[no-untyped-def]
    escaped = [each for each in map(escape, names) if each]
    selected = data.draw(st.one_of(NAME, *[st.sampled_from(each) for each in (names, escaped) if each]))
    _check_selection(names, selected)


def test_a_field_that_is_called_like_another_ones_escape() -> None:
    _check_selection(["in", "__in__"], "__in__")


def _check_selection(names: list[str], selected: str) -> None:
    fields: dict[str, Any] = {name: {"type": "string", "title": name} for name in names}
    spec: dict[str, Any] = {"type": "object", "properties": fields, "required": names[::2]}
    metadata: dict[str, Any] = {"type": "object", "properties": {}}
    instance = SchemaRoot("schema", {"type": "object", "properties": {"spec": spec, "metadata": metadata}})
    by_name = InstanceFields(instance)
    cut = cut_down(instance, frozenset({("spec", selected)}))
    found = by_name.get(selected)
    assert (found is None) == (cut is instance)
    if found is not None:
        schemas: Any = cut.schema["properties"]
        ((name, schema),) = schemas["spec"]["properties"].items()
        assert found == (id(schema), name in names[::2])
