"""The fields of an object that one field manager has applied: applying them again restores the object."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject


def own_fields(value: JsonObject, manager: str) -> JsonObject:
    """Return an object as a manager has applied it; one that it has not applied has only its name.

    Source: Kubernetes' `FieldsV1` (structured-merge-diff, `fieldpath/serialize.go`).
    """
    metadata = as_object(value.get("metadata"))
    found: JsonObject = {}
    for entry in map(as_object, as_list(metadata.get("managedFields"))):
        if entry.get("manager") == manager and entry.get("operation") == "Apply" and not entry.get("subresource"):
            found = as_object(_extracted(value, as_object(entry.get("fieldsV1"))))
    names: JsonObject = {name: metadata[name] for name in ("name", "namespace") if name in metadata}
    return {
        **found,
        "apiVersion": value.get("apiVersion"),
        "kind": value.get("kind"),
        "metadata": {**as_object(found.get("metadata")), **names},
    }


def _extracted(value: Any, fields: JsonObject) -> Any:
    if not fields:
        return value
    if isinstance(value, dict):
        steps = ((step.removeprefix("f:"), as_object(inner)) for step, inner in fields.items() if step.startswith("f:"))
        return {name: _extracted(value[name], inner) for name, inner in steps if name in value}
    if isinstance(value, list):
        return list(_items(value, fields))
    return value


def _items(values: list[Any], fields: JsonObject) -> Iterator[Any]:
    """Yield the items of a list that a manager owns: by their keys, their values or their places."""
    for step, inner in fields.items():
        form, _, text = step.partition(":")
        if form not in ("k", "v", "i"):
            continue
        named = json.loads(text)
        if form == "v":
            yield from (each for each in values if each == named)
        elif form == "i":
            yield from values[named : named + 1]
        else:
            found = (each for each in values if isinstance(each, dict) and named.items() <= each.items())
            yield from ({**_extracted(each, as_object(inner)), **named} for each in found)
