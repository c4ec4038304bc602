"""Finds the documents of a text that kubectl applies as ResourceGraphDefinitions or Graphs, and reads their models.

Each resource and the schema section is read from its own chunk and cached there, so that an edit reads one part.
Nothing here fails or reports: what has an unexpected shape is skipped.

kubectl applies each entry of a document's `items` as a document of its own (k8s.io/cli-runtime
`pkg/resource/builder.go`, `Flatten`; k8s.io/apimachinery `pkg/apis/meta/v1/unstructured/helpers.go`).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import PlacedSchema, Resource, ResourceGraphDefinition
from kro_ls.analysis.model.resource_reading import read_node, read_resource, read_resource_of
from kro_ls.analysis.model.sections import (
    SPEC,
    STATUS,
    misspelling,
    outline,
    read_cut,
    read_section,
    read_section_of,
)
from kro_ls.kro.forms import API_VERSION, GRAPH_FORM, GROUP, KIND, RESOURCE_FORMS, RGD_FORM
from kro_ls.kro.rgd_schema import ROOT_FIELDS, SCHEMA_FIELDS, SPEC_FIELDS
from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.queries.cells import Blocks, Difference, difference
from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.cutting import INSIDE
from kro_ls.yaml_positions.documents.document import YamlDocument
from kro_ls.yaml_positions.documents.entries import CutChunk
from kro_ls.yaml_positions.documents.parts import yaml_start
from kro_ls.yaml_positions.documents.runs import PlacedChunk, PlacedChunks
from kro_ls.yaml_positions.documents.stream import YamlStream
from kro_ls.yaml_positions.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries,
    entry_of,
    field,
    items,
    text_of,
    unknown_entries,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.yaml_positions.documents.runs import Run
    from kro_ls.yaml_positions.positions import Span


_SCHEMA: tuple[str, ...] = ("spec", "schema")
_RESOURCES: Path = ("spec", RGD_FORM.items)
_NODES: Path = ("spec", GRAPH_FORM.items)

CUTS: tuple[tuple[str, ...], ...] = (
    (*_SCHEMA, INSIDE, SPEC),
    (*_SCHEMA, INSIDE, STATUS),
    ("spec", "resources", "*"),
)
"""Where an RGD's document is cut into chunks that are parsed and cached separately."""

MOST_DOCUMENTS = 400
"""How many documents of a text are read; real files have tens."""

_OF_EXPECTATIONS = {"apiVersion", "kind", "metadata", "status"}
"""The fields of an object in the assertions of kuttl and Chainsaw that say nothing of its `spec`."""

_NAMED = rf"kind\W{{0,6}}{KIND}\b"
_MEANT_KIND = rf"^[\"']?{_NAMED}"
_MEANT_VERSION = rf"^[\"']?apiVersion\W{{1,6}}{re.escape(GROUP)}/"
_SEPARATED = r"(?>%[^\n]*\n|[ \t]*(?:#[^\n]*)?\r?\n)*+---"

_ITEM = r"[ \t]*-[ \t]+id:"
"""The first line of a resource: YAML stops reading at one whose indentation does not fit."""


def form_of(document: YamlDocument) -> DefinitionForm | None:
    """Return the kind of definition that a document is; None for any other."""
    if is_rgd(document):
        return RGD_FORM
    return GRAPH_FORM if _says_graph(document) else None


def _says_graph(document: YamlDocument) -> bool:
    """Whether the document is a Graph of kro, and not an instance of a user's kind of that name."""
    root = document.frame.chunk.root
    if not isinstance(root, Mapping) or text_of(root.get("kind")) != GRAPH_FORM.kind:
        return False
    if text_of(root.get("apiVersion")) != API_VERSION:
        return False
    nodes = document.child(_NODES)
    return nodes is not None and isinstance(nodes.node, Sequence)


def is_rgd(document: YamlDocument) -> bool:
    """Whether the document says that it is a ResourceGraphDefinition of kro, be it under a misspelt `kind`."""
    cells = document.frame.chunk.cells  # of the chunk that has all that this reads
    found: bool | None = cells.get(is_rgd)
    if found is None:
        found = cells[is_rgd] = _says_rgd(document)
    return found


def _says_rgd(document: YamlDocument) -> bool:
    kind, version = (document.child((name,)) for name in ("kind", "apiVersion"))
    if kind is None:
        named = any(text_of(entry.value) == KIND for entry in entries(document.frame.chunk.root))
        return named and version is not None and (text_of(version.node) or "").partition("/")[0] == GROUP
    if not isinstance(kind.node, Scalar) or kind.node.text not in (KIND, FORMER_KIND) or _is_part_of_one(document):
        return False
    if kind.node.text == FORMER_KIND and version is None:
        return False
    if version is None or not isinstance(version.node, Scalar) or version.node.damaged:
        return True
    return version.node.text.partition("/")[0] == GROUP


