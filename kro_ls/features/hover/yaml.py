"""Tells what a key of YAML takes, and what the kind of an object is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.kind_uses import kind_use_at
from kro_ls.cursor.locate import rgd_at
from kro_ls.cursor.yaml_schemas import field_schema_at
from kro_ls.features.yaml_documentation import describe_field, describe_kind

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span


def describe_yaml_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """Return Markdown for the key, or for the value of `apiVersion` or `kind`, at a document offset, and its span."""
    use = kind_use_at(analysis, offset)
    if use:
        name = use.kind.name
        return describe_kind(use.kind, use.schemas.lifetime(name.group, name.version, name.kind)), use.span
    rgd = rgd_at(analysis, offset)
    at = rgd.rgd.document.path_at(offset) if rgd else None
    if rgd is None or at is None:
        return None
    path, located, in_key = at
    document = rgd.rgd.document

    def node_at(wanted: Path) -> Node | None:
        found = document.child(wanted)
        return found.node if found else None

    schema = field_schema_at(path, node_at, rgd.surroundings.schemas) if in_key else None
    span = located.key_span
    return (describe_field(str(path[-1]), schema), span) if schema and span else None
