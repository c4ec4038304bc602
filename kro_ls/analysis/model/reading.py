"""Reads the model of a ResourceGraphDefinition from its YAML.

Each resource and the schema section is read from its own node and remembered by it, so that an edit reads one part.
Nothing here fails or reports: what has an unexpected shape is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.expressions import Expression, compile_scalar
from kro_ls.analysis.model.extraction import extract, is_standalone
from kro_ls.analysis.model.model import (
    Dimension,
    FaultyText,
    PlacedSchema,
    Resource,
    ResourceGraphDefinition,
    ResourceType,
    SchemaSection,
    TextFault,
)
from kro_ls.analysis.names.inspection import inspect
from kro_ls.kro.definition import API_VERSION, GRAPH_KIND, GROUP, KIND, NODE_FORMS
from kro_ls.kro.krep_2 import ITERATOR, SELECTOR
from kro_ls.kro.places import STANDALONE_ONLY, Place
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.yaml_positions.access import entries, field, is_null, items, resolved, text_of
from kro_ls.yaml_positions.blocks import Blocks, Difference, difference
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.runs import item_of
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.document import Located, YamlDocument
    from kro_ls.yaml_positions.runs import Run

CUTS: tuple[tuple[str, ...], ...] = (("spec", "schema"), ("spec", "resources", "*"))
"""Where an RGD's document is cut into chunks that are parsed and remembered on their own."""

MOST_DOCUMENTS = 1000
"""How many documents of a text are read; files of people have tens."""

_OF_EXPECTATIONS = {"apiVersion", "kind", "metadata", "status"}
"""The fields of an object in the assertions of kuttl and Chainsaw that say nothing of its `spec`."""

_SCHEMA: Path = ("spec", "schema")
_RESOURCES: Path = ("spec", "resources")
_NODES: Path = ("spec", "nodes")


# Aliases can make a small file stand for a huge tree; an object of a cluster never has this many strings.
_MOST_SCALARS = 100_000


def is_graph(document: YamlDocument) -> bool:
    """Whether the document is a Graph of kro, and not an instance of a kind of the user that is called so."""
    kind, version = (document.child((name,)) for name in ("kind", "apiVersion"))
    if kind is None or version is None or text_of(kind.node) != GRAPH_KIND or text_of(version.node) != API_VERSION:
        return False
    nodes = document.child(_NODES)
    return nodes is not None and isinstance(nodes.node, Sequence)


def is_rgd(document: YamlDocument) -> bool:
    """Whether the document says that it is a ResourceGraphDefinition of kro, be it under a misspelt `kind`."""
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
    """Whether a document only describes an RGD: what a test expects of its status, or a patch that deletes."""
    names = {entry.name for entry in entries(document.frame.chunk.root)}
    return "$patch" in names or ("status" in names and names <= _OF_EXPECTATIONS)


def read(
    document: YamlDocument,
    before: ResourceGraphDefinition | None = None,
    *,
    single_quotes: bool = False,
    plain_conditions: bool = False,
) -> ResourceGraphDefinition:
    """Return the model of an RGD or Graph document; `before` is that of an earlier version, if there is one.

    `single_quotes` tells that these open strings in the scan for expressions, `plain_conditions` that
    `status.conditions` is a status field as any other, for `before` as well.
    """
    if is_graph(document):
        nodes = [each for each in document.children(_NODES) if isinstance(each.path[-1], int)]
        return ResourceGraphDefinition(
            document,
            document.frame,
            None,
            Blocks.of(read_node(each.placed.chunk.text, each.node, single_quotes) for each in nodes),
            [each.placed for each in nodes].__getitem__,
            is_graph=True,
        )
    schema = document.child(_SCHEMA)
    placed_schema = _place_schema(schema, single_quotes, plain_conditions) if schema else None
    run = document.run_at(_RESOURCES)
    if run is not None and run.is_sequence:
        resources = _read_run(run, before, single_quotes)
        if resources is not None:
            return ResourceGraphDefinition(document, document.frame, placed_schema, resources, run.placed)
    located = [each for each in document.children(_RESOURCES) if isinstance(each.path[-1], int)]
    return ResourceGraphDefinition(
        document,
        document.frame,
        placed_schema,
        Blocks.of(_read_resource(each.placed.chunk.text, each.node, single_quotes) for each in located),
        [each.placed for each in located].__getitem__,
    )


def _place_schema(located: Located, single_quotes: bool, plain_conditions: bool) -> PlacedSchema:
    placed = located.placed
    if placed.path == _SCHEMA:
        section = _read_schema_of(placed.chunk, single_quotes, plain_conditions)
    else:
        section = _read_schema(placed.chunk.text, located.node, single_quotes, plain_conditions)
    return PlacedSchema(placed, located.key_span, section)


