"""CEL's standard functions without the operators and the time functions: conversions, size, matching.

Its macros include the forms with two variables, which cel-go has in `ext/comprehensions.go`.
"""

from __future__ import annotations

from kro_ls.cel.library import macros
from kro_ls.cel.types.declarations import Documentation, Library, MacroDeclaration, function

FUNCTIONS = (
    function(
        "size",
        Documentation(
            "The length of a string in code points, of bytes in bytes, or the number of elements of a list or entries "
            "of a map. A struct has no size.",
            "size('tea') == 3 && [1, 2].size() == 2",
        ),
        {
            "size_bytes": "(value: bytes) -> int",
            "bytes_size": "bytes.() -> int",
            "size_list": "(value: list(A)) -> int",
            "list_size": "list(A).() -> int",
            "size_map": "(value: map(A, B)) -> int",
            "map_size": "map(A, B).() -> int",
            "size_string": "(value: string) -> int",
            "string_size": "string.() -> int",
        },
    ),
    function(
        "type",
        Documentation(
            "The type of a value at run time; a struct reports `map`. Where an expression cannot name types, "
            "compare with the type of another value.",
            "type(1) == type(2)",
        ),
        {"type": "(value: A) -> type(A)"},
    ),
    function(
        "bool",
        Documentation(
            "Converts to bool. A string must be one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False.",
            "bool('true')",
            "Another string fails with `type conversion error from 'string' to 'bool'`.",
        ),
        {"bool_to_bool": "(value: bool) -> bool", "string_to_bool": "(value: string) -> bool"},
    ),
    function(
        "bytes",
        Documentation("Converts a string to its UTF-8 bytes.", "bytes('tea') == b'tea'"),
        {"bytes_to_bytes": "(value: bytes) -> bytes", "string_to_bytes": "(value: string) -> bytes"},
    ),
    function(
        "double",
        Documentation(
            "Converts a number, or a string such as `1.5`, `1e3`, `inf` or `NaN`, to double.",
            "double(3) == 3.0",
            "A string that is not a number fails with `type conversion error from 'string' to 'double'`.",
        ),
        {
            "double_to_double": "(value: double) -> double",
            "int64_to_double": "(value: int) -> double",
            "string_to_double": "(value: string) -> double",
            "uint64_to_double": "(value: uint) -> double",
        },
    ),
    function(
        "dyn",
        Documentation(
            "Returns the value unchanged but turns type checking off for it: the type is decided at run time.",
            "dyn(1) == 1.0",
        ),
        {"to_dyn": "(value: A) -> dyn"},
    ),
    function(
        "int",
        Documentation(
            "Converts to int: a double toward zero, a decimal string, a timestamp to seconds since 1970, a duration to "
            "nanoseconds.",
            "int('42') == 42 && int(1.9) == 1",
            "Out of range: `integer overflow`; a string that is not a decimal number fails.",
        ),
        {
            "int64_to_int64": "(value: int) -> int",
            "double_to_int64": "(value: double) -> int",
            "duration_to_int64": "(value: duration) -> int",
            "string_to_int64": "(value: string) -> int",
            "timestamp_to_int64": "(value: timestamp) -> int",
            "uint64_to_int64": "(value: uint) -> int",
        },
    ),
    function(
        "string",
        Documentation(
            "Converts to string: numbers in their shortest form (`1.0` gives `1`), a duration in seconds (`5400s`), a "
            "timestamp as RFC 3339. Lists, maps, quantities and URLs have no string form; use `json.marshal` for the "
            "first two.",
            "string(80) == '80' && string(true) == 'true'",
            "Bytes that are not UTF-8 fail with `invalid UTF-8 in bytes, cannot convert to string`.",
        ),
        {
            "string_to_string": "(value: string) -> string",
            "bool_to_string": "(value: bool) -> string",
            "bytes_to_string": "(value: bytes) -> string",
            "double_to_string": "(value: double) -> string",
            "duration_to_string": "(value: duration) -> string",
            "int64_to_string": "(value: int) -> string",
            "timestamp_to_string": "(value: timestamp) -> string",
            "uint64_to_string": "(value: uint) -> string",
        },
    ),
    function(
        "uint",
        Documentation(
            "Converts to uint: a double toward zero, a decimal string without sign.",
            "uint('42') == 42u",
            "Negative or too large: `unsigned integer overflow`; a string that is not a decimal number fails.",
        ),
        {
            "uint64_to_uint64": "(value: uint) -> uint",
            "double_to_uint64": "(value: double) -> uint",
            "int64_to_uint64": "(value: int) -> uint",
            "string_to_uint64": "(value: string) -> uint",
        },
    ),
    function(
        "contains",
        Documentation("True when the string has the other string in it.", "'breakfast'.contains('fast')"),
        {"contains_string": "string.(text: string) -> bool"},
    ),
    function(
        "endsWith",
        Documentation("True when the string ends with the suffix.", "'app.yaml'.endsWith('.yaml')"),
        {"ends_with_string": "string.(suffix: string) -> bool"},
    ),
    function(
        "startsWith",
        Documentation("True when the string begins with the prefix.", "'web-1'.startsWith('web')"),
        {"starts_with_string": "string.(prefix: string) -> bool"},
    ),
    function(
        "matches",
        Documentation(
            "True when the RE2 regular expression matches anywhere in the string; write `^...$` to match all of it.",
            "'web-12'.matches('[0-9]+$')",
            "A pattern that is not a regular expression fails with `error parsing regexp: ...`.",
        ),
        {"matches": "(text: string, pattern: string) -> bool", "matches_string": "string.(pattern: string) -> bool"},
    ),
)

