"""kro's functions that merge maps (kro `pkg/cel/library/maps.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library

FUNCTIONS = (
    function(
        "merge",
        Documentation(
            "The entries of both maps; where both have a key the other map wins. Both must have the same types of keys "
            "and values. A struct is not a map: write `dyn(x).merge(...)`.",
            "{'a': 1, 'b': 2}.merge({'b': 3}) == {'a': 1, 'b': 3}",
        ),
        {"map_merge": "map(K, V).(other: map(K, V)) -> map(K, V)"},
    ),
    function(
        "deepMerge",
        Documentation(
            "The entries of both maps, with maps under the same key merged again; otherwise the other map wins. The "
            "result is not type checked.",
            "{'a': {'x': 1}}.deepMerge({'a': {'y': 2}}) == {'a': {'x': 1, 'y': 2}}",
            "A side that is not a map fails with `no such overload`.",
        ),
        {"dyn_deepmerge_dyn": "dyn.(other: dyn) -> dyn"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
