"""Compares the schemas that two versions of kro generate for the instances of a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_SCHEMAS: Final = ("properties", "items", "additionalProperties")
_OF_STATUS: Final = ("type",)
"""What matters to users of the status; the rest of its schema may differ between versions."""


class SchemaChange(Struct, frozen=True):
    """A changed keyword of a schema. `path` leads to it, with dots; None stands for an absent keyword."""

    path: str
    before: JsonValue
    after: JsonValue


def schema_changes(before: Analysis, after: Analysis) -> tuple[SchemaChange, ...]:
    """Return the changes in the schemas of `spec` and `status` of the definitions, which are in the same order.

    Schemas that one of the versions cannot read are left out.
    """
    pairs = zip(before.rgds, after.rgds, strict=False)
    schemas = [(_schema(generated_crd(old)), _schema(generated_crd(new))) for old, new in pairs]
    return tuple(
        change
        for old, new in schemas
        for name, keywords in (("spec", None), ("status", _OF_STATUS))
        for change in _changes(name, as_object(old.get(name)), as_object(new.get(name)), keywords)
    )


def _schema(crd: JsonObject | None) -> JsonObject:
    versions = as_list(as_object((crd or {}).get("spec")).get("versions"))
    schema = as_object(as_object(as_object(versions[0]).get("schema")).get("openAPIV3Schema")) if versions else {}
    return as_object(schema.get("properties"))


def _changes(path: str, before: JsonObject, after: JsonObject, only: tuple[str, ...] | None) -> Iterator[SchemaChange]:
    if "type" not in before or "type" not in after:
        return
    for keyword in sorted(before.keys() | after.keys()):
        if keyword in _SCHEMAS or (only and keyword not in only):
            continue
        old, new = before.get(keyword), after.get(keyword)
        if old != new:
            yield SchemaChange(f"{path}.{keyword}", old, new)
    old_fields, new_fields = as_object(before.get("properties")), as_object(after.get("properties"))
    for name in sorted(old_fields.keys() | new_fields.keys()):
        old, new = old_fields.get(name), new_fields.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _changes(f"{path}.{name}", old, new, only)
        else:
            yield SchemaChange(f"{path}.{name}", old, new)
    for keyword, sign in (("items", "[]"), ("additionalProperties", "{}")):
        yield from _changes(path + sign, as_object(before.get(keyword)), as_object(after.get(keyword)), only)
