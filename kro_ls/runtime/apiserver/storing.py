"""Stores an object as the API server does: what is read of it later is not what was written."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object, as_text, copy_json
from kro_ls.openapi.validation.structural_values import apply_defaults
from kro_ls.runtime.apiserver.canonical import convert
from kro_ls.runtime.apiserver.default_table import DEFAULTS, WITHOUT_GENERATION
from kro_ls.runtime.apiserver.defaulting import fill_defaults
from kro_ls.runtime.apiserver.strategies import apply_strategy
from kro_ls.runtime.nodes.expansion import identity
from kro_ls.runtime.values.text_table import TIME

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema


def stored(value: JsonObject, kind: KindSchema | None, before: JsonObject | None = None) -> JsonObject:
    """Return an object as it is stored; `before` is what is there already.

    A kind that is not known is taken for a custom one. What is in `before` alone stays where others wrote it: the
    status, and what was allocated.
    """
    made: JsonObject = copy_json(value)
    metadata = made["metadata"] = {**as_object(made.get("metadata"))}
    _add_metadata(metadata, identity(value))
    group = as_text(value.get("apiVersion")).rpartition("/")[0]
    place = group, as_text(value.get("kind"))
    if kind is not None and kind.declared_schema is not None:
        apply_defaults(made, kind.declared_schema)
    elif place in DEFAULTS or place in WITHOUT_GENERATION:
        if kind is not None:
            convert(made, kind.schema)
        fill_defaults(made, DEFAULTS.get(place, {}))
        apply_strategy(made, group)
    if before is not None and "status" in before:
        made["status"] = before["status"]
    if place not in WITHOUT_GENERATION:
        as_object(made["metadata"]).setdefault("generation", _generation(made, before))
    return made


def with_metadata(value: JsonObject) -> JsonObject:
    """Return a copy of an object that was stored somewhere, with what its metadata lacks."""
    made: JsonObject = copy_json(value)
    metadata = made["metadata"] = {**as_object(made.get("metadata"))}
    _add_metadata(metadata, identity(value))
    group = as_text(value.get("apiVersion")).rpartition("/")[0]
    if (group, value.get("kind")) not in WITHOUT_GENERATION:
        metadata.setdefault("generation", 1)
    return made


def _add_metadata(metadata: JsonObject, key: str) -> None:
    metadata.setdefault("uid", made_up_uid(key))
    metadata.setdefault("creationTimestamp", TIME)
    metadata.setdefault("resourceVersion", "1")


def _generation(value: JsonObject, before: JsonObject | None) -> int:
    """Return which version of its specification an object has."""
    if before is None:
        return 1
    known = as_object(before.get("metadata")).get("generation")
    number = known if isinstance(known, int) else 1
    return number + (value.get("spec") != before.get("spec"))


def made_up_uid(key: str) -> str:
    """Return the uid of an object with an identity."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, key))
