"""kro's reproducible random values (kro `pkg/cel/library/random.go`): the same seed gives the same value."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library

FUNCTIONS = (
    function(
        "random.seededString",
        Documentation(
            "A string of lower case letters and digits that depends only on its length and the seed. It repeats every "
            "8 characters, so more than 8 make it no more unique.",
            "random.seededString(10, 'seed') == 'qakd42wvqa'",
            "A length below 1 fails with `random.seededString length must be positive`.",
        ),
        {"random.seededString_int_string": "(length: int, seed: string) -> string"},
    ),
    function(
        "random.seededInt",
        Documentation(
            "An int from `min` up to, not including, `max` that depends only on the arguments.",
            "random.seededInt(0, 100, 'seed') == 42",
            "A `min` that is not less than `max` fails with `random.seededInt min must be less than max`.",
        ),
        {"random.seededInt_int_int_string": "(min: int, max: int, seed: string) -> int"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
