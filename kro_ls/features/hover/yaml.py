"""Tells what a key of YAML takes, what a value is to its field, and what the kind of an object is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation.kinds import describe_api_version, describe_kind, describe_unknown_kind
from kro_ls.features.documentation.schemas import describe_field, describe_value
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span

_NAMES = (("apiVersion",), ("kind",))


def hover_yaml(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key or the value at the cursor, and its span."""
    if cursor.yaml is None:
        return None
    kind, schema, located = cursor.named_kind, cursor.key_schema, cursor.yaml.located
    if kind:
        name = kind.name
        schemas = cursor.rgd.schemas if cursor.rgd else cursor.document.schemas
        lifetime = schemas.lifetime(name.group, name.version, name.kind) if schemas else None
        return describe_kind(kind, lifetime, schemas.choice(name) if schemas else None), located.span
    span = located.key_span
    if schema and span:
        return describe_field(str(cursor.yaml.path[-1]), schema), span
    return _unknown_kind(cursor) or _value(cursor)


def _unknown_kind(cursor: Cursor) -> tuple[str, Span] | None:
    """Tell of an `apiVersion` or `kind` of an object whose kind nobody knows."""
    if cursor.rgd is None or cursor.yaml is None:
        return None
    path, located, in_key = cursor.yaml
    if in_key or path[-1:] not in _NAMES or path[:2] != ("spec", "resources") or len(path) < 4:
        return None
    parent = cursor.rgd.rgd.document.child(path[:-1])
    api_version, kind = (text_of(field(parent.node if parent else None, name[0])) for name in _NAMES)
    if not located.span.contains(cursor.offset) or not api_version:
        return None
    if path[-1] == "kind" and kind:
        return describe_unknown_kind(cursor.rgd, api_version, kind), located.span
    return describe_api_version(cursor.rgd.schemas, api_version), located.span


def _value(cursor: Cursor) -> tuple[str, Span] | None:
    """Tell what the field of a value takes, and of a value of its enum that it is one."""
    schema, place = cursor.value_schema, cursor.yaml
    name = next((step for step in reversed(place.path) if isinstance(step, str)), None) if place else None
    if schema is None or place is None or name is None or not isinstance(place.located.node, Scalar):
        return None
    return describe_value(name, place.located.node.value, schema), place.located.span
