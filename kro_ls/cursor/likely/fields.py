"""The names of fields below what a name stands for, from its schema and a few levels deep."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.cel_types import SchemaRoot
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema

_DEEPEST = 3
_MOST = 60


@lru_cache(maxsize=512)  # asked at each key
def fields_of_status(kind: KindSchema | None) -> tuple[str, ...]:
    """Return the names of fields in the status of a kind."""
    return _first_names(_property(kind.schema, "status"), _DEEPEST) if kind else ()


@cached
def fields_of_instance(root: SchemaRoot) -> tuple[str, ...]:
    """Return the names of fields in `schema.spec`."""
    return _first_names(_property(root.schema, "spec"), _DEEPEST)


def fields_below(schema: JsonValue) -> tuple[str, ...]:
    """Return the names of fields below an object or the items of a list."""
    return _first_names(schema, _DEEPEST - 1)


def _first_names(schema: JsonValue, depth: int) -> tuple[str, ...]:
    return tuple(islice(_names(schema, depth), _MOST))


def _names(schema: JsonValue, depth: int) -> Iterator[str]:
    """Yield names level by level, so that those near the top come first."""
    level = [schema]
    for _ in range(depth):
        deeper: list[JsonValue] = []
        for each in level:
            if isinstance(each, dict):
                properties = each.get("properties")
                if isinstance(properties, dict):
                    yield from properties
                    deeper.extend(properties.values())
                deeper.extend(item for key in ("items", "additionalProperties") if (item := each.get(key)))
        level = deeper


def _property(schema: JsonValue, name: str) -> JsonValue:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties.get(name) if isinstance(properties, dict) else None