def _is_part_of_one(document: YamlDocument) -> bool:
    """Whether a document only describes an RGD: what a test expects of its status, or a patch that deletes.

    An empty status expects nothing: such a document is an RGD without a `spec`, with which kro crashes.
    """
    root = document.frame.chunk.root
    names = {entry.name for entry in entries(root)}
    return "$patch" in names or (names <= _OF_EXPECTATIONS and bool(entries(field(root, "status"))))


def read(
    document: YamlDocument,
    before: ResourceGraphDefinition | None = None,
    dialect: Dialect = NEWEST_DIALECT,
) -> ResourceGraphDefinition:
    """Return the model of an RGD or Graph document; `before` is that of the previous text, if there is one.

    Both have the same dialect.
    """
    if _says_graph(document):
        located = [each for each in document.children(_NODES) if isinstance(each.path[-1], int)]
        nodes = Blocks.of(read_node(each.placed.chunk.text, each.node, dialect) for each in located)
        places = [each.placed for each in located]
        return ResourceGraphDefinition(document, document.frame, None, nodes, places, GRAPH_FORM)
    schema = _place_schema(document, before.schema if before else None, dialect)
    run = document.run_at(_RESOURCES)
    if run is not None and run.is_sequence:
        resources = _read_run(run, before, dialect)
        if resources is not None:
            return ResourceGraphDefinition(document, document.frame, schema, resources, PlacedChunks((run,)))
    located = [each for each in document.children(_RESOURCES) if isinstance(each.path[-1], int)]
    resources = Blocks.of(read_resource(each.placed.chunk.text, each.node, dialect) for each in located)
    return ResourceGraphDefinition(document, document.frame, schema, resources, [each.placed for each in located])


def _place_schema(document: YamlDocument, before: PlacedSchema | None, dialect: Dialect) -> PlacedSchema | None:
    """Return the schema section of a document, None where it has none; `before` is that of the previous version."""
    run = document.run_at(_SCHEMA)
    if run is not None and isinstance(run.chunks[0], CutChunk):
        cut = read_cut(run.chunks[0], before.section if before else None, dialect)
        return PlacedSchema(run.placed(0), document.key_span(run), cut)
    located = document.child(_SCHEMA)
    if located is None:
        return None
    placed = located.placed
    if placed.path == _SCHEMA:
        section = read_section_of(placed.chunk, dialect)
    else:
        section = read_section(placed.chunk.text, located.node, dialect)
    return PlacedSchema(placed, located.key_span, section)


def _read_run(run: Run, before: ResourceGraphDefinition | None, dialect: Dialect) -> Blocks[Resource] | None:
    """Return the resources of a run, those of unchanged chunks as `before`; None where one is unreadable."""
    run_before = before.document.run_at(_RESOURCES) if before else None
    previous, edited = Blocks[Resource](), Difference(0, 0, len(run.chunks))
    if before and run_before and len(before.parts) == len(run_before.chunks):
        previous, edited = before.parts, difference(run_before.chunks, run.chunks)
    found = [read_resource_of(chunk, dialect) for chunk in run.chunks[edited.start : edited.end]]
    new = [resource for resource in found if resource is not None]
    return previous.replaced(edited.start, edited.before_end, new) if len(new) == len(found) else None


def means_rgd(content: str, document: YamlDocument) -> bool:
    """Whether a document that is not read as an RGD was meant to be one: its `kind` or `apiVersion` is damaged."""
    if re.compile(_MEANT_KIND, re.MULTILINE).search(content, document.start, document.end):
        return True
    has_version = re.compile(_MEANT_VERSION, re.MULTILINE).search(content, document.start, document.end)
    return bool(has_version and re.compile(_NAMED).search(content, document.start, document.end))


def second_object(document: YamlDocument) -> Span | None:
    """Return the key at which another object begins in an RGD's document, for want of a `---` between them."""
    root = document.frame.chunk.root
    entries = root.entries if isinstance(root, Mapping) else ()
    kinds = [entry for entry in entries if entry.name == "kind"]
    if len(kinds) < 2 or text_of(kinds[0].value) != KIND:
        return None
    seen: set[str | None] = set()
    for entry in entries:
        if entry.name in seen:
            return document.frame.document_span(entry.key.span)
        seen.add(entry.name)
    return None


def unread_documents(stream: YamlStream) -> frozenset[int]:
    """Return where documents start that kubectl never reads: between two `---` it reads only the first.

    Source: k8s.io/apimachinery `pkg/util/yaml/decoder.go`, `YAMLReader`.
    """
    if len(stream.documents) < 2:
        return frozenset()
    content = stream.text.content
    head = yaml_start(content)
    unread: set[int] = set()
    end = 0
    for document in stream.documents:
        if document.start < end:
            continue  # an item of a list
        if end > head and not (_is_cut(content, document.start) or _follows_separator(content, document)):
            unread.add(document.start)
        end = document.end
    return frozenset(unread)


