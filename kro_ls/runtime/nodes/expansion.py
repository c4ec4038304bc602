"""The objects of a collection: which combinations of iterator values there are, and which object is which.

Source: kro `pkg/runtime/collection.go`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from kro_ls.kro.krep_2.each_places import key_of
from kro_ls.kro.labels import COLLECTION_INDEX, COLLECTION_KEY
from kro_ls.runtime.nodes.errors import FatalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.kro.collection_form import CollectionForm
    from kro_ls.openapi.json_values import JsonObject


def combinations(dimensions: Sequence[tuple[str, list[Any]]], most: int) -> list[dict[str, Any]]:
    """Return the iterators' values for each object; the last dimension varies fastest. Raises FatalError.

    `most` is the largest number of objects that kro allows; kro names the product at which it was exceeded.
    """
    total = 1
    for _, values in dimensions:
        total *= len(values)
        if total == 0:
            return []
        if total > most:
            text = f"collection size of {total} is over the maximum collection size of {most}"
            raise FatalError(text, plain=f"forEach gives {total} objects or more, but kro makes at most {most}")
    names = [name for name, _ in dimensions]
    return [dict(zip(names, each, strict=True)) for each in product(*(values for _, values in dimensions))]


def metadata_text(value: JsonObject, name: str) -> str:
    """Return a text of an object's metadata, empty where there is none."""
    metadata = value.get("metadata")
    text = metadata.get(name) if isinstance(metadata, dict) else None
    return text if isinstance(text, str) else ""


def identity(value: JsonObject) -> str:
    """Return what tells objects apart: `group/version/kind/namespace/name`."""
    group, _, version = str(value.get("apiVersion") or "").rpartition("/")
    place = metadata_text(value, "namespace"), metadata_text(value, "name")
    return "/".join([group, version, str(value.get("kind") or ""), *place])


def first_repeated(objects: Iterable[JsonObject]) -> str | None:
    """Return the first identity that two of the objects share."""
    seen: set[str] = set()
    for each in objects:
        key = identity(each)
        if key in seen:
            return key
        seen.add(key)
    return None


def repeated_object(key: str) -> str:
    """Return for people that two objects of a collection are the same one, by what tells them apart."""
    _, _, kind, namespace, name = key.split("/", 4)
    return f"two of its objects are the same {kind} {'/'.join(filter(None, (namespace, name)))}"


def in_order_of(observed: list[JsonObject], desired: list[JsonObject]) -> list[JsonObject]:
    """Return the observed objects that are desired, in that order; all of them where nothing is desired."""
    if not observed or not desired:
        return observed
    found = {identity(each): each for each in observed}
    return [found[key] for key in map(identity, desired) if key in found]


def set_place_label(value: JsonObject, index: int, iterators: dict[str, Any], form: CollectionForm) -> None:
    """Write the label that says which item of its collection an object is."""
    name, text = COLLECTION_INDEX, str(index)
    if form.iterator:
        name, text = COLLECTION_KEY, key_of(iterators[form.iterator])
    metadata = value.setdefault("metadata", {})
    if isinstance(metadata, dict):
        labels = metadata.get("labels")
        kept = labels if isinstance(labels, dict) else {}
        metadata["labels"] = {**kept, name: text}