def _read_run(run: Run, before: ResourceGraphDefinition | None, single_quotes: bool) -> Blocks[Resource] | None:
    """Return the resources of a run, those of chunks that are as `before` the same; None where one cannot be read."""
    run_before = before.document.run_at(_RESOURCES) if before else None
    known, edited = Blocks[Resource](), Difference(0, 0, len(run.chunks))
    if before and run_before and len(before.parts) == len(run_before.chunks):
        known, edited = before.parts, difference(run_before.chunks, run.chunks)
    found = [read_resource_of(chunk, single_quotes) for chunk in run.chunks[edited.start : edited.end]]
    new = [resource for resource in found if resource is not None]
    return known.replaced(edited.start, edited.before_end, new) if len(new) == len(found) else None


@remembered
def read_resource_of(chunk: Chunk, single_quotes: bool) -> Resource | None:
    """Return the resource that a chunk of its own holds, None where nothing of it could be read."""
    node = item_of(chunk)
    return None if node is None else _read_resource(chunk.text, node, single_quotes)


@remembered
def _read_schema_of(chunk: Chunk, single_quotes: bool, plain_conditions: bool) -> SchemaSection:
    return _read_schema(chunk.text, cast("Node", chunk.root), single_quotes, plain_conditions)


def _read_resource(chunk_text: str, node: Node, single_quotes: bool) -> Resource:
    reader = _ExpressionReader(chunk_text, single_quotes)
    id_node = field(node, "id")
    template = field(node, "template")
    external_reference = field(node, "externalRef")
    template = None if is_null(template) else template
    external_reference = None if is_null(external_reference) else external_reference
    for_each = resolved(field(node, "forEach"))
    selector = _proposed_selector(external_reference) if template is None else None
    is_proposed = _is_expression(for_each) or selector is not None
    dimensions = tuple(reader.dimensions(for_each))
    if template is not None:
        reader.tree(template, Place.TEMPLATE)
    elif external_reference is not None:
        for name in ("apiVersion", "kind", "metadata"):
            reader.tree(field(external_reference, name), Place.EXTERNAL_REFERENCE, (name,))
        if selector is not None:
            reader.tree(selector, Place.EXTERNAL_REFERENCE, ("metadata", "selector"))
    for place in (Place.INCLUDE_WHEN, Place.READY_WHEN):
        reader.conditions(field(node, place.value), place, may_be_one=is_proposed)
    described = template if template is not None else external_reference
    return Resource(
        chunk_text=chunk_text,
        node=node,
        id=text_of(id_node),
        id_node=id_node if isinstance(id_node, Scalar) else None,
        type=_resource_type(template, external_reference, dimensions, is_proposed=is_proposed),
        template=template,
        external_reference=external_reference,
        object=described if isinstance(described, Mapping) else None,
        dimensions=dimensions,
        expressions=tuple(reader.expressions),
        faulty_texts=tuple(reader.faulty_texts),
        is_proposed=is_proposed,
        single_quotes=single_quotes,
    )


def read_node(chunk_text: str, node: Node, single_quotes: bool) -> Resource:
    """Return a node of a Graph as the resource that it is like: a `ref` is an external reference.

    The data of a `def` and a child `graph` have no object.
    """
    reader = _ExpressionReader(chunk_text, single_quotes)
    forms = {name: value for name in NODE_FORMS if not is_null(value := field(node, name))}
    dimensions = tuple(reader.dimensions(field(node, Place.FOR_EACH.value)))
    form, payload = next(iter(forms.items()), ("", None))
    if form == "ref":
        for name in ("apiVersion", "kind", "metadata"):
            reader.tree(field(payload, name), Place.EXTERNAL_REFERENCE, (name,))
    elif form != "graph":
        reader.tree(payload, Place.TEMPLATE)
    reader.list(field(node, Place.INCLUDE_WHEN.value), Place.INCLUDE_WHEN)
    reader.list(field(node, Place.READY_WHEN.value), Place.READY_WHEN)
    id_node = field(node, "id")
    reference = payload if form == "ref" else None
    return Resource(
        chunk_text=chunk_text,
        node=node,
        id=text_of(id_node),
        id_node=id_node if isinstance(id_node, Scalar) else None,
        type=_resource_type(None if reference else payload, reference, dimensions, is_proposed=False),
        template=payload if form in ("template", "patch") else None,
        external_reference=reference,
        object=payload if form in ("template", "patch", "ref") and isinstance(payload, Mapping) else None,
        dimensions=dimensions,
        expressions=tuple(reader.expressions),
        faulty_texts=tuple(reader.faulty_texts),
        single_quotes=single_quotes,
        form=form,
        children=tuple(read_node(chunk_text, each, single_quotes) for each in _child_nodes(payload, form)),
    )


def _child_nodes(payload: Node | None, form: str) -> tuple[Node, ...]:
    return tuple(items(field(payload, "nodes"))) if form == "graph" else ()


def _is_expression(node: Node | None) -> bool:
    text = text_of(node)
    return text is not None and is_standalone(text, extract(text))


