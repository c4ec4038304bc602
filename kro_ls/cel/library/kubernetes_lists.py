"""The functions on lists that Kubernetes adds (apiserver `pkg/cel/library/lists.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

_SUMMABLE = ("int", "uint", "double", "duration")
_COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")

FUNCTIONS = (
    function(
        "isSorted",
        Documentation("True when no element is smaller than the one before it.", "[1, 2, 2].isSorted()"),
        {f"list_{element}_is_sorted_bool": f"list({element}).() -> bool" for element in _COMPARABLE},
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
        {f"list_{element}_max_{element}": f"list({element}).() -> {element}" for element in _COMPARABLE},
    ),
    function(
        "min",
        Documentation("The smallest element.", "[3, 1, 2].min() == 1", "Fails with `min called on empty list`."),
        {f"list_{element}_min_{element}": f"list({element}).() -> {element}" for element in _COMPARABLE},
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

LIBRARY = Library(__name__, FUNCTIONS)
