"""Optional values (cel-go `cel/library.go`). The operators `.?`, `[?]` and `[]` on optionals are in `operators`."""

from __future__ import annotations

from kro_ls.cel.library import macros
from kro_ls.cel.types.declarations import Documentation, Library, MacroDeclaration, function

FUNCTIONS = (
    function(
        "optional.of",
        Documentation("An optional that holds the value, even when it is null.", "optional.of(1).value() == 1"),
        {"optional_of": "(value: V) -> optional_type(V)"},
    ),
    function(
        "optional.ofNonZeroValue",
        Documentation(
            "An optional that holds the value, or is empty when the value is null, false, zero or empty.",
            "!optional.ofNonZeroValue('').hasValue()",
        ),
        {"optional_ofNonZeroValue": "(value: V) -> optional_type(V)"},
    ),
    function(
        "optional.none",
        Documentation(
            "An optional without a value; written into a resource it becomes null.", "!optional.none().hasValue()"
        ),
        {"optional_none": "() -> optional_type(V)"},
    ),
    function(
        "value",
        Documentation(
            "The value of the optional.",
            "optional.of('a').value() == 'a'",
            "An empty optional fails with `optional.none() dereference`.",
        ),
        {"optional_value": "optional_type(V).() -> V"},
    ),
    function(
        "hasValue",
        Documentation("True when the optional holds a value.", "optional.of(0).hasValue()"),
        {"optional_hasValue": "optional_type(V).() -> bool"},
    ),
    function(
        "or",
        Documentation(
            "The optional itself when it holds a value, else the other optional, evaluated only then.",
            "optional.none().or(optional.of(2)).value() == 2",
        ),
        {"optional_or_optional": "optional_type(V).(other: optional_type(V)) -> optional_type(V)"},
    ),
    function(
        "orValue",
        Documentation(
            "The value of the optional, else the given value of the same type, evaluated only then.",
            "{'a': 1}.?b.orValue(3) == 3",
        ),
        {"optional_orValue_value": "optional_type(V).(other: V) -> V"},
    ),
    function(
        "last",
        Documentation(
            "The last element of the list, as an optional that is empty for an empty list.",
            "[1, 2].last().value() == 2",
        ),
        {"list_last": "list(V).() -> optional_type(V)"},
    ),
    function(
        "first",
        Documentation(
            "The first element of the list, as an optional that is empty for an empty list.",
            "[1, 2].first().value() == 1",
        ),
        {"list_first": "list(V).() -> optional_type(V)"},
    ),
    function(
        "optional.unwrap",
        Documentation(
            "The values of the optionals of a list, without the empty ones.",
            "optional.unwrap([optional.of(1), optional.none()]) == [1]",
            "An element that is not optional fails with `value <value> is not optional`.",
        ),
        {"optional_unwrap": "(list: list(optional_type(V))) -> list(V)"},
    ),
    function(
        "unwrapOpt",
        Documentation(
            "The values of the optionals of the list, without the empty ones.",
            "[optional.none(), optional.of(1)].unwrapOpt() == [1]",
            "An element that is not optional fails with `value <value> is not optional`.",
        ),
        {"optional_unwrapOpt": "list(optional_type(V)).() -> list(V)"},
    ),
)

MACROS = (
    MacroDeclaration(
        "optMap",
        "optional",
        (("x", "expression"),),
        Documentation(
            "An optional with what `expression` makes of the value, or an empty one when there is no value.",
            "optional.of(1).optMap(x, x + 1).value() == 2",
        ),
        macros.expand_optional_map,
    ),
    MacroDeclaration(
        "optFlatMap",
        "optional",
        (("x", "expression"),),
        Documentation(
            "What `expression`, itself an optional, makes of the value, or an empty optional when there is no value.",
            "optional.of({'a': 1}).optFlatMap(x, x.?b).hasValue() == false",
        ),
        macros.expand_optional_flat_map,
    ),
)

LIBRARY = Library(__name__, FUNCTIONS, MACROS)
