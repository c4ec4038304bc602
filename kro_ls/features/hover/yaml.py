"""Tells what a key of YAML takes, and what the kind of an object is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation.kinds import describe_kind
from kro_ls.features.documentation.schemas import describe_field

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span


def hover_yaml(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key, or for the value of `apiVersion` or `kind`, at the cursor, and its span."""
    if cursor.yaml is None:
        return None
    kind, schema, located = cursor.named_kind, cursor.key_schema, cursor.yaml.located
    if kind:
        name = kind.name
        schemas = cursor.rgd.surroundings.schemas if cursor.rgd else cursor.document.schemas
        lifetime = schemas.lifetime(name.group, name.version, name.kind) if schemas else None
        return describe_kind(kind, lifetime), located.span
    span = located.key_span
    return (describe_field(str(cursor.yaml.path[-1]), schema), span) if schema and span else None
