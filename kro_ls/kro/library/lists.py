"""kro's functions that change one place of a list (kro `pkg/cel/library/lists.go`). Each returns a new list."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library

FUNCTIONS = (
    function(
        "lists.setAtIndex",
        Documentation(
            "The list with the element at the index replaced.",
            "lists.setAtIndex([1, 2, 3], 1, 5) == [1, 5, 3]",
            "`lists.setAtIndex: index <index> out of bounds [0, <size>)`.",
        ),
        {"lists.setAtIndex_list_int_T": "(list: list(T), index: int, value: T) -> list(T)"},
    ),
    function(
        "lists.insertAtIndex",
        Documentation(
            "The list with an element inserted before the index; the size of the list as index appends.",
            "lists.insertAtIndex([1, 3], 1, 2) == [1, 2, 3]",
            "`lists.insertAtIndex: index <index> out of bounds [0, <size>]`.",
        ),
        {"lists.insertAtIndex_list_int_T": "(list: list(T), index: int, value: T) -> list(T)"},
    ),
    function(
        "lists.removeAtIndex",
        Documentation(
            "The list without the element at the index.",
            "lists.removeAtIndex([1, 2, 3], 1) == [1, 3]",
            "`lists.removeAtIndex: index <index> out of bounds [0, <size>)`.",
        ),
        {"lists.removeAtIndex_list_int": "(list: list(T), index: int) -> list(T)"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
