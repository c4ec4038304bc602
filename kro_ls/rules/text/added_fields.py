"""Makes the quick fixes that add a missing field of an RGD, with a value for the author to change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.nodes import Mapping, Scalar, is_null
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.yaml_positions.nodes import Entry

_BEFORE_KEY = r"[ ]*(?:-[ ]+)*"

API_VERSION = "v1alpha1"
KIND = "MyApp"
_SCHEMA_LINES = (f"apiVersion: {API_VERSION}", f"kind: {KIND}")
_VALUES = {
    "id": ("myResource",),
    "apiVersion": ("v1",),
    "kind": ("ConfigMap",),
    "name": ("my-app",),
    "jsonPath": (".spec.name",),
    "type": ("string",),
    "operator": ("Exists",),
    "schema": _SCHEMA_LINES,
    "metadata": ("name: my-app",),
    "template": ("apiVersion: v1", "kind: ConfigMap", "metadata:", "  name: ${schema.metadata.name}"),
    "spec": ("schema:", *(f"  {line}" for line in _SCHEMA_LINES)),
}
_OBJECTS = frozenset({"schema", "metadata", "spec", "template"})


def add_field(
    mapping: Mapping, name: str, text: str, order: Sequence[str] = (), value: str | None = None
) -> tuple[Fix, ...]:
    """Return the fix that adds a field to a mapping, or gives it a value if it is null.

    The field follows its predecessor in `order` if that is on one line, else it comes first. Without a `value` it gets
    a usual one. There is no fix if the place is not on a line of its own.
    """
    lines = (value,) if value else _VALUES.get(name, (f"my-{name.lower()}",))
    is_object = name in _OBJECTS and not value
    written = mapping.entry(name)
    if written is not None:
        replacement = _set_value(written, lines, text, is_object=is_object, in_flow=mapping.flow)
    elif mapping.flow:
        place = mapping.entries[0].start if mapping.entries else mapping.start + 1
        separator = ", " if mapping.entries else ""
        replacement = Replacement(Span(place, place), f"{name}: {_flow(lines, is_object=is_object)}{separator}")
    else:
        replacement = _add_line(mapping, name, lines, text, order, is_object=is_object)
    if replacement is None:
        return ()
    return (Fix(f"Add '{name}'", (replacement,)),)


def _set_value(
    entry: Entry, lines: tuple[str, ...], text: str, *, is_object: bool, in_flow: bool
) -> Replacement | None:
    if not isinstance(entry.value, Scalar) or not is_null(entry.value):
        return None
    span = entry.value.span
    missing = entry.value.style is ScalarStyle.MISSING
    if missing:
        colon = text.find(":", entry.key.end)
        span = Span(colon + 1, colon + 1)
    new = (
        _flow(lines, is_object=is_object) if in_flow or not missing else _block(lines, text, entry, is_object=is_object)
    )
    return Replacement(span, f" {new}" if missing and not new.startswith("\n") else new)


def _add_line(
    mapping: Mapping, name: str, lines: tuple[str, ...], text: str, order: Sequence[str], *, is_object: bool
) -> Replacement | None:
    first = mapping.entries[0]
    line = text[_line_start(text, first.start) : first.start]
    if not re.fullmatch(_BEFORE_KEY, line):
        return None
    block = _block(lines, text, first, is_object=is_object)
    field = f"{name}:{block}" if is_object else f"{name}: {block}"
    indent = " " * len(line)
    place = end_of_field_before(mapping, name, text, order)
    if place is None:
        return Replacement(Span(first.start, first.start), f"{field}\n{indent}")
    return Replacement(Span(place, place), f"\n{indent}{field}")


def end_of_field_before(mapping: Mapping, name: str, text: str, order: Sequence[str]) -> int | None:
    """Return the end of the line of the nearest predecessor of a name in an order; None if the name comes first."""
    before = _field_before(mapping, name, text, order)
    if before is None:
        return None
    line_end = text.find("\n", before.end)
    place = line_end if line_end >= 0 else len(text)
    return place - text.endswith("\r", 0, place)


def _field_before(mapping: Mapping, name: str, text: str, order: Sequence[str]) -> Entry | None:
    """Return the nearest predecessor of a name in an order, if its value is on its own line."""
    earlier = list(order)[: order.index(name)] if name in order else []
    for known in reversed(earlier):
        entry = mapping.entry(known)
        if entry is not None:
            fits = isinstance(entry.value, Scalar) and "\n" not in text[entry.start : entry.end]
            return entry if fits else None
    return None


def _block(lines: tuple[str, ...], text: str, entry: Entry, *, is_object: bool) -> str:
    """Return a value in block style; the lines of an object follow the key, which is in an entry's column."""
    if not is_object:
        return lines[0]
    indent = " " * (entry.start - _line_start(text, entry.start) + 2)
    return "".join(f"\n{indent}{line}" for line in lines)


def _flow(lines: tuple[str, ...], *, is_object: bool) -> str:
    if not is_object:
        return lines[0]
    if lines[0].endswith(":"):
        return f"{{{lines[0]} {_flow(tuple(line.strip() for line in lines[1:]), is_object=True)}}}"
    return f"{{{', '.join(lines)}}}"


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1
