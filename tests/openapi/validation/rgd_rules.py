"""The rules of the ResourceGraphDefinition schema that are written in CEL, as plain code.

They are the `x-kubernetes-validations` of `rgd.RGD_SCHEMA`. The other rules there compare with the object before a
change and say nothing about a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.validation.errors import ErrorType, FieldError, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.errors import Path


def rgd_rule_errors(rgd: JsonObject, _schema: JsonObject) -> Iterator[FieldError]:
    """What the rules say against an RGD; to be passed to `validation.admit` together with `RGD_SCHEMA`."""
    for position, resource in enumerate(as_list(as_object(rgd.get("spec")).get("resources"))):
        path = ("spec", "resources", position)
        yield from _exactly_one(path, resource, "template", "externalRef")
        reference = as_object(resource).get("externalRef")
        if isinstance(reference, dict) and "metadata" in reference:
            yield from _exactly_one((*path, "externalRef", "metadata"), reference["metadata"], "name", "selector")


def _exactly_one(path: Path, value: JsonValue, first: str, second: str) -> Iterator[FieldError]:
    if isinstance(value, dict) and (first in value) == (second in value):
        message = f"exactly one of {first} or {second} must be provided"
        yield FieldError(path, ErrorType.INVALID, f"{place_of(path)}: Invalid value: {message}")
