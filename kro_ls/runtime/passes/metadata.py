"""The labels and annotations that kro writes on what it manages.

Source: kro `pkg/metadata`, `pkg/controller/instance/applyset`.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from kro_ls.golang.quoting import utf8
from kro_ls.kro import labels as names
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.json_values import as_list, as_object, as_text, copy_json
from kro_ls.runtime.nodes.node_objects import group_kind, metadata_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.names.dependency_graph import Graph
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject


class Ownership:
    """What kro writes on all objects of an instance."""

    def __init__(self, rgd: RgdAnalysis, instance: JsonObject, kro: Version = NEWEST) -> None:
        self._orders = apply_orders(rgd.graph)
        group, _, version = as_text(instance.get("apiVersion")).rpartition("/")
        self._labels: JsonObject = {
            names.OWNED: "true",
            names.KRO_VERSION: f"v{kro.release}",
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
        order: JsonObject = {names.APPLY_ORDER: str(self._orders[id_])} if id_ in self._orders else {}
        metadata["labels"] = labels
        metadata["annotations"] = {**as_object(metadata.get("annotations")), **order}
        return value


_PLACES = frozenset({names.COLLECTION_INDEX, names.COLLECTION_KEY})


def apply_orders(graph: Graph) -> dict[str, int]:
    """Return the apply wave of each resource, from 1, which kro writes on its objects; empty if there is a cycle.

    kro deletes the highest wave first; in it are the resources that nothing depends on. A preview always has these
    numbers and must not wait for networkx, which gives drawings the same ones.
    """
    if graph.cycles:
        return {}
    after: dict[str, int] = {}
    for resource in reversed(graph.order):
        after[resource] = max((after[each] + 1 for each in graph.dependents[resource]), default=0)
    count = max(after.values(), default=0) + 1
    return {resource: count - length for resource, length in after.items()}


def unmanaged(value: JsonObject) -> JsonObject:
    """Return a copy of a rendered object without the label with which kro numbers the items of a collection."""
    return _without(value, _PLACES.__contains__)


_STAMPS = frozenset(
    {
        names.NODE_ID,
        names.COLLECTION_INDEX,
        names.COLLECTION_SIZE,
        names.INSTANCE_ID,
        names.NODE_PATH,
        names.APPLY_ORDER,
    }
)
"""The labels and annotations that kro writes on the objects of a Graph."""


def unstamped(value: JsonObject) -> JsonObject:
    """Return a copy of an object of a Graph without the labels and annotations of kro."""
    return _without(value, _STAMPS.__contains__)


def without_ownership(value: JsonObject) -> JsonObject:
    """Return a copy of an object without all labels and annotations that kro's controller adds to it."""
    return _without(
        value, lambda name: name.startswith(names.RESERVED_PREFIXES) or name in (names.MANAGED_BY, names.APPLY_SET)
    )


def _without(value: JsonObject, is_kros: Callable[[str], bool]) -> JsonObject:
    copied: JsonObject = copy_json(value)
    metadata = as_object(copied.get("metadata"))
    for part in ("labels", "annotations"):
        written = as_object(metadata.get(part))
        kept = {name: text for name, text in written.items() if not is_kros(name)}
        if kept:
            metadata[part] = kept
        elif written:
            del metadata[part]
    return copied


def managed_instance(
    rgd: RgdAnalysis, instance: JsonObject, definition_uid: str, kinds: Iterable[str], kro: Version
) -> JsonObject:
    """Return an instance with the labels, annotations and finalizer that kro writes on it before anything else.

    `kinds` are those of what kro makes for it, each with its group; `kro` is the version that runs.
    """
    metadata = as_object(instance.get("metadata"))
    id_, contained = apply_set_id(instance), ",".join(sorted(set(kinds)))
    labels: JsonObject = {
        names.OWNED: "true",
        names.KRO_VERSION: f"v{kro.release}",
        names.DEFINITION_ID: definition_uid,
        names.DEFINITION_NAME: rgd.rgd.name or "",
        names.APPLY_SET_PARENT: id_,
    }
    annotations: JsonObject = {
        names.APPLY_SET_TOOLING: f"kro/v{kro.release}",
        names.APPLY_SET_KINDS: contained,
        names.APPLY_SET_NAMESPACES: "",
        names.APPLY_SET_HASH: "sha256:" + _digest(f"{id_}\0{contained}\0"),
    }
    finalizers = [*as_list(metadata.get("finalizers"))]
    if names.FINALIZER not in finalizers:
        finalizers.append(names.FINALIZER)
    managed: JsonObject = {
        **metadata,
        "labels": {**as_object(metadata.get("labels")), **labels},
        "annotations": {**as_object(metadata.get("annotations")), **annotations},
        "finalizers": finalizers,
    }
    return {**instance, "metadata": managed}


def apply_set_id(instance: JsonObject) -> str:
    """Return the id of the instance's ApplySet (KEP-3659)."""
    group, kind = group_kind(instance)
    name = metadata_text(instance, "name"), metadata_text(instance, "namespace")
    return f"applyset-{_digest('.'.join([*name, kind, group]))}-v1"


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(utf8(text)).digest()).decode().rstrip("=")