def _proposed_selector(external_reference: Node | None) -> Node | None:
    """Return the selector of an external reference that stands where KREP-2 had it, and nowhere else."""
    selector, metadata = (field(external_reference, name) for name in (SELECTOR, "metadata"))
    return None if is_null(selector) or not is_null(field(metadata, SELECTOR)) else selector


def _resource_type(
    template: Node | None, external_reference: Node | None, dimensions: tuple[Dimension, ...], *, is_proposed: bool
) -> ResourceType:
    if template is None and external_reference is not None:
        selector = field(field(external_reference, "metadata"), "selector")
        return ResourceType.EXTERNAL if is_null(selector) and not is_proposed else ResourceType.EXTERNAL_COLLECTION
    return ResourceType.COLLECTION if dimensions else ResourceType.RESOURCE


def _read_schema(chunk_text: str, node: Node, single_quotes: bool, plain_conditions: bool) -> SchemaSection:
    reader = _ExpressionReader(chunk_text, single_quotes)
    status = field(node, "status")
    for entry in entries(status):
        if entry.name == "conditions" and not plain_conditions:
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
        single_quotes=single_quotes,
    )


class _ExpressionReader:
    """Collects the expressions of one part, in document order within each field."""

    def __init__(self, chunk_text: str, single_quotes: bool) -> None:
        self._single_quotes = single_quotes
        self.expressions: list[Expression] = []
        self.faulty_texts: list[FaultyText] = []
        self._chunk_text = chunk_text
        self._scalars_left = _MOST_SCALARS

    def tree(self, node: Node | None, place: Place, path: Path = ()) -> None:
        """Read every string under `node`; keys are never searched."""
        pending: list[tuple[Node | None, Path]] = [(node, path)]
        while pending and self._scalars_left > 0:
            node, path = pending.pop()
            node = resolved(node)
            if isinstance(node, Scalar):
                self._scalar(node, place, path)
            elif isinstance(node, Sequence):
                pending += [(item, (*path, index)) for index, item in enumerate(node.items)][::-1]
            elif isinstance(node, Mapping):
                pending += [(each.value, (*path, each.name)) for each in entries(node)[::-1] if each.name is not None]

    def list(self, node: Node | None, place: Place) -> None:
        """Read the entries of a list of standalone expressions."""
        for index, item in enumerate(items(node)):
            if isinstance(item, Scalar):
                self._scalar(item, place, (index,))

    def conditions(self, node: Node | None, place: Place, *, may_be_one: bool) -> None:
        """Read a list of conditions, or the one that stands in place of a list."""
        value = resolved(node) if may_be_one else None
        if isinstance(value, Scalar):
            self._scalar(value, place, ())
        else:
            self.list(node, place)

    def dimensions(self, node: Node | None) -> Iterator[Dimension]:
        """Read the iterators of a `forEach`."""
        if isinstance(node, Scalar) and _is_expression(node):
            self._scalar(node, Place.FOR_EACH, (ITERATOR,))
            yield Dimension(ITERATOR, node, node, self.expressions[-1])
        for index, item in enumerate(items(node)):
            for entry in entries(item):
                if entry.name is None or not isinstance(entry.key, Scalar):
                    continue
                value = resolved(entry.value)
                before = len(self.expressions)
                if isinstance(value, Scalar):
                    self._scalar(value, Place.FOR_EACH, (index, entry.name))
                expression = self.expressions[-1] if len(self.expressions) > before else None
                yield Dimension(entry.name, entry.key, entry.value, expression)

    def _scalar(self, scalar: Scalar, place: Place, path: Path) -> None:
        self._scalars_left -= 1
        text = scalar.value
        if not isinstance(text, str) or ("${" not in text and place not in STANDALONE_ONLY):
            return
        extraction = extract(text, single_quotes=self._single_quotes)
        if extraction.nested or extraction.unterminated:
            self._report_text(scalar, place, path)
        compiled = compile_scalar(text, extraction)
        if place in STANDALONE_ONLY and not (compiled and compiled.standalone) and not extraction.nested:
            whole = Span(scalar.start, scalar.end)
            self.faulty_texts.append(FaultyText(TextFault.NOT_STANDALONE, whole, scalar, place, path))
        elif compiled:
            self.expressions.append(Expression(place, path, scalar, self._chunk_text, compiled, inspect(compiled.text)))

    def _report_text(self, scalar: Scalar, place: Place, path: Path) -> None:
        extraction = extract(scalar.text, single_quotes=self._single_quotes)
        source = source_map(self._chunk_text, scalar)
        if extraction.nested:
            span = source.source_span(extraction.nested)
            self.faulty_texts.append(FaultyText(TextFault.NESTED, span, scalar, place, path))
        for offset in extraction.unterminated if place not in STANDALONE_ONLY else ():
            span = source.source_span(Span(offset, offset + 2))
            self.faulty_texts.append(FaultyText(TextFault.UNTERMINATED, span, scalar, place, path))
