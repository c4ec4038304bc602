"""The macros with two variables, and local variables (cel-go `ext/comprehensions.go`, `ext/bindings.go`)."""

from __future__ import annotations

from kro_ls.cel.library import macros
from kro_ls.cel.types.declarations import Documentation, Library, MacroDeclaration, function

FUNCTIONS = (
    function(
        "cel.@mapInsert",
        Documentation("Adds an entry to a map; `transformMap` and `transformMapEntry` are made of it.", ""),
        {
            "@mapInsert_map_key_value": "(map: map(K, V), key: K, value: V) -> map(K, V)",
            "@mapInsert_map_map": "(map: map(K, V), entries: map(K, V)) -> map(K, V)",
        },
    ),
)

TRANSFORM_MAP = MacroDeclaration(
    "transformMap",
    "list or map",
    (("k", "v", "transform"), ("k", "v", "predicate", "transform")),
    Documentation(
        "A map with the same keys (or the indices of a list) and the transformed values; with a predicate only "
        "where it holds.",
        "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
    ),
    macros.expand_transform_map,
)

MACROS = (
    MacroDeclaration(
        "existsOne",
        "list or map",
        (("i", "v", "predicate"),),
        Documentation(
            "True when the predicate holds for exactly one pair of index and element, or key and value. The form with "
            "one variable is called `exists_one`.",
            "[1, 2].existsOne(i, v, v > i + 1) == false",
        ),
        macros.expand_exists_one,
    ),
    MacroDeclaration(
        "transformList",
        "list or map",
        (("i", "v", "transform"), ("i", "v", "predicate", "transform")),
        Documentation(
            "The list of what each pair of index and element, or key and value, is transformed to; with a predicate "
            "only where it holds.",
            "['a', 'b'].transformList(i, v, v + string(i)) == ['a0', 'b1']",
        ),
        macros.expand_transform_list,
    ),
    TRANSFORM_MAP,
    MacroDeclaration(
        "transformMapEntry",
        "list or map",
        (("k", "v", "entry"), ("k", "v", "predicate", "entry")),
        Documentation(
            "The map of the entries that each pair is transformed to: the last argument is a map literal with one "
            "entry.",
            "['a', 'b'].transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}",
            "A key that occurs twice fails.",
        ),
        macros.expand_transform_map_entry,
    ),
)

BIND = MacroDeclaration(
    "bind",
    "cel",
    (("x", "value", "expression"),),
    Documentation(
        "Names a value: the result is `expression`, in which `x` stands for `value`.",
        "cel.bind(x, 'a' + 'b', x + x) == 'abab'",
    ),
    macros.expand_bind,
)

LIBRARY = Library(__name__, FUNCTIONS, MACROS)
BINDINGS = Library(__name__, macros=(BIND,))
