"""The labels and annotations that kro writes on what it manages.

Source: kro `pkg/metadata`, `pkg/controller/instance/applyset`.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from kro_ls.analysis.names.dependency_graph import apply_waves
from kro_ls.golang.utf8 import utf8
from kro_ls.kro import labels as names
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.nodes.expansion import metadata_text
from kro_ls.runtime.nodes.templates import copy_json

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject

_VERSION = "unknown"
"""What stands for the version of a controller that is not there."""


class Ownership:
    """What kro writes on all objects of an instance."""

    def __init__(self, rgd: RgdAnalysis, instance: JsonObject) -> None:
        self._waves = apply_waves(rgd.graph)
        group, _, version = as_text(instance.get("apiVersion")).rpartition("/")
        self._labels: JsonObject = {
            names.OWNED: "true",
            names.KRO_VERSION: _VERSION,
            names.INSTANCE_ID: metadata_text(instance, "uid"),
            names.INSTANCE_NAME: metadata_text(instance, "name"),
            names.INSTANCE_GROUP: group,
            names.INSTANCE_VERSION: version,
            names.INSTANCE_KIND: as_text(instance.get("kind")),
            names.MANAGED_BY: "kro",
            names.APPLY_SET: apply_set_id(instance),
        }
        namespace = metadata_text(instance, "namespace")
        if namespace:
            self._labels[names.INSTANCE_NAMESPACE] = namespace

    def managed(self, id_: str, desired: JsonObject, size: int) -> JsonObject:
        """Return a copy of an object with all that kro's controller adds to it; its node has `size` of them."""
        value: JsonObject = copy_json(desired)
        metadata = as_object(value.setdefault("metadata", {}))
        labels = {**as_object(metadata.get("labels")), **self._labels, names.NODE_ID: id_}
        if not labels.keys().isdisjoint(_PLACES):
            labels[names.COLLECTION_SIZE] = str(size)
        order: JsonObject = {names.APPLY_ORDER: str(self._waves[id_])} if id_ in self._waves else {}
        metadata["labels"] = labels
        metadata["annotations"] = {**as_object(metadata.get("annotations")), **order}
        return value


_PLACES = frozenset({names.COLLECTION_INDEX, names.COLLECTION_KEY})


def unmanaged(value: JsonObject) -> JsonObject:
    """Return a copy of a rendered object without the label that kro numbers the items of a collection with."""
    copied: JsonObject = copy_json(value)
    metadata = as_object(copied.get("metadata"))
    labels = metadata.get("labels")
    if isinstance(labels, dict) and not labels.keys().isdisjoint(_PLACES):
        kept = {name: text for name, text in labels.items() if name not in _PLACES}
        metadata["labels"] = kept
        if not kept:
            del metadata["labels"]
    return copied


_STAMPED_LABELS = (names.NODE_ID, names.COLLECTION_INDEX, names.COLLECTION_SIZE, names.INSTANCE_ID)
_STAMPED_ANNOTATIONS = (names.NODE_PATH, names.APPLY_ORDER)


def unstamped(value: JsonObject) -> JsonObject:
    """Return a copy of an object without what kro wrote on it."""
    copied: JsonObject = copy_json(value)
    metadata = as_object(copied.get("metadata"))
    for name, stamps in (("labels", _STAMPED_LABELS), ("annotations", _STAMPED_ANNOTATIONS)):
        kept = {key: each for key, each in as_object(metadata.get(name)).items() if key not in stamps}
        if kept:
            metadata[name] = kept
        else:
            metadata.pop(name, None)
    return copied


def without_ownership(value: JsonObject) -> JsonObject:
    """Return a copy of an object without all labels and annotations that kro's controller adds to it."""
    copied: JsonObject = copy_json(value)
    metadata = as_object(copied.get("metadata"))
    for part in ("labels", "annotations"):
        written = as_object(metadata.get(part))
        kept = {name: text for name, text in written.items() if not _is_kros(name)}
        if len(kept) < len(written):
            metadata[part] = kept
            if not kept:
                del metadata[part]
    return copied


def _is_kros(name: str) -> bool:
    return name.startswith(names.RESERVED_PREFIXES) or name in (names.MANAGED_BY, names.APPLY_SET)


def apply_set_id(instance: JsonObject) -> str:
    """Return the id of the instance's ApplySet (KEP-3659)."""
    group = as_text(instance.get("apiVersion")).rpartition("/")[0]
    name = metadata_text(instance, "name"), metadata_text(instance, "namespace")
    digest = hashlib.sha256(utf8(".".join([*name, as_text(instance.get("kind")), group]))).digest()
    return f"applyset-{base64.urlsafe_b64encode(digest).decode().rstrip('=')}-v1"
