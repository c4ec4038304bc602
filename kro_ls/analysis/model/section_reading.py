"""Reads the schema section of a ResourceGraphDefinition: in one, or in the parts that its chunk is cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from kro_ls.analysis.model.expression_reader import ExpressionReader
from kro_ls.analysis.model.keys import meant_field
from kro_ls.analysis.model.model import PlacedSchema, SchemaSection
from kro_ls.analysis.model.sections import SPEC, STATUS, CutSection, SectionEntry, SectionPart
from kro_ls.kro.places import Place
from kro_ls.kro.rgd_schema import SCHEMA_FIELDS
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.access import entries, field, text_of
from kro_ls.yaml_positions.blocks import Blocks, difference
from kro_ls.yaml_positions.chunks import Chunk
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.entries import CutChunk
from kro_ls.yaml_positions.nodes import Entry, Mapping, Node, Scalar, ScalarStyle

if TYPE_CHECKING:
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.yaml_positions.conversion import JsonValue
    from kro_ls.yaml_positions.document import YamlDocument

SCHEMA = ("spec", "schema")


def place_schema(document: YamlDocument, before: PlacedSchema | None, dialect: Dialect) -> PlacedSchema | None:
    """Return the schema section of a document, None where it has none; `before` is that of an earlier version."""
    run = document.run_at(SCHEMA)
    if run is not None and isinstance(run.chunks[0], CutChunk):
        known = before.section if before else None
        cut = _read_cut(run.chunks[0], known, dialect)
        return PlacedSchema(run.placed(0), document.key_span(run), cut)
    located = document.child(SCHEMA)
    if located is None:
        return None
    placed = located.placed
    if placed.path == SCHEMA:
        section = _read_chunk(placed.chunk, dialect)
    else:
        section = _read(placed.chunk.text, located.node, dialect)
    return PlacedSchema(placed, located.key_span, section)


@cached
def _read_chunk(chunk: Chunk, dialect: Dialect) -> SchemaSection:
    return _read(chunk.text, cast("Node", chunk.root), dialect)


def _read(chunk_text: str, node: Node, dialect: Dialect) -> SchemaSection:
    reader = ExpressionReader(chunk_text, dialect)
    status = field(node, "status")
    for entry in entries(status):
        if entry.name == "conditions" and dialect.has_own_conditions:
            reader.list(entry.value, Place.CONDITION)
        elif entry.name is not None:
            reader.tree(entry.value, Place.STATUS, (entry.name,))
    return SchemaSection(
        chunk_text=chunk_text,
        node=node,
        kind=text_of(field(node, "kind")),
        scope=text_of(field(node, "scope")) or "Namespaced",
        status=status if isinstance(status, Mapping) else None,
        expressions=tuple(reader.expressions),
        faulty_texts=tuple(reader.faulty_texts),
        dialect=dialect,
    )


def _read_cut(chunk: CutChunk, before: SchemaSection | None, dialect: Dialect) -> CutSection:
    """Return the section in a chunk of entries. What it has in common with the one `before` are the same parts."""
    known = before if isinstance(before, CutSection) and before.dialect == dialect else None
    if known and known.chunk is chunk:
        return known
    head = _read_head(chunk.frame.chunk, chunk.keys, dialect)
    types = to_python(meant_field(head.node, "types", SCHEMA_FIELDS))
    types_key = repr(types)
    if known and known.types_key != types_key:
        known = None

    def parts(key: str) -> Blocks[SectionEntry]:
        old, new = known.chunk.entries(key) if known else Blocks[Chunk](), chunk.entries(key)
        start, before_end, end = difference(old, new)
        read = [_read_entry(each, key, types, types_key, dialect) for each in new[start:end]]
        return (known.parts(key) if known else Blocks[SectionEntry]()).replaced(start, before_end, read)

    return CutSection(
        chunk_text=chunk.text,
        node=head.node,
        kind=head.kind,
        scope=head.scope,
        status=None,
        expressions=(),
        faulty_texts=(),
        dialect=dialect,
        chunk=chunk,
        types_key=types_key,
        head=head,
        fields=parts(SPEC),
        outputs=parts(STATUS),
        read=lambda: _read_chunk(chunk.whole, dialect),
    )


@cached
def _read_head(chunk: Chunk, elsewhere: frozenset[str], dialect: Dialect) -> SectionPart:
    section = _read(chunk.text, cast("Node", chunk.root), dialect)
    return SectionPart(**_fields(section), elsewhere=elsewhere)


_ELSEWHERE = {key: frozenset((key,)) for key in (SPEC, STATUS)}


@cached
def _read_entry(chunk: Chunk, key: str, types: JsonValue, _types_key: str, dialect: Dialect) -> SectionEntry:
    """Return the part with an entry of the mapping under a key; `_types_key` tells 1 from true, which are equal."""
    entry = Entry(Scalar(0, 0, key, key, ScalarStyle.PLAIN), cast("Node", chunk.root), key)
    node = Mapping(0, len(chunk.text), (entry,), flow=False, index={key: entry})
    section = _read(chunk.text, node, dialect)
    return SectionEntry(**_fields(section), elsewhere=_ELSEWHERE[key], types=types)


def _fields(section: SchemaSection) -> dict[str, Any]:
    return {name: getattr(section, name) for name in SchemaSection.__struct_fields__}
