"""cel-go's functions that compare lists as sets (cel-go `ext/sets.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

FUNCTIONS = (
    function(
        "sets.contains",
        Documentation("True when the first list has every element of the second.", "sets.contains([1, 2], [2])"),
        {"list_sets_contains_list": "(list: list(T), elements: list(T)) -> bool"},
    ),
    function(
        "sets.equivalent",
        Documentation("True when each list has every element of the other.", "sets.equivalent([1, 2], [2, 1, 1])"),
        {"list_sets_equivalent_list": "(list: list(T), other: list(T)) -> bool"},
    ),
    function(
        "sets.intersects",
        Documentation("True when the lists have an element in common.", "sets.intersects([1, 2], [2, 3])"),
        {"list_sets_intersects_list": "(list: list(T), other: list(T)) -> bool"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
