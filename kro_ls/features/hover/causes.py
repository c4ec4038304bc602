"""Hovers on the status of an instance, as kubectl prints it: why the instance does not go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation.markdown import plain
from kro_ls.workspace.instances import definition_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span

_KEYS = (("status",), ("status", "state"), ("status", "conditions"))
_MOST = 3


def hover_cause(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the causes, and the span of the key at the cursor.

    What else the file holds, such as the objects that kro made, is looked at as well.
    """
    described, place = cursor.described, cursor.yaml
    if described is None or described.kind is None or place is None or place.path not in _KEYS:
        return None
    key, declared = place.located.key_span, definition_of(described.kind, cursor.others)
    if key is None or not key.contains(cursor.offset) or declared is None:
        return None
    from kro_ls.runtime.causes.explaining import explain
    from kro_ls.runtime.causes.given_objects import Objects, flattened, group_kind

    document, number = declared
    rgd = document.analysis.rgds[number]
    values = list(flattened(_values(cursor)))
    subject = next((each for each in values if _is_same(cursor, each)), None)
    if subject is None:
        return None
    explained = explain(subject, Objects(tuple(values)), {group_kind(subject): rgd})
    if explained.is_well:
        return None
    shown = explained.causes[:_MOST]
    return "\n\n".join(_markdown(each, document, number) for each in shown), key


def _values(cursor: Cursor) -> Iterator[JsonValue]:
    from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
    from kro_ls.yaml_positions.stream import parse_stream

    for each in parse_stream(cursor.document.text).documents:
        try:
            yield each.to_python()
        except ExcessiveAliasingError:
            continue


def _is_same(cursor: Cursor, value: JsonValue) -> bool:
    described = cursor.described
    return described is not None and described.document.to_python() == value


def _markdown(cause: Explanation, document: Document, number: int) -> str:
    from kro_ls.runtime.causes.cause_place import place_in

    span = place_in(document.analysis.rgds[number], cause)
    lines = [f"**{plain(cause.message)}**"]
    if span is not None:
        line = document.text.position(span.start).line + 1
        name = document.uri.rpartition("/")[2]
        lines.append(f"at [{plain(name)}, line {line}]({document.uri}#L{line})")
    lines += [f"Matter of: {cause.kind.fault.value}", f"To unblock: {plain(cause.advice)}"]
    lines += [f"See also: `{command}`" for command in cause.fetch[:_MOST]]
    return "  \n".join(lines)
