"""`spec.replicas=3`: a field of an instance and its new value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from kro_ls.openapi.json_values import copy_json
from kro_ls.runtime.nodes.node_objects import upsert
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject

_STEP = re.compile(r'\.?([^.\[\]="]+)|\[(\d{1,4})\]|\["([^"]*)"\]')
_WELL_KNOWN = "spec.replicas=3"


class FieldValue(Struct, frozen=True):
    """A path and a JSON value."""

    path: tuple[str | int, ...]
    value: Any


class FieldValueType(click.ParamType[FieldValue]):
    """`PATH=VALUE` with the path as in `spec.ports[0].name` and a YAML value."""

    name = "PATH=VALUE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> FieldValue:
        """Return the field and its value."""
        text = str(value)
        path, end = read_path(text)
        if not path or text[end : end + 1] != "=" or isinstance(path[0], int):
            self.fail(f"{text!r} is not PATH=VALUE, as in {_WELL_KNOWN}.", param, ctx)
        document = parse_stream(Text(text[end + 1 :])).documents[0]
        if document.errors:
            self.fail(f"the value of {text!r} is not YAML: {document.errors[0].message}", param, ctx)
        return FieldValue(path, document.to_python())


def read_path(text: str) -> tuple[tuple[str | int, ...], int]:
    """Return the path at the start of a text, and the offset at which it ends."""
    path: list[str | int] = []
    end = 0
    while found := _STEP.match(text, end):
        name, index, quoted = found.groups()
        path.append(int(index) if index is not None else name if name is not None else quoted)
        end = found.end()
    return tuple(path), end


def with_values(instance: JsonObject, values: Iterable[FieldValue]) -> JsonObject:
    """Return a copy of the instance with these fields. Raises UsageError for a path that does not fit it."""
    changed: JsonObject = copy_json(instance)
    for each in values:
        try:
            upsert(changed, each.path, each.value)
        except (AttributeError, KeyError, TypeError, IndexError):
            place = ".".join(map(str, each.path))
            raise click.UsageError(f"--set: the instance has something else on the way to {place}") from None
    return changed
