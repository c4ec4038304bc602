"""The labels and annotations that kro writes on what it manages.

Source: kro `pkg/metadata`, `pkg/controller/instance/applyset`.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from kro_ls.analysis.names.graph import apply_waves
from kro_ls.kro import labels as names
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.expansion import metadata_text
from kro_ls.runtime.templates import copy_json

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.render import NodeResult

_VERSION = "unknown"
"""What stands for the version of a controller that is not there."""


def managed(rgd: RgdAnalysis, instance: JsonObject, result: NodeResult) -> tuple[JsonObject, ...]:
    """Return copies of a node's objects with everything that kro's controller adds to them."""
    waves = apply_waves(rgd.graph)
    group, _, version = as_text(instance.get("apiVersion")).rpartition("/")
    common: JsonObject = {
        names.OWNED: "true",
        names.KRO_VERSION: _VERSION,
        names.INSTANCE_ID: metadata_text(instance, "uid"),
        names.INSTANCE_NAME: metadata_text(instance, "name"),
        names.INSTANCE_GROUP: group,
        names.INSTANCE_VERSION: version,
        names.INSTANCE_KIND: as_text(instance.get("kind")),
        names.MANAGED_BY: "kro",
        names.NODE_ID: result.id,
        names.APPLY_SET: apply_set_id(instance),
    }
    namespace = metadata_text(instance, "namespace")
    if namespace:
        common[names.INSTANCE_NAMESPACE] = namespace
    objects = []
    for each in result.desired:
        value: JsonObject = copy_json(each)
        metadata = as_object(value.setdefault("metadata", {}))
        labels = {**as_object(metadata.get("labels")), **common}
        if names.COLLECTION_INDEX in labels:
            labels[names.COLLECTION_SIZE] = str(len(result.desired))
        order: JsonObject = {names.APPLY_ORDER: str(waves[result.id])} if result.id in waves else {}
        metadata["labels"] = labels
        metadata["annotations"] = {**as_object(metadata.get("annotations")), **order}
        objects.append(value)
    return tuple(objects)


def unmanaged(value: JsonObject) -> JsonObject:
    """Return a copy of a rendered object without the label that kro numbers the items of a collection with."""
    copied: JsonObject = copy_json(value)
    metadata = as_object(copied.get("metadata"))
    labels = metadata.get("labels")
    if isinstance(labels, dict) and labels.pop(names.COLLECTION_INDEX, None) is not None and not labels:
        del metadata["labels"]
    return copied


def apply_set_id(instance: JsonObject) -> str:
    """Return the id of the instance's ApplySet (KEP-3659)."""
    group = as_text(instance.get("apiVersion")).rpartition("/")[0]
    name = metadata_text(instance, "name"), metadata_text(instance, "namespace")
    digest = hashlib.sha256(".".join([*name, as_text(instance.get("kind")), group]).encode()).digest()
    return f"applyset-{base64.urlsafe_b64encode(digest).decode().rstrip('=')}-v1"
