"""The objects of a cluster that an explanation has: as `kubectl get -o yaml` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro import labels
from kro_ls.kro.forms import DEFAULT_GROUP, KIND
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.queries.cells import cached_attribute
from kro_ls.runtime.nodes.node_objects import group_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.needed_permissions import Permission
    from kro_ls.openapi.json_values import JsonObject, JsonValue


def flattened(values: Iterable[JsonValue]) -> Iterator[JsonObject]:
    """Yield the objects among some values, and those in lists of kubectl."""
    for value in values:
        found = as_object(value)
        items = found.get("items")
        if isinstance(items, list) and as_text(found.get("kind")).endswith("List"):
            yield from flattened(items)
        elif found.get("kind") and found.get("apiVersion"):
            yield found


def metadata_of(value: JsonObject) -> JsonObject:
    """Return the metadata of an object."""
    return as_object(value.get("metadata"))


def name_of(value: JsonObject) -> str:
    """Return the name of an object."""
    return as_text(metadata_of(value).get("name"))


def namespace_of(value: JsonObject) -> str:
    """Return the namespace of an object."""
    return as_text(metadata_of(value).get("namespace"))


def labels_of(value: JsonObject) -> JsonObject:
    """Return the labels of an object."""
    return as_object(metadata_of(value).get("labels"))


def annotations_of(value: JsonObject) -> JsonObject:
    """Return the annotations of an object."""
    return as_object(metadata_of(value).get("annotations"))


def status_of(value: JsonObject) -> JsonObject:
    """Return the status of an object."""
    return as_object(value.get("status"))


def conditions_of(value: JsonObject) -> dict[str, JsonObject]:
    """Return the conditions of an object by their types."""
    found = map(as_object, as_list(status_of(value).get("conditions")))
    return {as_text(each.get("type")): each for each in found}


def is_definition(value: JsonObject) -> bool:
    """Whether an object is a definition of kro."""
    return value.get("kind") == KIND and as_text(value.get("apiVersion")).startswith(f"{DEFAULT_GROUP}/")


def declared_kind(definition: JsonObject) -> tuple[str, str]:
    """Return group and kind that a definition declares."""
    schema = as_object(as_object(definition.get("spec")).get("schema"))
    return as_text(schema.get("group")) or DEFAULT_GROUP, as_text(schema.get("kind"))


class Objects(Struct, frozen=True, dict=True):
    """All objects that are given, and what kro was denied where its log is given, too."""

    all: tuple[JsonObject, ...]
    denied: tuple[Permission, ...] = ()

    def of_kind(self, *kinds: str) -> Iterator[JsonObject]:
        """Yield the objects of some kinds."""
        return (each for each in self.all if each.get("kind") in kinds)

    def named(self, kind: str, name: str, namespace: str = "") -> JsonObject | None:
        """Return the object of a kind and name, in a namespace where one is given."""
        found = (each for each in self.of_kind(kind) if name_of(each) == name)
        return next((each for each in found if not namespace or namespace_of(each) in ("", namespace)), None)

    @cached_attribute
    def definitions(self) -> tuple[JsonObject, ...]:
        """The definitions."""
        return tuple(filter(is_definition, self.all))

    def definition_of(self, instance: JsonObject) -> JsonObject | None:
        """Return the definition that declares the kind of an instance."""
        kind = group_kind(instance)
        return next((each for each in self.definitions if declared_kind(each) == kind), None)

    def children(self, instance: JsonObject) -> dict[str, list[JsonObject]]:
        """Return the objects that kro made for an instance, by the ids of their nodes."""
        uid = as_text(metadata_of(instance).get("uid"))
        found: dict[str, list[JsonObject]] = {}
        for each in self.all:
            own = labels_of(each)
            if each is not instance and own.get(labels.NODE_ID) and own.get(labels.INSTANCE_ID) == uid:
                found.setdefault(as_text(own[labels.NODE_ID]), []).append(each)
        for values in found.values():
            values.sort(key=_collection_index)
        return found

    def owned_by(self, owner: JsonObject, *kinds: str) -> list[JsonObject]:
        """Return the objects of some kinds whose owner an object is, also through others: pods of a Deployment."""
        found: list[JsonObject] = []
        owners, seen = [as_text(metadata_of(owner).get("uid"))], set[str]()
        while owners:
            uid = owners.pop()
            if not uid or uid in seen:
                continue
            seen.add(uid)
            owned = self._by_owner.get(uid, [])
            found += (each for each in owned if each.get("kind") in kinds)
            owners += (as_text(metadata_of(each).get("uid")) for each in owned)
        return found

    @cached_attribute
    def _by_owner(self) -> dict[str, list[JsonObject]]:
        found: dict[str, list[JsonObject]] = {}
        for each in self.all:
            for reference in map(as_object, as_list(metadata_of(each).get("ownerReferences"))):
                found.setdefault(as_text(reference.get("uid")), []).append(each)
        return found

    def events(self, value: JsonObject) -> list[str]:
        """Return the reasons and messages of the warnings about an object."""
        return list(
            dict.fromkeys(
                f"{each.get('reason')}: {as_text(each.get('message') or each.get('note')).strip()}"
                for each in self.of_kind("Event")
                if each.get("type") == "Warning" and _is_about(each, value)
            )
        )


def _collection_index(value: JsonObject) -> int:
    index = as_text(labels_of(value).get(labels.COLLECTION_INDEX))
    return int(index) if index.isdecimal() else 0


def _is_about(event: JsonObject, value: JsonObject) -> bool:
    about = as_object(event.get("involvedObject") or event.get("regarding"))
    if about.get("uid") and metadata_of(value).get("uid"):
        return about["uid"] == metadata_of(value)["uid"]
    return about.get("kind") == value.get("kind") and about.get("name") == name_of(value)
