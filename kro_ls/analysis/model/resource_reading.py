"""Reads a resource of a ResourceGraphDefinition, or a node of a Graph, with the expressions in it, from its YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import Expression, compile_parts, compile_scalar, extract, is_standalone
from kro_ls.analysis.model.model import Dimension, FaultyText, Resource, ResourceType, TextFault
from kro_ls.analysis.names.inspection import inspect
from kro_ls.kro.forms import FORMLESS_NODE, KREP_2_FORM, NODE_FORMS, OWN_FORM, RESOURCE
from kro_ls.kro.places import STANDALONE_ONLY, Place
from kro_ls.queries.cells import cached, set_of
from kro_ls.yaml_positions.documents.runs import item_of
from kro_ls.yaml_positions.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries,
    field,
    is_null,
    items,
    resolved,
    text_of,
)
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.forms import CollectionForm, ResourceForm
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.yaml_positions.documents.chunks import Chunk

# Aliases can expand a small file to a huge tree; an object of a cluster never has this many strings.
_MOST_SCALARS = 100_000


def is_expression(node: Node | None) -> bool:
    """Whether a value is one expression and nothing else."""
    text = text_of(node)
    return text is not None and is_standalone(text, extract(text))


class ExpressionReader:
    """Collects the expressions of one part, in document order within each field."""

    def __init__(self, chunk_text: str, dialect: Dialect) -> None:
        self._dialect = dialect
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
            if type(node) is Scalar:  # there are many nodes, and a failing `isinstance` takes five times as long
                self._scalar(node, place, path)
            elif type(node) is Mapping:
                pending += [(each.value, (*path, each.name)) for each in entries(node)[::-1] if each.name is not None]
            elif type(node) is Sequence:
                pending += [(item, (*path, index)) for index, item in enumerate(node.items)][::-1]

    def list(self, node: Node | None, place: Place) -> None:
        """Read the entries of a list of standalone expressions."""
        for index, item in enumerate(items(node)):
            if isinstance(item, Scalar):
                self._scalar(item, place, (index,))

    def conditions(self, node: Node | None, place: Place, *, may_be_one: bool) -> None:
        """Read a list of conditions, or a single one in place of the list."""
        value = resolved(node) if may_be_one else None
        if isinstance(value, Scalar):
            self._scalar(value, place, ())
        else:
            self.list(node, place)

    def dimensions(self, node: Node | None) -> Iterator[Dimension]:
        """Read the iterators of a `forEach`."""
        if isinstance(node, Scalar) and is_expression(node):
            self._scalar(node, Place.FOR_EACH, (KREP_2_FORM.iterator,))
            yield Dimension(KREP_2_FORM.iterator, node, node, self.expressions[-1])
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

    def resource(
        self,
        node: Node,
        *,
        type_: ResourceType,
        template: Node | None,
        external_reference: Node | None,
        described: Node | None,
        dimensions: tuple[Dimension, ...],
        collection: CollectionForm = OWN_FORM,
        form: ResourceForm = RESOURCE,
        children: tuple[Resource, ...] = (),
    ) -> Resource:
        """Return a resource with the expressions that were read; `described` is its object, or has another shape."""
        id_node = field(node, "id")
        return Resource(
            chunk_text=self._chunk_text,
            node=node,
            id=text_of(id_node),
            id_node=id_node if isinstance(id_node, Scalar) else None,
            type=type_,
            template=template,
            external_reference=external_reference,
            object=described if isinstance(described, Mapping) else None,
            dimensions=dimensions,
            expressions=tuple(self.expressions),
            faulty_texts=tuple(self.faulty_texts),
            iterators=set_of(dimension.name for dimension in dimensions),
            named_iterators=() if collection.iterator else dimensions,
            data=field(node, form.name) if form.is_data else None,
            sees_instance=form.sees_instance,
            collection=collection,
            dialect=self._dialect,
            form=form,
            children=children,
        )

    def _scalar(self, scalar: Scalar, place: Place, path: Path) -> None:
        self._scalars_left -= 1
        text = scalar.value
        if not isinstance(text, str) or ("${" not in text and place not in STANDALONE_ONLY):
            return
        extraction = extract(text, self._dialect)
        if extraction.nested or extraction.unterminated:
            self._report_text(scalar, place, path)
        compiled = compile_scalar(text, extraction)
        if place in STANDALONE_ONLY and not (compiled and compiled.standalone) and not extraction.nested:
            whole = Span(scalar.start, scalar.end)
            self.faulty_texts.append(FaultyText(TextFault.NOT_STANDALONE, whole, scalar, place, path))
        elif compiled:
            separate = self._dialect.separate_parts and not compiled.standalone
            self.expressions += [
                Expression(place, path, scalar, self._chunk_text, each, inspect(each.text))
                for each in (compile_parts(text, extraction) if separate else (compiled,))
            ]

    def _report_text(self, scalar: Scalar, place: Place, path: Path) -> None:
        extraction = extract(scalar.text, self._dialect)
        source = source_map(self._chunk_text, scalar)
        if extraction.nested:
            span = source.source_span(extraction.nested)
            self.faulty_texts.append(FaultyText(TextFault.NESTED, span, scalar, place, path))
        for offset in extraction.unterminated if place not in STANDALONE_ONLY else ():
            span = source.source_span(Span(offset, offset + 2))
            self.faulty_texts.append(FaultyText(TextFault.UNTERMINATED, span, scalar, place, path))


@cached
def read_resource_of(chunk: Chunk, dialect: Dialect) -> Resource | None:
    """Return the resource in a chunk of its own, None where nothing of it could be read."""
    node = item_of(chunk)
    return None if node is None else read_resource(chunk.text, node, dialect)


def read_resource(chunk_text: str, node: Node, dialect: Dialect) -> Resource:
    """Return a resource of an RGD."""
    reader = ExpressionReader(chunk_text, dialect)
    template = field(node, "template")
    external_reference = field(node, "externalRef")
    template = None if is_null(template) else template
    external_reference = None if is_null(external_reference) else external_reference
    for_each = resolved(field(node, "forEach"))
    selector = _selector_beside_metadata(external_reference) if template is None else None
    collection = KREP_2_FORM if is_expression(for_each) or selector is not None else OWN_FORM
    dimensions = tuple(reader.dimensions(for_each))
    if template is not None:
        reader.tree(template, Place.TEMPLATE)
    elif external_reference is not None:
        for name in ("apiVersion", "kind", "metadata"):
            reader.tree(field(external_reference, name), Place.EXTERNAL_REFERENCE, (name,))
        if selector is not None:
            reader.tree(selector, Place.EXTERNAL_REFERENCE, ("metadata", "selector"))
    for place in (Place.INCLUDE_WHEN, Place.READY_WHEN):
        reader.conditions(field(node, place.value), place, may_be_one=collection is KREP_2_FORM)
    return reader.resource(
        node,
        type_=_resource_type(template, external_reference, dimensions, collection),
        template=template,
        external_reference=external_reference,
        described=template if template is not None else external_reference,
        dimensions=dimensions,
        collection=collection,
    )


def read_node(chunk_text: str, node: Node, dialect: Dialect) -> Resource:
    """Return a node of a Graph as the resource that it is like: a `ref` is an external reference.

    The data of a `def` and a child `graph` have no object.
    """
    reader = ExpressionReader(chunk_text, dialect)
    forms = ((form, value) for form in NODE_FORMS if not is_null(value := field(node, form.name)))
    form, payload = next(forms, (FORMLESS_NODE, None))
    dimensions = tuple(reader.dimensions(field(node, Place.FOR_EACH.value)))
    if not form.is_typed:
        for name in ("apiVersion", "kind", "metadata"):
            reader.tree(field(payload, name), Place.EXTERNAL_REFERENCE, (name,))
    elif not form.has_nodes:
        reader.tree(payload, Place.TEMPLATE)
    reader.list(field(node, Place.INCLUDE_WHEN.value), Place.INCLUDE_WHEN)
    reader.list(field(node, Place.READY_WHEN.value), Place.READY_WHEN)
    children = items(field(payload, "nodes")) if form.has_nodes else ()
    reference = None if form.is_typed else payload
    has_object = not (form.is_data or form.has_nodes)
    return reader.resource(
        node,
        type_=_resource_type(None if reference else payload, reference, dimensions),
        template=payload if has_object and form.is_typed else None,
        external_reference=reference,
        described=payload if has_object else None,
        dimensions=dimensions,
        form=form,
        children=tuple(read_node(chunk_text, each, dialect) for each in children),
    )


def _selector_beside_metadata(external_reference: Node | None) -> Node | None:
    """Return the selector of an external reference that stands where KREP-2 had it, and nowhere else."""
    selector, metadata = (field(external_reference, name) for name in ("selector", "metadata"))
    return None if is_null(selector) or not is_null(field(metadata, "selector")) else selector


def _resource_type(
    template: Node | None,
    external_reference: Node | None,
    dimensions: tuple[Dimension, ...],
    collection: CollectionForm = OWN_FORM,
) -> ResourceType:
    if template is None and external_reference is not None:
        selector = field(field(external_reference, "metadata"), "selector")
        is_one = is_null(selector) and not collection.selects_beside_metadata
        return ResourceType.EXTERNAL if is_one else ResourceType.EXTERNAL_COLLECTION
    return ResourceType.COLLECTION if dimensions else ResourceType.RESOURCE
