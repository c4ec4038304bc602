"""CEL types: small immutable values, their two printed forms, and the interface through which struct fields are found.

Struct types are nominal: a type holds only the name, a `TypeProvider` knows the fields (looked up when asked for).
The rules are cel-go's `common/types/types.go` and `checker/format.go`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct
from msgspec.structs import force_setattr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Kind(StrEnum):
    """The kinds of cel-go's type system; the value is for people, the rules go by identity."""

    ANY = "any"
    BOOL = "bool"
    BYTES = "bytes"
    DOUBLE = "double"
    DURATION = "duration"
    DYN = "dyn"
    ERROR = "error"
    INT = "int"
    LIST = "list"
    MAP = "map"
    NULL = "null"
    OPAQUE = "opaque"
    STRING = "string"
    STRUCT = "struct"
    TIMESTAMP = "timestamp"
    TYPE = "type"
    TYPE_PARAMETER = "type parameter"
    UINT = "uint"


class Type(Struct, frozen=True, cache_hash=True, gc=False):
    """One CEL type. Equal means: same kind, name, parameters and nullability; the hash is computed once.

    `str(type)` prints as cel-go's `Type.String` does (`google.protobuf.Timestamp`, `null_type`), `checker_name(type)`
    as its checker.
    """

    kind: Kind
    name: str
    parameters: tuple[Type, ...] = ()
    nullable: bool = False
    """True for the wrappers of scalars (`google.protobuf.Int64Value`), which also take null."""
    is_generic: bool = False
    """True when a type parameter occurs in it."""
    is_dynamic: bool = False
    """True for dyn and any."""
    depth: int = 1
    parts: int = 1
    """How deep it is nested, and how many types it is made of, itself included."""

    def __post_init__(self) -> None:
        parameters = self.parameters
        generic = self.kind is Kind.TYPE_PARAMETER or any(parameter.is_generic for parameter in parameters)
        force_setattr(self, "is_generic", generic)
        force_setattr(self, "is_dynamic", self.kind is Kind.DYN or self.kind is Kind.ANY)
        force_setattr(self, "depth", 1 + max((parameter.depth for parameter in parameters), default=0))
        force_setattr(self, "parts", 1 + sum(parameter.parts for parameter in parameters))

    def __str__(self) -> str:
        if self.kind is Kind.TYPE_PARAMETER:
            return f"<{self.name}>"
        return _print(self, str)

    def __repr__(self) -> str:
        return f"Type({self})"

    def accepts(self, other: Type) -> bool:
        """Return whether a value of type `other` is nominally assignable here (cel-go `Type.IsAssignableType`).

        No unification: dyn, any and type parameters accept everything, null is accepted by null, dyn and wrappers.
        """
        if self is other or self.is_dynamic or self.kind is Kind.TYPE_PARAMETER:
            return True
        if self.nullable and other.kind is Kind.NULL:
            return True
        return (
            self.kind is other.kind
            and self.name == other.name
            and len(self.parameters) == len(other.parameters)
            and all(map(Type.accepts, self.parameters, other.parameters))
        )

    @property
    def is_optional(self) -> bool:
        """True for `optional_type(T)`."""
        return self.kind is Kind.OPAQUE and self.name == "optional_type"


def _print(printed: Type, print_parameter: Callable[[Type], str]) -> str:
    name = f"wrapper({printed.name})" if printed.nullable else printed.name
    if not printed.parameters:
        return name
    return f"{name}({', '.join(map(print_parameter, printed.parameters))})"


_CHECKER_NAMES = {
    Kind.ANY: "any",
    Kind.DURATION: "duration",
    Kind.ERROR: "!error!",
    Kind.NULL: "null",
    Kind.TIMESTAMP: "timestamp",
}


@lru_cache(maxsize=512)  # few types are printed
def checker_name(printed: Type) -> str:
    """Print a type as cel-go's checker does in its messages: `timestamp`, `null`, `any`; the rest as `str()` does."""
    if printed.kind is Kind.TYPE_PARAMETER:
        return printed.name
    return _CHECKER_NAMES.get(printed.kind) or _print(printed, checker_name)


ANY = Type(Kind.ANY, "google.protobuf.Any")
BOOL = Type(Kind.BOOL, "bool")
BYTES = Type(Kind.BYTES, "bytes")
DOUBLE = Type(Kind.DOUBLE, "double")
DURATION = Type(Kind.DURATION, "google.protobuf.Duration")
DYN = Type(Kind.DYN, "dyn")
ERROR = Type(Kind.ERROR, "error")
"""The type of an expression that could not be checked: it fits everything, so one mistake gives one message."""
INT = Type(Kind.INT, "int")
NULL = Type(Kind.NULL, "null_type")
STRING = Type(Kind.STRING, "string")
TIMESTAMP = Type(Kind.TIMESTAMP, "google.protobuf.Timestamp")
TYPE = Type(Kind.TYPE, "type")
UINT = Type(Kind.UINT, "uint")


