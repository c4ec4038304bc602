"""The fields of the instance that can be missing or contain something that can be.

An edit that leaves them unchanged cannot change which reads find a field missing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kro_ls.analysis.scope import instance
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.queries.engine import Query
from kro_ls.rules.surprises.presence import Value

if TYPE_CHECKING:
    from kro_ls.queries.engine import Reader

Json: TypeAlias = dict[str, Any]

_SCALARS: Final = ("string", "integer", "number", "boolean")
_SCALAR: Final[Json] = {"type": "string"}
"""Stands for all of them, so that another type of an optional scalar changes nothing."""


class OpenField:
    """A field of `spec`; equal where the schema is the same object, as to compare large ones could take for ever."""

    __slots__ = ("is_optional", "name", "schema")

    def __init__(self, name: str, schema: Json, *, is_optional: bool) -> None:
        self.name = name
        self.schema = schema
        self.is_optional = is_optional

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenField)
            and self.schema is other.schema
            and (self.name, self.is_optional) == (other.name, other.is_optional)
        )

    __hash__ = None  # type: ignore[assignment]


OpenFields: TypeAlias = "tuple[tuple[str, OpenField], ...]"
"""Fields by their names in CEL."""


@Query
def open_fields(reader: Reader) -> dict[str, OpenField]:
    """Return the open fields by their names in CEL, a reserved word by itself as well."""
    root = instance(reader)
    properties: Json = root.schema["properties"] if root else {}  # type: ignore[assignment]  # the fields of an instance
    spec: Json = properties.get("spec") or {}
    required = spec.get("required") or ()
    found: dict[str, OpenField] = {}
    for name, schema in (spec.get("properties") or {}).items():
        is_optional = name not in required and "default" not in schema
        is_scalar = schema.get("type") in _SCALARS
        if is_optional or not (is_scalar or _is_closed(schema)):
            field = _optional_scalar(name) if is_scalar else OpenField(name, schema, is_optional=is_optional)
            found[escape(name) or name] = field
            if name in RESERVED_WORDS:
                found.setdefault(name, field)
    return found


@lru_cache(maxsize=1000)  # after an edit of a large schema, all its fields are asked for
def _optional_scalar(name: str) -> OpenField:
    return OpenField(name, _SCALAR, is_optional=True)


def _is_closed(schema: Json) -> bool:
    """Whether a value has nothing in it that could be missing: a scalar, or a list or map of such."""
    inner: Any = schema
    while isinstance(inner, dict) and inner.get("type") not in _SCALARS:
        if inner.get("properties"):
            return False
        inner = inner.get("items") or inner.get("additionalProperties")
    return isinstance(inner, dict)


def instance_of(fields: OpenFields) -> Value:
    """Return what `schema` is, as far as this analysis goes: an object with a `spec`, which is always there."""
    each = {field.name: field for _, field in fields}
    required = [name for name, field in each.items() if not field.is_optional]
    spec = {"type": "object", "properties": {name: field.schema for name, field in each.items()}, "required": required}
    return Value(("schema",), {"type": "object", "properties": {"spec": spec}, "required": ["spec"]})
