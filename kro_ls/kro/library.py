"""kro's own CEL libraries, in the form of those in `cel/library/`; kro installs them in this order.

Source: kro `pkg/cel/library`. What the functions do is in `library_functions`. The variable `runtime` is declared
everywhere; kro refuses it outside of `status.conditions` by other means. Its type has no fields, and kro's type
provider does not know it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.ast import Call, Identifier, LiteralKind, MapEntry, MapLiteral
from kro_ls.cel.syntax.macros import Expansion, MacroError, meaning
from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function
from kro_ls.cel.types.types import STRING, StructFields, struct_type
from kro_ls.kro.controller import CONDITION_FIELDS, OMIT
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node

CONDITION = struct_type("kro.run.Condition")
RUNTIME = struct_type("kro.run.Runtime")


def _hash(name: str, text: str, base64: str) -> FunctionDeclaration:
    documentation = Documentation(
        f"{text} The result is bytes; make text of it with `base64.encode(...)`.",
        f"base64.encode(hash.{name}('hello')) == '{base64}'",
    )
    return function(f"hash.{name}", documentation, {f"hash.{name}_string": "(text: string) -> bytes"})


FUNCTIONS = (
    # random.go: the same seed always gives the same value
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
    # maps.go
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
    # json.go
    function(
        "json.unmarshal",
        Documentation(
            "Reads JSON text. The type of the result is not known, and every number in it is a double: convert with "
            "`int(...)`.",
            "json.unmarshal('{\"a\": 1}').a == 1.0",
            "Another text fails with `json.unmarshal failed to parse JSON: ...`.",
        ),
        {"json.unmarshal_string": "(text: string) -> dyn"},
    ),
    function(
        "json.marshal",
        Documentation(
            "The JSON text of a value as Go writes it: keys sorted, numbers exact, bytes as base64, durations as "
            "`1h0m0s`, an empty optional as null; the characters <, > and & are escaped.",
            "json.marshal({'a': 1}) == '{\"a\":1}'",
            "A value without JSON form fails with `json.marshal failed to convert value: ...`.",
        ),
        {"json.marshal_dyn": "(value: dyn) -> string"},
    ),
    # hash.go
    _hash("fnv64a", "The 64 bit FNV-1a hash of the string, 8 bytes, fast but not secure.", "pDDYRoCqvQs="),
    _hash("sha256", "The SHA-256 hash of the string, 32 bytes.", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
    _hash("md5", "The MD5 hash of the string, 16 bytes, not secure.", "XUFAKrxLKna5cZ2REBfFkg=="),
    # lists.go: each changes one place of a list and returns a new list
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
    # omit.go
    function(
        "omit",
        Documentation(
            "Removes the field (or list element) that it becomes the value of; allowed only in resource templates, and "
            f"only with kro's feature gate {OMIT.name}, which is off by default.",
            "[true, false].map(x, x ? dyn('kept') : omit()).size() == 2",
            "Comparing it fails with `omit() is a field-removal sentinel and cannot be compared`.",
        ),
        {"omit_void": "() -> dyn"},
    ),
    # runtime.go
    function(
        "newCondition",
        Documentation(
            "Makes a status condition. The argument is a map literal with the bare keys `type` and `status` (True, "
            "False or Unknown), and optionally `reason` and `message`; all values are strings.",
            "runtime.newCondition({type: 'Healthy', status: 'True'}).status == 'True'",
            "A value that is not a string, an empty type or another status fails.",
        ),
        {"runtime_newCondition_map": "kro.run.Runtime.(fields: map(string, string)) -> kro.run.Condition"},
    ),
    function(
        "condition",
        Documentation(
            "The condition of the given type in `status.conditions` of an object; its strings are empty when there is "
            "none.",
            "runtime.condition({'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}, 'Ready').status == "
            "'True'",
            "An object, status or conditions of the wrong shape fails.",
        ),
        {"runtime_condition_dyn_string": "kro.run.Runtime.(object: dyn, type: string) -> kro.run.Condition"},
    ),
)


_REQUIRED_KEYS = ("type", "status")


def expand_new_condition(expansion: Expansion, call: Call) -> Node | None:
    """Turn `runtime.newCondition({type: t, ...})` into a call with string keys."""
    if not (isinstance(call.target, Identifier) and call.target.declared_name == "runtime"):
        return None
    (argument,) = call.arguments
    literal = meaning(argument)
    if not isinstance(literal, MapLiteral):
        hint = "a condition is written '{type: ..., status: ...}'"
        raise _error("argument must be a map literal", argument, hint)
    entries: list[MapEntry] = []
    seen: set[str] = set()
    for entry in literal.entries:
        name = _key_name(entry.key, seen)
        seen.add(name)
        key = expansion.literal(name, LiteralKind.STRING)
        entries.append(MapEntry(call.start, call.end, call.position, key, entry.value))
    for name in _REQUIRED_KEYS:
        if name not in seen:
            raise _error(f"'{name}' is required", argument, f"a condition needs '{name}'")
    expansion.nodes += 1
    fields = MapLiteral(call.start, call.end, call.position, tuple(entries))
    return expansion.function("newCondition", fields, target=call.target)


def _key_name(key: Node, seen: set[str]) -> str:
    allowed = ", ".join(CONDITION_FIELDS)
    if not isinstance(key, Identifier):
        message = f"keys must be bare identifiers ({allowed}); quoted or computed keys are not allowed"
        raise _error(message, key, f"write the key without quotes; expected {listed(CONDITION_FIELDS)}")
    name = key.declared_name
    if name not in CONDITION_FIELDS:
        hint = f"a condition has no '{name}'; expected {listed(CONDITION_FIELDS)}"
        raise _error(f'unknown key "{name}" (allowed: {allowed})', key, hint)
    if name in seen:
        raise _error(f'duplicate key "{name}"', key, f"'{name}' is given twice")
    return name


def _error(message: str, node: Node, hint: str) -> MacroError:
    return MacroError(f"runtime.newCondition: {message}", node, hint)


LIBRARY = Library(
    __name__,
    FUNCTIONS,
    variables={"runtime": RUNTIME},
    structs={CONDITION.name: StructFields(dict.fromkeys(CONDITION_FIELDS, STRING))},
    expanders={("newCondition", 1, True): expand_new_condition},
)
