"""The names of properties in expressions, by the rule in apiserver `pkg/cel/escaping.go`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape, field_name, selectable_name, unescape


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("name", "name"),
        ("namespace", "__namespace__"),
        ("in", "__in__"),
        ("var", "__var__"),
        ("my-field", "my__dash__field"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("a__b", "a__underscores__b"),
        ("a___b", "a__underscores___b"),
        ("_", "_"),
        ("-", "__dash__"),
        (".x", "__dot__x"),
        ("", None),
        ("2nd", None),
        ("$ref", None),
        ("two words", None),
        ("größe", None),
        ("a\n", None),
    ],
)
def test_escaping(name: str, escaped: str | None) -> None:
    assert escape(name) == escaped


@given(st.text(alphabet="ab_-./", min_size=1))
def test_escaped_names_are_identifiers_that_give_the_name_back(name: str) -> None:
    escaped = escape(name)
    assert escaped is not None
    assert escaped.isidentifier()
    assert unescape(escaped) == name


@pytest.mark.parametrize("name", ["a", "my-field", "a.b/c", "namespace", "a__b", "___", "x-y__z.", "in"])
def test_unescaping_inverts_escaping(name: str) -> None:
    escaped = escape(name)
    assert escaped is not None
    assert unescape(escaped) == name


@pytest.mark.parametrize("word", sorted(RESERVED_WORDS))
def test_reserved_words(word: str) -> None:
    assert escape(word) == field_name(word) == f"__{word}__"
    assert unescape(f"__{word}__") == word


@pytest.mark.parametrize("name", ["a__nothing__b", "__for", "__other__", "a__dash_b"])
def test_what_is_not_an_escaped_name(name: str) -> None:
    assert unescape(name) is None


def test_names_after_a_dot() -> None:
    assert selectable_name("__namespace__") == "namespace"
    assert selectable_name("__in__") == "__in__"
    assert selectable_name("__other__") == "__other__"
