"""The functions on lists: three libraries, two of cel-go (`ext/lists.go`, `ext/sets.go`) and one of Kubernetes.

Source of the latter: apiserver `pkg/cel/library/lists.go`. `first` and `last` are in the optional library.
"""

from __future__ import annotations

from kro_ls.cel.library import macros
from kro_ls.cel.types.declarations import Documentation, Library, MacroDeclaration, function

SORTABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SUMMABLE = ("int", "uint", "double", "duration")

FUNCTIONS = (
    function(
        "slice",
        Documentation(
            "The elements from `start` up to, not including, `end`.",
            "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
            "Negative indices, `start` after `end` or an `end` after the list fail with `cannot slice(...)`.",
        ),
        {"list_slice": "list(T).(start: int, end: int) -> list(T)"},
    ),
    function(
        "flatten",
        Documentation(
            "Puts the elements of inner lists in their place: one level, or as many as `depth` says.",
            "[[1, 2], [3]].flatten() == [1, 2, 3]",
            "A negative depth fails with `level must be non-negative`.",
        ),
        {"list_flatten": "list(list(T)).() -> list(T)", "list_flatten_int": "list(dyn).(depth: int) -> list(dyn)"},
    ),
    function(
        "sort",
        Documentation(
            "The elements in ascending order. They must all be of one type that can be ordered.",
            "[3, 1, 2].sort() == [1, 2, 3]",
            "`list elements must have the same type` or `list elements must be comparable`.",
        ),
        {f"list_{element}_sort": f"list({element}).() -> list({element})" for element in SORTABLE},
    ),
    function(
        "@sortByAssociatedKeys",
        Documentation("Orders a list by a list of keys of the same length; `sortBy` is made of it.", ""),
        {f"list_{key}_sortByAssociatedKeys": f"list(T).(keys: list({key})) -> list(T)" for key in SORTABLE},
    ),
    function(
        "lists.range",
        Documentation(
            "The integers from 0 up to, not including, `size`.",
            "lists.range(3) == [0, 1, 2]",
            "A negative size or one over 1000000 fails.",
        ),
        {"lists_range": "(size: int) -> list(int)"},
    ),
    function(
        "reverse",
        Documentation("The elements in opposite order.", "[1, 2, 3].reverse() == [3, 2, 1]"),
        {"list_reverse": "list(T).() -> list(T)"},
    ),
    function(
        "distinct",
        Documentation(
            "The elements without repetition; of equal ones the first stays.", "[1, 2, 1].distinct() == [1, 2]"
        ),
        {"list_distinct": "list(T).() -> list(T)"},
    ),
)

MACROS = (
    MacroDeclaration(
        "sortBy",
        "list",
        (("x", "key"),),
        Documentation(
            "The elements in ascending order of a key, which is computed from each element and must be a number, bool, "
            "string, bytes, duration or timestamp.",
            "['bb', 'a'].sortBy(x, size(x)) == ['a', 'bb']",
        ),
        macros.expand_sort_by,
    ),
)

_KUBERNETES_FUNCTIONS = (
    function(
        "isSorted",
        Documentation("True when no element is smaller than the one before it.", "[1, 2, 2].isSorted()"),
        {f"list_{element}_is_sorted_bool": f"list({element}).() -> bool" for element in SORTABLE},
    ),
    function(
        "sum",
        Documentation(
            "The sum of the numbers or durations of the list, zero when it is empty.",
            "[1, 2, 3].sum() == 6",
            "Out of range fails as the addition does.",
        ),
        {f"list_{element}_sum_{element}": f"list({element}).() -> {element}" for element in _SUMMABLE},
    ),
    function(
        "max",
        Documentation("The greatest element.", "[1, 3, 2].max() == 3", "Fails with `max called on empty list`."),
        {f"list_{element}_max_{element}": f"list({element}).() -> {element}" for element in SORTABLE},
    ),
    function(
        "min",
        Documentation("The smallest element.", "[3, 1, 2].min() == 1", "Fails with `min called on empty list`."),
        {f"list_{element}_min_{element}": f"list({element}).() -> {element}" for element in SORTABLE},
    ),
    function(
        "indexOf",
        Documentation("The index of the first element that is equal, or -1.", "['a', 'b'].indexOf('b') == 1"),
        {"list_a_index_of_int": "list(A).(element: A) -> int"},
    ),
    function(
        "lastIndexOf",
        Documentation("The index of the last element that is equal, or -1.", "['a', 'b', 'a'].lastIndexOf('a') == 2"),
        {"list_a_last_index_of_int": "list(A).(element: A) -> int"},
    ),
)
_SET_FUNCTIONS = (
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

LIBRARY = Library(__name__, FUNCTIONS, MACROS)
KUBERNETES = Library(__name__, _KUBERNETES_FUNCTIONS)
SETS = Library(__name__, _SET_FUNCTIONS)
