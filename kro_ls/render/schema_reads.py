"""The fields of the instance that the resources of a definition read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.render.graph_view import Cause, GraphView
    from kro_ls.yaml_positions.positions import Span


class ReadField(Struct, frozen=True):
    """A field, by its path (`spec.ingress.host`), its type and where it is declared, as far as SimpleSchema says it."""

    path: str
    type: str | None
    span: Span | None


class SchemaReads(Struct, frozen=True):
    """The fields that are read, in the order of their first read, and the causes by (resource, path)."""

    fields: tuple[ReadField, ...]
    edges: dict[tuple[str, str], tuple[Cause, ...]]


def schema_reads(drawn: GraphView) -> SchemaReads:
    """Return what the drawn resources read of the instance; a path is followed as far as SimpleSchema declares it."""
    schema = drawn.analysis.rgd.schema
    fields: dict[str, ReadField] = {}
    edges: dict[tuple[str, str], list[Cause]] = {}
    for resource in drawn.resources:
        for cause in resource.causes("schema"):
            found = _field(schema, tuple(cause.reads.split(".")[1:]))
            fields.setdefault(found.path, found)
            edges.setdefault((resource.id, found.path), []).append(cause)
    return SchemaReads(tuple(fields.values()), {key: tuple(causes) for key, causes in edges.items()})


def _field(schema: PlacedSchema | None, steps: tuple[str, ...]) -> ReadField:
    if schema is None or steps[:1] != ("spec",):
        return ReadField(".".join(steps[:2]) or "schema", None, None)
    for length in range(len(steps), 1, -1):
        definition = simple_schema(schema.section).definition_of(steps[1:length])
        written = written_field(schema.section, definition.root, definition.path) if definition else None
        if written:
            text = written.text
            type_ = str(text.value).partition("|")[0].strip() if text else None
            return ReadField(".".join(steps[:length]), type_, schema.placed.document_span(written.entry.key.span))
    return ReadField(".".join(steps[:2]), None, None)