def _is_cut(content: str, start: int) -> bool:
    return content[start - 1] == "\n" and re.compile(_SEPARATED).match(content, start) is not None


def _follows_separator(content: str, document: YamlDocument) -> bool:
    """Whether the line before a document is a separator for kubectl but not for YAML, such as `---#`."""
    return content.startswith("---", content.rfind("\n", 0, max(document.start - 2, 0)) + 1)


def with_list_items(stream: YamlStream) -> YamlStream:
    """Return the stream with a further document, right after that one, for each RGD in the `items` of a document.

    An RGD that is followed by another object without a `---` gets one as well: it is still being written.
    """
    found = _with_items(stream)
    documents = tuple(islice(found, MOST_DOCUMENTS))
    left_out = next(found, None)
    if len(documents) == len(stream.documents) and left_out is None:
        return stream
    return YamlStream(stream.text, documents, left_out.start if left_out else stream.unread, stream.is_plain)


def _with_items(stream: YamlStream) -> Iterator[YamlDocument]:
    content = stream.text.content
    unread = unread_documents(stream)
    for document in stream.documents:
        yield document
        second = second_object(document)
        if second is not None:
            yield _first_object(content, document, second)
            continue
        is_named = content.find(KIND, document.start, document.end) >= 0
        if is_named and not is_rgd(document) and document.start not in unread:
            yield from _items(content, document)


def _first_object(content: str, document: YamlDocument, second: Span) -> YamlDocument:
    """Return the part of the document before `second`, as a separate document."""
    chunk = parse_chunk(content[document.start : second.start])
    return YamlDocument(document.start, second.start, PlacedChunk(chunk, (), document.start))


def _items(content: str, document: YamlDocument) -> Iterator[YamlDocument]:
    located = document.child(("items",))
    chunk = document.frame.chunk
    # An item with an alias cannot be read without the others.
    if located is None or not isinstance(located.node, Sequence) or document.runs or chunk.has_alias:
        return
    if text_of(chunk.root.get("kind") if isinstance(chunk.root, Mapping) else None) == KIND:
        return
    for item in located.node.items:
        if isinstance(item, Mapping):
            found = _document(content, document.frame.document_span(item.span).start, item, document)
            if is_rgd(found):
                yield found


def _document(content: str, item_start: int, item: Node, document: YamlDocument) -> YamlDocument:
    """Return the document of an item: its lines, with blanks for the dash before it, so that no column changes."""
    item_end = item_start + item.end - item.start
    if isinstance(item, Mapping) and item.flow:
        return YamlDocument(
            item_start, item_end, PlacedChunk(parse_chunk(content[item_start:item_end]), (), item_start)
        )
    start = content.rfind("\n", 0, item_start) + 1
    line_end = content.find("\n", item_end)
    end = document.end if line_end < 0 else min(line_end + 1, document.end)
    text = " " * (item_start - start) + content[item_start:end]
    return YamlDocument(start, end, PlacedChunk(parse_chunk(text), (), start))


def misplaces_resources(rgd: ResourceGraphDefinition) -> bool:
    """Whether an undeclared name may be the id of a misplaced resource, which is reported itself."""
    if rgd.outer is not None:
        return False
    root = rgd.frame.chunk.root
    spec = field(root, "spec")
    if not rgd.parts and misspelling(spec, "resources", SPEC_FIELDS) is not None:
        return True
    if not rgd.form.declares_kind:
        return False  # it lists its resources elsewhere
    schema = outline(rgd.schema.section).node if rgd.schema else None
    known = ((root, ROOT_FIELDS), (spec, SPEC_FIELDS), (schema, SCHEMA_FIELDS))
    if any(_holds_resource(entry.value) for node, fields in known for entry in unknown_entries(node, fields)):
        return True
    return any(re.match(_ITEM, line) for line in _damaged_lines(rgd))


def _holds_resource(value: Node) -> bool:
    """Whether a value is a resource, or a list with one."""
    return any(
        entry_of(each, "id") is not None and any(entry_of(each, form) is not None for form in RESOURCE_FORMS)
        for each in (value, *items(value))
    )


def _damaged_lines(rgd: ResourceGraphDefinition) -> list[str]:
    """Return the lines of the document in which YAML has errors."""
    return [
        placed.chunk.text[placed.chunk.text.rfind("\n", 0, error.start) + 1 :].partition("\n")[0]
        for placed in rgd.document.damaged
        for error in placed.chunk.errors
    ]
