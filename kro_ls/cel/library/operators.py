"""The operators of CEL (cel-go `common/stdlib/standard.go` and the optional library), under their internal names."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function

_CEL_NAMES = {"int64": "int", "uint64": "uint"}


def _ordering(symbol: str, name: str, text: str, example: str) -> FunctionDeclaration:
    overloads = {
        **_same_type(name, "bool"),
        **_numbers(name, "int64", "double", "uint64"),
        **_numbers(name, "uint64", "double", "int64"),
        **_numbers(name, "double", "int64", "uint64"),
        **_same_type(name, "string", "bytes", "timestamp", "duration"),
    }
    return function(
        symbol,
        Documentation(
            f"{text} Numbers are ordered by value, strings by code point, false comes before true. Both sides need the "
            "same type: compare an int with a double through `double(x)`.",
            example,
            "Ordering NaN fails with `NaN values cannot be ordered`.",
        ),
        overloads,
    )


def _same_type(name: str, *operands: str) -> dict[str, str]:
    return {f"{name}_{operand}": f"(left: {operand}, right: {operand}) -> bool" for operand in operands}


def _numbers(name: str, left: str, *others: str) -> dict[str, str]:
    cel_name = _CEL_NAMES.get(left, left)
    same = {f"{name}_{left}": f"(left: {cel_name}, right: {cel_name}) -> bool"}
    mixed = {f"{name}_{left}_{o}": f"(left: {cel_name}, right: {_CEL_NAMES.get(o, o)}) -> bool" for o in others}
    return same | mixed


def _arithmetic(name: str, *operands: str) -> dict[str, str]:
    names = {operand: _CEL_NAMES.get(operand, operand) for operand in operands}
    return {f"{name}_{operand}": f"(left: {each}, right: {each}) -> {each}" for operand, each in names.items()}


FUNCTIONS = (
    function(
        "_?_:_",
        Documentation(
            "Chooses between two values of one type: the second operand when the condition is true, else the third. "
            "Only the chosen side is evaluated.",
            "(2 > 1 ? 'yes' : 'no') == 'yes'",
            "A condition of type dyn that is not a bool fails with `no such overload`.",
        ),
        {"conditional": "(condition: bool, then: A, otherwise: A) -> A"},
    ),
    function(
        "_&&_",
        Documentation(
            "True when both operands are true. An error on one side is ignored when the other side is false.",
            "(true && false) == false",
            "Fails when one side fails and the other is not false.",
        ),
        {"logical_and": "(left: bool, right: bool) -> bool"},
    ),
    function(
        "_||_",
        Documentation(
            "True when at least one operand is true. An error on one side is ignored when the other side is true.",
            "true || false",
            "Fails when one side fails and the other is not true.",
        ),
        {"logical_or": "(left: bool, right: bool) -> bool"},
    ),
    function("!_", Documentation("Negates a bool.", "!false"), {"logical_not": "(operand: bool) -> bool"}),
    function(
        "@not_strictly_false",
        Documentation("True unless the operand is exactly false; the loop condition of `all` and `exists`.", ""),
        {"not_strictly_false": "(operand: bool) -> bool"},
    ),
    function(
        "_==_",
        Documentation(
            "Compares deeply. Numbers of different types are equal when they have the same value (the checker lets "
            "that through only for dyn), NaN equals nothing, values of different kinds are not equal.",
            "[1, 2] == [1, 2]",
        ),
        {"equals": "(left: A, right: A) -> bool"},
    ),
    function(
        "_!=_",
        Documentation("The opposite of `==`.", "'a' != 'b'"),
        {"not_equals": "(left: A, right: A) -> bool"},
    ),
    function(
        "_+_",
        Documentation(
            "Adds numbers of one type, durations, and a duration to a timestamp; joins strings, bytes and lists. "
            "Nothing is converted: write `'port ' + string(80)`.",
            "'a' + 'b' == 'ab' && [1] + [2] == [1, 2]",
            "Out of range: `integer overflow`, `unsigned integer overflow`, `duration overflow`, `timestamp overflow`.",
        ),
        {
            "add_bytes": "(left: bytes, right: bytes) -> bytes",
            "add_double": "(left: double, right: double) -> double",
            "add_duration_duration": "(left: duration, right: duration) -> duration",
            "add_duration_timestamp": "(left: duration, right: timestamp) -> timestamp",
            "add_timestamp_duration": "(left: timestamp, right: duration) -> timestamp",
            "add_int64": "(left: int, right: int) -> int",
            "add_list": "(left: list(A), right: list(A)) -> list(A)",
            "add_string": "(left: string, right: string) -> string",
            "add_uint64": "(left: uint, right: uint) -> uint",
        },
    ),
    function(
        "_/_",
        Documentation(
            "Divides numbers of one type. Integers are rounded toward zero; a double divided by zero is infinite or "
            "NaN.",
            "7 / 2 == 3",
            "An integer divided by zero fails with `division by zero`.",
        ),
        _arithmetic("divide", "double", "int64", "uint64"),
    ),
    function(
        "_%_",
        Documentation(
            "The rest of an integer division, with the sign of the left operand. There is none for double.",
            "-7 % 3 == -1",
            "A right operand of zero fails with `modulus by zero`.",
        ),
        _arithmetic("modulo", "int64", "uint64"),
    ),
    function(
        "_*_",
        Documentation(
            "Multiplies numbers of one type.",
            "6 * 7 == 42",
            "Out of range: `integer overflow` or `unsigned integer overflow`.",
        ),
        _arithmetic("multiply", "double", "int64", "uint64"),
    ),
    function(
        "-_",
        Documentation(
            "Negates an int or a double.",
            "-(5) == 0 - 5",
            "The smallest int has no negative: `integer overflow`.",
        ),
        {"negate_double": "(operand: double) -> double", "negate_int64": "(operand: int) -> int"},
    ),
    function(
        "_-_",
        Documentation(
            "Subtracts numbers of one type, durations, a duration from a timestamp, and two timestamps, which gives "
            "the duration between them.",
            "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
            "Out of range: `integer overflow`, `unsigned integer overflow`, `duration overflow`, `timestamp overflow`.",
        ),
        {
            "subtract_double": "(left: double, right: double) -> double",
            "subtract_duration_duration": "(left: duration, right: duration) -> duration",
            "subtract_int64": "(left: int, right: int) -> int",
            "subtract_timestamp_duration": "(left: timestamp, right: duration) -> timestamp",
            "subtract_timestamp_timestamp": "(left: timestamp, right: timestamp) -> duration",
            "subtract_uint64": "(left: uint, right: uint) -> uint",
        },
    ),
    _ordering("_<_", "less", "True when the left side comes before the right side.", "1 < 2"),
    _ordering("_<=_", "less_equals", "True unless the left side comes after the right side.", "'a' <= 'a'"),
    _ordering("_>_", "greater", "True when the left side comes after the right side.", "2.5 > 2.0"),
    _ordering("_>=_", "greater_equals", "True unless the left side comes before the right side.", "3u >= 3u"),
    function(
        "_[_]",
        Documentation(
            "Returns the element of a list at an index from 0, or the value of a map under a key. On an optional the "
            "result is optional and absence stays absence. Structs cannot be indexed: select the field.",
            "[10, 20][1] == 20 && {'k': 'v'}['k'] == 'v'",
            "`index out of bounds: <index>` or `no such key: <key>`.",
        ),
        {
            "index_list": "(operand: list(A), index: int) -> A",
            "index_map": "(operand: map(A, B), key: A) -> B",
            "optional_list_index_int": "(operand: optional_type(list(V)), index: int) -> optional_type(V)",
            "optional_map_index_value": "(operand: optional_type(map(K, V)), key: K) -> optional_type(V)",
        },
    ),
    function(
        "@in",
        Documentation(
            "True when a list has an equal element, or a map has the key. A struct is not a container: use `has()`.",
            "2 in [1, 2] && 'k' in {'k': 1}",
        ),
        {
            "in_list": "(element: A, container: list(A)) -> bool",
            "in_map": "(key: A, container: map(A, B)) -> bool",
        },
    ),
    function(
        "_?._",
        Documentation(
            "Selects a field that may be absent; the result is optional, and so is everything selected from it. "
            "A field that the type does not have is still an error.",
            "{'a': 1}.?b.orValue(0) == 0",
        ),
        {"select_optional_field": "(operand: dyn, field: string) -> optional_type(V)"},
    ),
    function(
        "_[?_]",
        Documentation(
            "Returns the element at an index, or the value under a key, as an optional that is empty when there is "
            "none.",
            "[1, 2][?5].orValue(0) == 0",
            "A list index that is not a number fails.",
        ),
        {
            "list_optindex_optional_int": "(operand: list(V), index: int) -> optional_type(V)",
            "optional_list_optindex_optional_int": "(operand: optional_type(list(V)), index: int) -> optional_type(V)",
            "map_optindex_optional_value": "(operand: map(K, V), key: K) -> optional_type(V)",
            "optional_map_optindex_optional_value": "(operand: optional_type(map(K, V)), key: K) -> optional_type(V)",
        },
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
