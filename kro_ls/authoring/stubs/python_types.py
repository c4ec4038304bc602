"""Types of CEL and of fields as annotations of Python.

A field has two types: that of what it is given, and that of what is read, which is what kro gives to expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from msgspec import Struct, field

from kro_ls.authoring.kind_modules.shapes import Items, Object, Scalar, Values, dict_name, reference_name
from kro_ls.cel.types.types import CIDR, IP, QUANTITY, SEMVER, URL, Kind, Type
from kro_ls.kro.library import CONDITION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.authoring.kind_modules.module_names import ModuleName
    from kro_ls.authoring.kind_modules.shapes import FieldType

_SCALARS: Final = {
    Kind.BOOL: "bool",
    Kind.BYTES: "bytes",
    Kind.DOUBLE: "float",
    Kind.DURATION: "timedelta",
    Kind.INT: "int",
    Kind.NULL: "None",
    Kind.STRING: "str",
    Kind.TIMESTAMP: "datetime",
    Kind.UINT: "int",
}
CEL_CLASSES: Final = {
    QUANTITY: "Quantity",
    URL: "URL",
    SEMVER: "Semver",
    IP: "IP",
    CIDR: "CIDR",
    CONDITION: "Condition",
}
"""The types that only CEL has, with their classes in `kro_ls.authoring.cel`."""
OPTIONAL: Final = "Optional"
_JSON: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "Mapping[str, Any]",
    "array": "list[Any]",
}
_READ_AS_OTHER: Final = {"bytes", "datetime", "timedelta"}
"""What is text in JSON and another type in CEL."""


def cel_annotation(type_: Type, *, is_argument: bool = False) -> str:
    """Return the annotation of a type of CEL. Arguments take any mapping, results are dicts."""
    if type_.kind in _SCALARS:
        return _SCALARS[type_.kind]
    if type_.kind is Kind.TYPE_PARAMETER:
        return f"_{type_.name}"
    inner = [cel_annotation(each, is_argument=is_argument) for each in type_.parameters]
    if type_.kind is Kind.LIST:
        return f"list[{inner[0]}]"
    if type_.kind is Kind.MAP:
        return f"{'Mapping' if is_argument else 'dict'}[{', '.join(inner)}]"
    if type_.is_optional:
        return f"{OPTIONAL}[{inner[0]}]"
    return CEL_CLASSES.get(type_, "Any")


class Annotations(Struct):
    """Writes the annotations of one module, and collects the other modules that they name."""

    module: ModuleName
    others: set[ModuleName] = field(default_factory=set)

    def given(self, type_: FieldType) -> str:
        """Return what a constructor takes."""
        match type_:
            case Scalar():
                return _given_scalar(type_)
            case Items(element):
                return f"list[{self.given(element)}]"
            case Values(value):
                return f"Mapping[str, {self.given(value)}]"
            case Object(is_open=is_open, is_kind=is_kind):
                name = self._name(type_)
                name = dict_name(name) if is_kind else name
                return f"{name} | Mapping[str, Any]" if is_open else name
        assert_never(type_)

    def read(self, type_: FieldType) -> str | None:
        """Return what reading gives; None for what kro shows to no expression."""
        match type_:
            case Scalar(enum=enum, cel=cel):
                if cel is None:
                    return None
                return _literal(enum) or cel_annotation(cel)
            case Items(element):
                inner = self.read(element)
                return None if inner is None else f"list[{inner}]"
            case Values(value):
                return f"dict[str, {self.read(value) or 'Any'}]"
            case Object(is_kind=is_kind):
                return self._name(type_) if is_kind else reference_name(self._name(type_))
        assert_never(type_)

    def _name(self, type_: Object) -> str:
        if type_.module == self.module:
            return type_.name
        self.others.add(type_.module)
        return f"{type_.module.alias}.{type_.name}"


def _given_scalar(type_: Scalar) -> str:
    found = _literal(type_.enum)
    if found is None:
        read = "" if type_.cel is None else cel_annotation(type_.cel)
        names = [*map(_JSON.get, type_.types), *([read] if read in _READ_AS_OTHER else [])]
        found = " | ".join(dict.fromkeys(each for each in names if each)) or "Any"
    return f"{found} | None" if type_.is_nullable and found != "Any" else found


def _literal(values: Iterable[object]) -> str | None:
    """Return the annotation of the only values allowed, None where Python has none for them."""
    kept = list(values)
    if not kept or not all(isinstance(each, str | bool | int) for each in kept):
        return None
    return f"Literal[{', '.join(map(repr, kept))}]"
