"""Objects of nodes: templates with their values filled in, the items of a collection, and the identity of objects.

Source: kro `pkg/runtime/{resolver,collection.go}`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from kro_ls.kro.conversion import without_omitted
from kro_ls.kro.krep_2 import key_of
from kro_ls.kro.labels import COLLECTION_INDEX, COLLECTION_KEY
from kro_ls.openapi.json_values import as_text, copy_json
from kro_ls.runtime.nodes.errors import FatalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.forms import CollectionForm
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


def group_kind(value: JsonObject) -> tuple[str, str]:
    """Return group and kind of an object."""
    return as_text(value.get("apiVersion")).rpartition("/")[0], as_text(value.get("kind"))


def identity(value: JsonObject) -> str:
    """Return the identity of an object: `group/version/kind/namespace/name`."""
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
    """Return the sentence for people that two objects of a collection are the same one, by their identity."""
    _, _, kind, namespace, name = key.split("/", 4)
    return f"two of its objects are the same {kind} {'/'.join(filter(None, (namespace, name)))}"


def in_order_of(observed: list[JsonObject], desired: list[JsonObject]) -> list[JsonObject]:
    """Return the observed objects that are desired, in that order; all of them where nothing is desired."""
    if not observed or not desired:
        return observed
    found = {identity(each): each for each in observed}
    return [found[key] for key in map(identity, desired) if key in found]


def set_place_label(value: JsonObject, index: int, iterators: dict[str, Any], form: CollectionForm) -> None:
    """Write the label with the place of an object in its collection."""
    name, text = COLLECTION_INDEX, str(index)
    if form.iterator:
        name, text = COLLECTION_KEY, key_of(iterators[form.iterator])
    metadata = value.setdefault("metadata", {})
    if isinstance(metadata, dict):
        labels = metadata.get("labels")
        kept = labels if isinstance(labels, dict) else {}
        metadata["labels"] = {**kept, name: text}


def fill(template: JsonObject, values: Iterable[tuple[Path, Any]]) -> JsonObject:
    """Return a copy of the template with values in place of what stands at their paths, `omit()` carried out."""
    filled: Any = copy_json(template)
    for path, value in values:
        parent = filled
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = value
    result: JsonObject = without_omitted(filled)
    return result


MISSING: Any = object()
"""What stands at a path where nothing does: unlike null, which is a value."""


def at(value: Any, path: Path) -> Any:
    """Return the value at a path of names and indices, `MISSING` where there is none."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return MISSING
    return value


def upsert(target: JsonObject, path: Path, value: Any) -> None:
    """Write a value, making the objects and lists on the way; a list grows with nulls up to the index."""
    parent: Any = target
    for depth, step in enumerate(path):
        if isinstance(step, int) and step >= len(parent):
            parent.extend([None] * (step + 1 - len(parent)))
        if depth == len(path) - 1:
            parent[step] = value
            return
        inner = parent[step] if isinstance(step, int) else parent.get(step)
        if inner is None:
            inner = parent[step] = [] if isinstance(path[depth + 1], int) else {}
        parent = inner


def merge(base: Any, changes: Any) -> Any:
    """Return a copy of `base` with the fields of `changes` in it; anything but objects is replaced as a whole."""
    if not (isinstance(base, dict) and isinstance(changes, dict)):
        return copy_json(changes)
    merged = copy_json(base)
    for name, value in changes.items():
        merged[name] = merge(merged.get(name), value)
    return merged
