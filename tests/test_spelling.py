import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.spelling import Spellings, closest, closest_among, is_similar, similar, similar_among

NAMES = ("string", "integer", "boolean", "readyWhen", "includeWhen", "name", "namespace", "replicas", "id")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("strng", "string"),
        ("stirng", "string"),
        ("String", "string"),
        ("boolena", "boolean"),
        ("intger", "integer"),
        ("readywhn", "readyWhen"),
        ("nam", "name"),
        ("is", "id"),
        ("replicasCount", "replicas"),
        ("namespaceOfTheObject", "namespace"),
        ("identifier", "id"),
        ("sr", None),
        ("object", None),
        ("x", None),
        ("", None),
        ("string" * 100, None),
    ],
)
def test_closest(name: str, meant: str | None) -> None:
    assert closest(name, NAMES) == meant


def test_the_best_comes_first_and_the_first_of_equals() -> None:
    assert similar("port", ["sort", "ports", "port1", "fort", "part", "Port"], most=4) == (
        "Port",
        "sort",
        "ports",
        "port1",
    )


def test_a_name_goes_on_after_the_longest_that_it_begins_with() -> None:
    assert similar("replicasOfTheDeployment", ["rep", "replicas", "repl"]) == ("replicas",)


def test_a_swap_counts_once() -> None:
    assert closest("abdc", ["abcd"]) == "abcd"
    assert closest("badc", ["abcd"]) is None


def test_the_same_but_for_case_is_closest_wherever_it_stands() -> None:
    assert closest("nameone", ("nameonx", "nameon", "other", "NameOne", "NAMEONE")) == "NameOne"
    assert closest("nameone", ("NAMEONE", "nameonx", "NameOne")) == "NAMEONE"
    assert closest("nameone", ("nameonx", "nameony", "other")) == "nameonx"


_NAMES = st.lists(st.text("abAB1é", max_size=6), max_size=8)


@given(st.text("abAB1é", max_size=8), _NAMES, st.integers(0, 8), st.text("abAB1é", max_size=6))
def test_names_in_groups_are_searched_as_those_of_one(name: str, names: list[str], cut: int, own: str) -> None:
    groups = [Spellings(tuple(names[:cut])), Spellings(tuple(names[cut:]))]
    for _ in range(2):  # the second search goes by what the first one worked out
        assert closest_among(name, groups) == closest(name, names)
    others = [each for each in names if each != own]
    assert closest_among(name, [group.without(own) for group in groups]) == closest(name, others)


@given(st.text("abAB1é", min_size=1, max_size=8), _NAMES)
def test_the_closest_is_the_best_of_those_that_are_similar(name: str, names: list[str]) -> None:
    assert closest(name, names) == next(iter(similar(name, names)), None)


@given(st.text("abAB1é", max_size=8), st.text("abAB1é", max_size=8))
def test_one_name_is_similar_where_a_search_finds_it(name: str, other: str) -> None:
    assert is_similar(name, other) == bool(similar(name, (other,)))


@given(st.lists(st.text("abAB1é", max_size=8), max_size=3), _NAMES)
def test_a_search_is_the_same_in_names_that_are_kept(wanted: list[str], names: list[str]) -> None:
    kept = Spellings(tuple(dict.fromkeys(names)))
    for name in wanted:
        assert similar_among(name, kept) == similar(name, names)
