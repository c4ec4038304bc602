"""Which fields of an object may stand together, where its schema has alternatives (`oneOf`, `anyOf`, `not`).

A CustomResourceDefinition that was written by hand or by Config Connector says so of references: a `name`, perhaps with
a `namespace`, or `external`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.validation.keywords import keyword_errors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.schema import Schema

_COMBINING = ("oneOf", "anyOf", "allOf", "not")


def allowed_together(value: dict[str, Any], schema: Schema, asked: Collection[str]) -> dict[str, Any]:
    """Return the object without the fields that its schema forbids beside others, or as it is where none would do.

    The first alternative wins that keeps most of the fields that are `asked` for.
    """
    combined: JsonObject = {name: schema.raw[name] for name in _COMBINING if name in schema.raw}
    if not combined or not keyword_errors(value, combined):
        return value
    found = [kept for dropped in _droppable(combined) if not keyword_errors(kept := _without(value, dropped), combined)]
    return max(found, key=lambda kept: sum(name in kept for name in asked), default=value)


def _droppable(schema: JsonObject) -> Iterator[frozenset[str]]:
    """Yield the fields to drop for each alternative: those that it forbids, and those that others need."""
    branches = [as_object(each) for name in ("oneOf", "anyOf") for each in as_list(schema.get(name))]
    for branch in branches:
        needed = _required(branch)
        of_others = frozenset(name for other in branches if other is not branch for name in _required(other))
        yield (_forbidden(branch) | _forbidden(schema) | of_others) - needed
    if not branches:
        yield _forbidden(schema)


def _forbidden(schema: JsonObject) -> frozenset[str]:
    """Return the fields whose presence alone is what a `not` of a schema says."""
    negated = as_object(schema.get("not"))
    alone = [_required(as_object(each)) for each in (negated, *as_list(negated.get("anyOf")))]
    return frozenset(name for names in alone if len(names) == 1 for name in names)


def _required(schema: JsonObject) -> frozenset[str]:
    return frozenset(each for each in as_list(schema.get("required")) if isinstance(each, str))


def _without(value: dict[str, JsonValue], dropped: frozenset[str]) -> dict[str, JsonValue]:
    return {name: each for name, each in value.items() if name not in dropped}
