"""The objects that a direct deployment has created, listed in a ConfigMap: the parent of an ApplySet (KEP-3659)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from msgspec import Struct, convert, to_builtins

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.passes.metadata import apply_set_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.openapi.json_values import JsonObject

TOOLING: Final = "kro-ls/v1"
_OBJECTS: Final = "objects"


class Entry(Struct, frozen=True):
    """An object: what names it, its node, and the level in which it was applied."""

    api_version: str
    kind: str
    namespace: str
    name: str
    node: str
    level: int

    @classmethod
    def of(cls, value: JsonObject, node: str, level: int) -> Entry:
        """Return the entry of an object."""
        named = as_text(value.get("apiVersion")), as_text(value.get("kind"))
        return cls(*named, metadata_text(value, "namespace"), metadata_text(value, "name"), node, level)

    @property
    def reference(self) -> JsonObject:
        """The object with nothing but its name."""
        metadata: JsonObject = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": metadata}

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The identity of an object, independent of the version in which it is applied."""
        return self.api_version.rpartition("/")[0], self.kind, self.namespace, self.name


class Inventory:
    """The objects of one instance."""

    def __init__(self, api: ClusterApi, instance: JsonObject, manager: str) -> None:
        self._api = api
        self._manager = manager
        group = as_text(instance.get("apiVersion")).rpartition("/")[0]
        kind = as_text(instance.get("kind")).lower()
        metadata: JsonObject = {
            "name": ".".join(filter(None, (metadata_text(instance, "name"), kind, group))),
            "namespace": metadata_text(instance, "namespace") or api.namespace,
        }
        self._parent: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}
        self.id = apply_set_id(self._parent)
        """The value of the label of all objects of the instance."""
        self.entries: tuple[Entry, ...] = ()
        self.exists = False

    def read(self) -> Inventory:
        """Read the list of previous deployments, and return itself. Raises DeploymentError."""
        found = self._api.find(self._parent)
        self.exists = found is not None
        if found is None:
            return self
        name = metadata_text(found, "name")
        if as_object(as_object(found.get("metadata")).get("labels")).get(labels.APPLY_SET_PARENT) != self.id:
            raise DeploymentError(
                f"ConfigMap {name} exists already, and is not the inventory of a deployment; rename the instance"
            )
        data = as_object(found.get("data"))
        try:
            self.entries = convert(json.loads(as_text(data.get(_OBJECTS)) or "[]"), tuple[Entry, ...])
        except ValueError as error:
            raise DeploymentError(f"ConfigMap {name} has no inventory that can be read: {error}") from None
        return self

    def save(self, entries: Iterable[Entry]) -> None:
        """Write what is there now. Raises DeploymentError."""
        self.entries = tuple(entries)
        kinds = {".".join(filter(None, (each.kind, each.key[0]))) for each in self.entries}
        own = metadata_text(self._parent, "namespace")
        others = {each.namespace for each in self.entries} - {"", own}
        metadata: JsonObject = {
            **as_object(self._parent["metadata"]),
            "labels": {labels.APPLY_SET_PARENT: self.id},
            "annotations": {
                labels.APPLY_SET_TOOLING: TOOLING,
                labels.APPLY_SET_KINDS: ",".join(sorted(kinds)),
                labels.APPLY_SET_NAMESPACES: ",".join(sorted(others)),
            },
        }
        data: JsonObject = {_OBJECTS: json.dumps(to_builtins(self.entries))}
        self._api.apply({**self._parent, "metadata": metadata, "data": data}, self._manager, force=True)
        self.exists = True

    def add(self, entries: Iterable[Entry]) -> None:
        """Add objects that will be created. Raises DeploymentError."""
        known = {each.key: each for each in self.entries}
        found = {each.key: each for each in entries}
        if any(known.get(key) != each for key, each in found.items()):
            self.save({**known, **found}.values())

    def remove(self) -> None:
        """Delete it: nothing is there any more. Raises DeploymentError."""
        self._api.delete(self._parent)
        self.entries, self.exists = (), False

    def marked(self, value: JsonObject) -> JsonObject:
        """Return an object with the label."""
        metadata = as_object(value["metadata"])
        marks: JsonObject = {**as_object(metadata.get("labels")), labels.APPLY_SET: self.id}
        return {**value, "metadata": {**metadata, "labels": marks}}

    def owns(self, value: JsonObject) -> bool:
        """Whether an object in the cluster carries the label of this inventory."""
        return owner_of(value) == self.id


def owner_of(value: JsonObject) -> str:
    """Return the id of the ApplySet that an object is part of; empty for none."""
    return as_text(as_object(as_object(value.get("metadata")).get("labels")).get(labels.APPLY_SET))
