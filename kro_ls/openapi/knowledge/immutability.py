"""Which fields of an object cannot be changed once it exists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.objects.immutable_fields import IMMUTABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.kind_schema import KindSchema

_SAME = re.compile(r"\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*")


def is_immutable(rule: str) -> bool:
    """Whether a rule of a schema (`x-kubernetes-validations`) says that its value stays as it is."""
    return _SAME.fullmatch(rule) is not None


def immutable_part(kind: KindSchema, path: Sequence[str | int]) -> tuple[str | int, ...] | None:
    """Return the path of the field that cannot be changed and that is at `path` or around it, None where none is."""
    name = kind.name
    for each in IMMUTABLE.get((name.group, name.kind), ()):
        fields = tuple(each.pattern.split("."))
        if tuple(path[: len(fields)]) == fields:
            return fields
    schema: Schema | None = Schema(kind.declared_schema or kind.schema)
    for length in range(len(path) + 1):
        if schema is None:
            return None
        if length and any(is_immutable(rule) for rule in rules_of(schema)):
            return tuple(path[:length])
        schema = schema.child(path[length]) if length < len(path) else None
    return None


def rules_of(schema: Schema) -> list[str]:
    """Return the rules in CEL that a value must follow (`x-kubernetes-validations`), without those of its fields."""
    return [as_text(as_object(each).get("rule")) for each in as_list(schema.raw.get("x-kubernetes-validations"))]