_MAX_DEPTH: Final = 100
_MAX_PARTS: Final = 500


def _bounded(parameter: Type) -> Type:
    """Return the parameter for a new type, or dyn where types would grow without bound.

    A few lines of nested `cel.bind` can double a type at each step; cel-go has no bound.
    """
    return DYN if parameter.depth >= _MAX_DEPTH or parameter.parts >= _MAX_PARTS else parameter


@lru_cache(maxsize=512)  # interned: equal types are one object
def list_type(element: Type) -> Type:
    """Return `list(element)`."""
    return Type(Kind.LIST, "list", (_bounded(element),))


@lru_cache(maxsize=512)  # interned
def map_type(key: Type, value: Type) -> Type:
    """Return `map(key, value)`."""
    return Type(Kind.MAP, "map", (_bounded(key), _bounded(value)))


@lru_cache(maxsize=512)  # interned
def optional_type(value: Type) -> Type:
    """Return `optional_type(value)`."""
    return Type(Kind.OPAQUE, "optional_type", (_bounded(value),))


@lru_cache(maxsize=512)  # interned
def type_of(value: Type) -> Type:
    """Return `type(value)`: the type of the type itself."""
    return Type(Kind.TYPE, "type", (_bounded(value),))


@lru_cache(maxsize=4096)  # interned
def struct_type(name: str) -> Type:
    """Return the nominal struct type called `name`."""
    return Type(Kind.STRUCT, name)


@lru_cache(maxsize=1024)  # interned
def type_parameter(name: str) -> Type:
    """Return the type parameter called `name`; in declarations a capital letter, in the checker `_var0`, `_var1`..."""
    return Type(Kind.TYPE_PARAMETER, name)


@lru_cache(maxsize=16)  # interned
def wrapper_type(scalar: Type) -> Type:
    """Return the nullable form of a scalar, cel-go's `wrapper(int)`."""
    return Type(scalar.kind, scalar.name, (), nullable=True)


QUANTITY = struct_type("kubernetes.Quantity")
URL = struct_type("kubernetes.URL")
SEMVER = struct_type("kubernetes.Semver")
IP = Type(Kind.OPAQUE, "net.IP")
CIDR = Type(Kind.OPAQUE, "net.CIDR")

NAMED_TYPES: Mapping[str, Type] = {
    **{named.name: named for named in (ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT)},
    **{named.name: named for named in (IP, CIDR, TYPE)},
    "any": ANY,
    "duration": DURATION,
    "null": NULL,
    "timestamp": TIMESTAMP,
    "list": list_type(DYN),
    "map": map_type(DYN, DYN),
}
"""The types that a name alone stands for. Any other name is a struct or, as one capital letter, a type parameter."""


@lru_cache(maxsize=4096)  # declarations repeat the same texts
def parse_type(text: str) -> Type:
    """Read a type as both printers write it: `list(string)`, `map(string, A)`, `optional_type(int)`, `wrapper(int)`.

    One capital letter is a type parameter, another unknown name a struct. Raises ValueError on unbalanced text.
    """
    name, opened, rest = text.strip().partition("(")
    if not opened:
        if not name or set(name) & set("), "):
            raise ValueError(f"not a type: {text!r}")
        if len(name) == 1 and name.isupper():
            return type_parameter(name)
        return NAMED_TYPES.get(name) or struct_type(name)
    if not rest.endswith(")"):
        raise ValueError(f"unbalanced parentheses in type {text!r}")
    parameters = tuple(map(parse_type, split_parameters(rest[:-1])))
    match name, parameters:
        case "list", (element,):
            return list_type(element)
        case "map", (key, value):
            return map_type(key, value)
        case "optional_type", (value,):
            return optional_type(value)
        case "type", (value,):
            return type_of(value)
        case "wrapper", (scalar,):
            return wrapper_type(scalar)
        case _:
            return Type(Kind.OPAQUE, name, parameters)


def split_parameters(text: str) -> list[str]:
    """Split at the commas outside of parentheses; empty text gives no parts."""
    parts: list[str] = []
    depth = start = 0
    for offset, character in enumerate(text):
        if character == "," and depth == 0:
            parts.append(text[start:offset])
            start = offset + 1
        depth += (character == "(") - (character == ")")
    return [*parts, text[start:]] if text.strip() else parts


class StructFields(Struct, frozen=True, gc=False):
    """The fields of a struct by the name they have in CEL."""

    fields: Mapping[str, Type]
    is_open: bool = False
    """True when any other field may be selected too, as dyn (`x-kubernetes-preserve-unknown-fields`)."""


class TypeProvider(Protocol):
    """Knows the struct types of an environment."""

    def find_struct(self, name: str) -> StructFields | None:
        """Return the fields of the struct called `name`, None when it is unknown."""

    def field_type(self, name: str, field: str) -> Type | None:
        """Return the type of `field` as written in an expression, None when struct or field is unknown."""
