import pytest

from kro_ls.spelling import closest, similar

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
