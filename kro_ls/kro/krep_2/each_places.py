"""What `each` of KREP-2 is: one place of the list or the map that a `forEach` runs over."""

from __future__ import annotations

from typing import Any

from kro_ls.kro.krep_2.words import INDEX, ITEM, KEY, LENGTH, VALUE


def places(collection: Any) -> list[dict[str, Any]] | None:
    """Return what `each` is for each object, None for what is neither a list nor a map.

    The keys of a map come in the order of the alphabet, so that an object stays where it is.
    """
    if isinstance(collection, list):
        found = [{ITEM: item, INDEX: index} for index, item in enumerate(collection)]
    elif isinstance(collection, dict):
        found = [{KEY: key, VALUE: collection[key]} for key in sorted(collection)]
    else:
        return None
    return [{**each, LENGTH: len(found)} for each in found]


def key_of(place: dict[str, Any]) -> str:
    """Return what tells a place from the others: its key in a map, or its index in a list."""
    return str(place[KEY] if KEY in place else place[INDEX])
