"""Reads the model of a ResourceGraphDefinition from its YAML.

Each resource and the schema section is read from its own node and remembered by it, so that an edit reads one part.
Nothing here fails or reports: what has an unexpected shape is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expression_reader import ExpressionReader, is_expression
from kro_ls.analysis.model.model import Dimension, Resource, ResourceGraphDefinition, ResourceType
from kro_ls.analysis.model.section_reading import SCHEMA, place_schema
from kro_ls.analysis.model.sections import SPEC, STATUS
from kro_ls.kro.collection_form import KREP_2_FORM, OWN_FORM
from kro_ls.kro.definition_form import API_VERSION, GRAPH_FORM, GROUP, KIND, RGD_FORM
from kro_ls.kro.places import Place
from kro_ls.kro.resource_form import FORMLESS_NODE, NODE_FORMS
from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.access import entries, field, is_null, items, resolved, text_of
from kro_ls.yaml_positions.blocks import Blocks, Difference, difference
from kro_ls.yaml_positions.cutting import INSIDE
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence
from kro_ls.yaml_positions.runs import PlacedChunks, item_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.collection_form import CollectionForm
    from kro_ls.kro.definition_form import DefinitionForm
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.runs import Run

CUTS: tuple[tuple[str, ...], ...] = (
    (*SCHEMA, INSIDE, SPEC),
    (*SCHEMA, INSIDE, STATUS),
    ("spec", "resources", "*"),
)
"""Where an RGD's document is cut into chunks that are parsed and remembered on their own."""

MOST_DOCUMENTS = 400
"""How many documents of a text are read; files of people have tens."""

_OF_EXPECTATIONS = {"apiVersion", "kind", "metadata", "status"}
"""The fields of an object in the assertions of kuttl and Chainsaw that say nothing of its `spec`."""

_RESOURCES: Path = ("spec", RGD_FORM.items)
_NODES: Path = ("spec", GRAPH_FORM.items)


def form_of(document: YamlDocument) -> DefinitionForm | None:
    """Return the kind of definition that a document is; None for any other."""
    if is_rgd(document):
        return RGD_FORM
    return GRAPH_FORM if _says_graph(document) else None


def _says_graph(document: YamlDocument) -> bool:
    """Whether the document is a Graph of kro, and not an instance of a kind of the user that is called so."""
    kind, version = (document.child((name,)) for name in ("kind", "apiVersion"))
    if kind is None or version is None or text_of(kind.node) != GRAPH_FORM.kind or text_of(version.node) != API_VERSION:
        return False
    nodes = document.child(_NODES)
    return nodes is not None and isinstance(nodes.node, Sequence)


def is_rgd(document: YamlDocument) -> bool:
    """Whether the document says that it is a ResourceGraphDefinition of kro, be it under a misspelt `kind`."""
    memory = document.frame.chunk.cells  # which holds all that this looks at; it is asked several times
    known: bool | None = memory.get(is_rgd)
    if known is None:
        known = memory[is_rgd] = _says_rgd(document)
    return known


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
    """Return the model of an RGD or Graph document; `before` is that of an earlier text, if there is one.

    Both are in the same dialect.
    """
    if _says_graph(document):
        nodes = [each for each in document.children(_NODES) if isinstance(each.path[-1], int)]
        return ResourceGraphDefinition(
            document,
            document.frame,
            None,
            Blocks.of(read_node(each.placed.chunk.text, each.node, dialect) for each in nodes),
            [each.placed for each in nodes],
            GRAPH_FORM,
        )
    schema = place_schema(document, before.schema if before else None, dialect)
    run = document.run_at(_RESOURCES)
    if run is not None and run.is_sequence:
        resources = _read_run(run, before, dialect)
        if resources is not None:
            return ResourceGraphDefinition(document, document.frame, schema, resources, PlacedChunks((run,)))
    located = [each for each in document.children(_RESOURCES) if isinstance(each.path[-1], int)]
    return ResourceGraphDefinition(
        document,
        document.frame,
        schema,
        Blocks.of(_read_resource(each.placed.chunk.text, each.node, dialect) for each in located),
        [each.placed for each in located],
    )


def _read_run(run: Run, before: ResourceGraphDefinition | None, dialect: Dialect) -> Blocks[Resource] | None:
    """Return the resources of a run, those of chunks that are as `before` the same; None where one cannot be read."""
    run_before = before.document.run_at(_RESOURCES) if before else None
    known, edited = Blocks[Resource](), Difference(0, 0, len(run.chunks))
    if before and run_before and len(before.parts) == len(run_before.chunks):
        known, edited = before.parts, difference(run_before.chunks, run.chunks)
    found = [read_resource_of(chunk, dialect) for chunk in run.chunks[edited.start : edited.end]]
    new = [resource for resource in found if resource is not None]
    return known.replaced(edited.start, edited.before_end, new) if len(new) == len(found) else None


@cached
def read_resource_of(chunk: Chunk, dialect: Dialect) -> Resource | None:
    """Return the resource that a chunk of its own holds, None where nothing of it could be read."""
    node = item_of(chunk)
    return None if node is None else _read_resource(chunk.text, node, dialect)


def _read_resource(chunk_text: str, node: Node, dialect: Dialect) -> Resource:
    reader = ExpressionReader(chunk_text, dialect)
    id_node = field(node, "id")
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
    described = template if template is not None else external_reference
    return Resource(
        chunk_text=chunk_text,
        node=node,
        id=text_of(id_node),
        id_node=id_node if isinstance(id_node, Scalar) else None,
        type=_resource_type(template, external_reference, dimensions, collection),
        template=template,
        external_reference=external_reference,
        object=described if isinstance(described, Mapping) else None,
        dimensions=dimensions,
        expressions=tuple(reader.expressions),
        faulty_texts=tuple(reader.faulty_texts),
        collection=collection,
        dialect=dialect,
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
    id_node = field(node, "id")
    reference = None if form.is_typed else payload
    has_object = not (form.is_data or form.has_nodes)
    return Resource(
        chunk_text=chunk_text,
        node=node,
        id=text_of(id_node),
        id_node=id_node if isinstance(id_node, Scalar) else None,
        type=_resource_type(None if reference else payload, reference, dimensions),
        template=payload if has_object and form.is_typed else None,
        external_reference=reference,
        object=payload if has_object and isinstance(payload, Mapping) else None,
        dimensions=dimensions,
        expressions=tuple(reader.expressions),
        faulty_texts=tuple(reader.faulty_texts),
        dialect=dialect,
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