HAS = MacroDeclaration(
    "has",
    "",
    (("field",),),
    Documentation(
        "True when the selected field is present. The argument must be a plain selection such as `a.b`; a field "
        "that the type does not have is an error, not false.",
        "has({'a': 1}.a)",
    ),
    macros.expand_has,
)

MAP = MacroDeclaration(
    "map",
    "list or map",
    (("x", "transform"), ("x", "predicate", "transform")),
    Documentation(
        "The list of the transformed elements (or keys of a map); with a predicate only those for which it holds.",
        "[1, 2, 3].map(x, x * 2) == [2, 4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
    ),
    macros.expand_map,
)

MACROS = (
    HAS,
    MacroDeclaration(
        "all",
        "list or map",
        (("x", "predicate"), ("i", "v", "predicate")),
        Documentation(
            "True when the predicate holds for every element of the list or key of the map. With two variables they "
            "are index and element, or key and value.",
            "[1, 2].all(x, x > 0) && {'k': 1}.all(k, v, v == 1)",
            "Fails when the predicate fails for an element and is false for none.",
        ),
        macros.expand_all,
    ),
    MacroDeclaration(
        "exists",
        "list or map",
        (("x", "predicate"), ("i", "v", "predicate")),
        Documentation(
            "True when the predicate holds for at least one element of the list or key of the map. With two variables "
            "they are index and element, or key and value.",
            "[1, 2].exists(x, x == 2)",
            "Fails when the predicate fails for an element and is true for none.",
        ),
        macros.expand_exists,
    ),
    MacroDeclaration(
        "exists_one",
        "list or map",
        (("x", "predicate"), ("i", "v", "predicate")),
        Documentation(
            "True when the predicate holds for exactly one element of the list or key of the map. With two variables "
            "they are index and element, or key and value.",
            "[1, 2, 3].exists_one(x, x > 2)",
            "Fails when the predicate fails for any element.",
        ),
        macros.expand_exists_one,
    ),
    MAP,
    MacroDeclaration(
        "filter",
        "list or map",
        (("x", "predicate"),),
        Documentation(
            "The list of the elements (or keys of a map) for which the predicate holds.",
            "[1, 2, 3].filter(x, x > 1) == [2, 3]",
        ),
        macros.expand_filter,
    ),
)

LIBRARY = Library(__name__, FUNCTIONS, MACROS)
