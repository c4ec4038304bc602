"""The values of `each` in KREP-2: the entries of the list or map that a `forEach` iterates over."""

from __future__ import annotations

from typing import Any

from kro_ls.kro.krep_2.words import INDEX, ITEM, KEY, LENGTH, VALUE


def places(collection: Any) -> list[dict[str, Any]] | None:
    """Return the value of `each` for each object, None if the value is neither a list nor a map.

    The keys of a map are sorted, so that objects keep their order.
    """
    if isinstance(collection, list):
        found = [{ITEM: item, INDEX: index} for index, item in enumerate(collection)]
    elif isinstance(collection, dict):
        found = [{KEY: key, VALUE: collection[key]} for key in sorted(collection)]
    else:
        return None
    return [{**each, LENGTH: len(found)} for each in found]


def key_of(place: dict[str, Any]) -> str:
    """Return the identity of an entry: its key in a map, or its index in a list."""
    return str(place[KEY] if KEY in place else place[INDEX])
