"""Whether kro lets an expression of one type fill a field of another.

Source: kro `pkg/cel/compatibility.go`. Some of its answers are accidents, kept as they are:
they decide whether kro accepts an RGD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cel.types.types import Kind, StructFields, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    FindStruct: TypeAlias = Callable[[str], StructFields | None]

_NO_FIELDS = StructFields({})
_SCALARS = frozenset(
    {
        *(
            Kind.BOOL,
            Kind.BYTES,
            Kind.DOUBLE,
            Kind.DURATION,
            Kind.INT,
            Kind.NULL,
            Kind.STRING,
            Kind.TIMESTAMP,
            Kind.UINT,
        ),
        Kind.ANY,
    }
)


class Mismatch(Struct, frozen=True):
    """Why a type does not fit: kro's text, and the path inside the type to where the two part."""

    message: str
    path: tuple[str, ...]
    output: Type
    expected: Type
    is_unknown_field: bool = False
    """Whether the last step of the path is a field that the expected object does not have."""


def mismatch(output: Type, expected: Type, find_struct: FindStruct) -> Mismatch | None:
    """Return why a field of type `expected` does not take `output`, or None where kro lets it.

    `find_struct` resolves the name of a struct as kro's type provider does; what it does not know is let pass.
    """
    return None if expected.accepts(output) else _compare(output, expected, find_struct)


def _compare(output: Type, expected: Type, find: FindStruct) -> Mismatch | None:
    if Kind.DYN in (output.kind, expected.kind):
        return None
    if output.is_optional:
        return _compare(output.parameters[0], expected, find)
    if expected.kind is Kind.STRUCT and output.kind is Kind.MAP:
        return _map_to_struct(output, expected, find)
    if expected.kind is Kind.MAP and output.kind is Kind.STRUCT:
        return _struct_to_map(output, expected, find)
    if expected.kind is Kind.LIST:
        return _parameters(output, expected, ("list element type incompatible",), "list parameter count mismatch", find)
    if expected.kind is Kind.MAP:
        prefixes = ("map key type incompatible", "map value type incompatible")
        return _parameters(output, expected, prefixes, "map parameter count mismatch", find)
    if expected.kind is Kind.STRUCT:
        return _fields(output, expected, find)
    if output.kind is expected.kind:
        return None
    return Mismatch(f'type kind mismatch: got "{output}", expected "{expected}"', (), output, expected)


def _parameters(
    output: Type, expected: Type, prefixes: tuple[str, ...], count_message: str, find: FindStruct
) -> Mismatch | None:
    """Compare the parameters of a list or map with the first parameters of whatever the output is."""
    if len(output.parameters) < len(prefixes):
        message = f"{count_message}: got {len(output.parameters)}, expected {len(prefixes)}"
        return Mismatch(message, (), output, expected)
    for prefix, given, wanted in zip(prefixes, output.parameters, expected.parameters, strict=False):
        found = _compare(given, wanted, find)
        if found:
            return _inside(found, prefix, "[key]" if prefix.startswith("map key") else "[]")
    return None


def _map_to_struct(output: Type, expected: Type, find: FindStruct) -> Mismatch | None:
    struct = find(expected.name)
    if struct is None:
        return None
    key, value = output.parameters
    if key.kind is not Kind.STRING:
        return Mismatch("map keys must be strings to assign to struct", (), output, expected)
    for name in sorted(struct.fields):
        found = _compare(value, struct.fields[name], find)
        if found:
            return _inside(found, f'map value incompatible with struct field "{name}"', name)
    return None


def _struct_to_map(output: Type, expected: Type, find: FindStruct) -> Mismatch | None:
    struct = find(output.name)
    if struct is None:
        return None
    key, value = expected.parameters
    if key.kind is not Kind.STRING:
        return Mismatch("map key type must be string when assigning struct → map", (), output, expected)
    for name in sorted(struct.fields):
        found = _compare(struct.fields[name], value, find)
        if found:
            return _inside(found, f'struct field "{name}" incompatible with map value type', name)
    return None


def _fields(output: Type, expected: Type, find: FindStruct) -> Mismatch | None:
    given = _NO_FIELDS if output.kind in _SCALARS else find(output.name) if output.kind is Kind.STRUCT else None
    wanted = find(expected.name)
    if given is None or wanted is None or wanted.is_open:
        return None
    for name in sorted(given.fields):
        if name not in wanted.fields:
            message = f'field "{name}" exists in output but not in expected type'
            return Mismatch(message, (name,), output, expected, is_unknown_field=True)
        found = _compare(given.fields[name], wanted.fields[name], find)
        if found:
            return _inside(found, f'field "{name}" has incompatible type', name)
    return None


def _inside(found: Mismatch, prefix: str, step: str) -> Mismatch:
    return replace(found, message=f"{prefix}: {found.message}", path=(step, *found.path))
