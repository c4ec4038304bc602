"""A node of a Graph that kro 0.10 would refuse, besides what is wrong in its expressions.

Source: kro `pkg/graphengine/compiler/{validation,context,compiler}.go`, `helm/crds/kro.run_graphs.yaml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import OuterNodes
from kro_ls.analysis.names.references import captures, references
from kro_ls.analysis.types.checking import check_part
from kro_ls.kro.definition import NODE_FORMS
from kro_ls.kro.graph_schema import (
    CHILD_GRAPH,
    NODE_ID,
    PATCH_METADATA_REFUSED,
    RESERVED_IDS,
    graph_schema,
    is_node_id,
)
from kro_ls.kro.places import BOOL_PLACES, Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.written import value_for
from kro_ls.rules.diagnostics import Finding, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.text.field_findings import OwnPart, findings
from kro_ls.yaml_positions.access import entries, entry_of, field, is_null, items, key_at, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.diagnostics import Part
    from kro_ls.rules.overview import Overview
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

_MODIFIERS = ("forEach", "includeWhen", "readyWhen")
_IDENTITY = ("apiVersion", "kind", "metadata")


def check(overview: Overview) -> Iterator[tuple[Part, Finding]]:
    """Find what kro refuses in the fields and nodes of a Graph."""
    rgd = overview.rgd.rgd
    if not rgd.is_graph:
        return
    chunk = rgd.frame.chunk
    if chunk.root is not None and rgd.outer is None:
        schema = graph_schema(HeldObject(overview.rgd.surroundings.schemas.object_meta))
        yield from ((Section.FRAME, each) for each in _refused(chunk.root, schema, chunk.text, ("kind",)))
    for number, resource in enumerate(rgd.parts):
        yield from ((number, each) for each in _in_node(resource, is_child=rgd.outer is not None))
        yield from ((number, each) for each in _in_iterators(resource, overview))
        yield from ((number, each) for each in _in_names(resource, overview))
        yield from ((number, each) for each in _in_conditions(resource, overview))


def _refused(node: Node, schema: JsonObject, text: str, key: tuple[str, ...]) -> Iterator[Finding]:
    """Find what the API server refuses, or kro where it reads a child graph."""
    found = faults(value_for(node, schema), schema)
    part = OwnPart(node, text, schema, key_at(node, key))
    yield from (each for _, each in findings(part, found.unknown_fields, found.errors))


def _in_node(resource: Resource, *, is_child: bool) -> Iterator[Finding]:
    """Find what is wrong with one node alone; of one that is no child the API server looks at the form of its id."""
    node, form, where = resource.node, resource.form, resource.id_node or resource.node
    written = [entry for name in NODE_FORMS if not is_null(field(node, name)) and (entry := entry_of(node, name))]
    if len(written) != 1:
        span = written[1].key.span if written else where.span
        yield Finding(span, f"exactly one of {', '.join(NODE_FORMS)} must be set (got {len(written)})")
        return
    if resource.id in RESERVED_IDS:
        yield Finding(where.span, f'id "{resource.id}" is reserved: choose another name')
    elif is_child and not is_node_id(resource.id or ""):
        yield Finding(where.span, f'id "{resource.id or ""}" must match {NODE_ID}')
    for name in _MODIFIERS:
        modifier = entry_of(node, name)
        has_no_place = form == "graph" or (form == "ref" and name == "forEach")
        if has_no_place and modifier and items(modifier.value):
            yield Finding(modifier.key.span, f"{name} is not supported on {form} nodes")
    payload = written[0].value
    if form == "graph":
        yield from _refused(payload, CHILD_GRAPH, resource.chunk_text, ("nodes",))
        if not resource.children:
            yield Finding(written[0].key.span, "invalid subgraph: graph must declare at least one node under 'nodes'")
    elif form != "def":
        yield from _in_object(resource, payload, written[0].key.span)


def _in_object(resource: Resource, payload: Node, key: Span) -> Iterator[Finding]:
    """Find what is missing in the description of an object."""
    for name in ("apiVersion", "kind"):
        if not text_of(field(payload, name)):
            yield Finding(key, f'missing required field "{name}"')
    metadata = resolved(field(payload, "metadata"))
    if resource.form == "ref":
        has_name, has_selector = (bool(text_of(field(metadata, "name"))), not is_null(field(metadata, "selector")))
        if has_name == has_selector:
            yield Finding(key, "ref: exactly one of name or selector must be provided")
    elif not isinstance(metadata, Mapping):
        yield Finding(key, 'missing required field "metadata"')
    if resource.form == "patch":
        yield from _in_patch(payload, (resource.id_node or resource.node).span)


def _in_patch(patch: Node, where: Span) -> Iterator[Finding]:
    metadata = field(patch, "metadata")
    if not text_of(field(metadata, "name")):
        yield Finding(where, "patch target requires metadata.name")
    for name in PATCH_METADATA_REFUSED:
        entry = entry_of(metadata, name)
        if entry:
            message = f"patch node payload must not set metadata.{name}: a patch does not own its target"
            yield Finding(entry.key.span, message)
    status = entry_of(patch, "status")
    others = [each for each in entries(patch) if each.name not in (*_IDENTITY, "status")]
    others += [each for each in entries(metadata) if each.name not in ("name", "namespace", *PATCH_METADATA_REFUSED)]
    if status and others:
        message = "a patch node targets a single endpoint: status fields cannot be combined with others in one patch"
        yield Finding(status.key.span, message)
    elif not status and not others:
        yield Finding(where, "patch node contributes no fields")


def _in_iterators(resource: Resource, overview: Overview) -> Iterator[Finding]:
    seen: set[str] = set()
    outer = overview.rgd.rgd.outer
    taken = {each.id for each in overview.rgd.rgd.parts if each.form != "patch"} | (
        outer.depths.keys() if outer else set()
    )
    for item in items(field(resource.node, "forEach")):
        if len(entries(item)) != 1:
            yield Finding(item.span, f"must have exactly one entry, got {len(entries(item))}")
    for dimension in resource.dimensions:
        what = ""
        if dimension.name in RESERVED_IDS:
            what = "is reserved: choose another name"
        elif dimension.name == resource.id:
            what = "collides with node id"
        elif not is_node_id(dimension.name):
            what = f"must match {NODE_ID}"
        elif dimension.name in seen:
            what = "is there already"
        elif dimension.name in taken and any(each.place is Place.TEMPLATE for each in resource.expressions):
            what = "is that of a node: overlapping identifier"
        if what:
            yield Finding(dimension.key.span, f'iterator name "{dimension.name}" {what}')
        seen.add(dimension.name)


def _in_names(resource: Resource, overview: Overview) -> Iterator[Finding]:
    graph = overview.rgd
    outer = graph.rgd.outer or OuterNodes("", {}, frozenset())
    own = {each.id: each.form == "patch" for each in graph.rgd.parts}
    for reference in references(resource):
        name = reference.name
        if own.get(name, name in outer.patches):
            yield Finding(reference.span, f'patch node "{name}" does not publish a value and cannot be referenced')
        elif name in resource.iterators:
            continue
        elif name == "runtime" and graph.declaring(name) is None:
            yield Finding(reference.span, f'references unknown identifier "{name}": a Graph has nodes alone')
        elif reference.expression.place is Place.READY_WHEN and name not in own and name in outer.depths:
            yield Finding(reference.span, f'may only reference the node itself, found capture "{name}"')
    for reference in captures(resource):
        if reference.name == resource.id:
            yield Finding(reference.span, f'self references are not allowed: the child graph is "{resource.id}"')
    for expression in resource.expressions:
        used = {use.name: 0 if use.name in own else outer.depths.get(use.name) for use in expression.inspection.names}
        depths = {depth for name, depth in used.items() if depth is not None and name not in resource.iterators}
        if len(depths) > 1:
            message = "the expression mixes node references from different graph scopes: they must belong to one"
            yield Finding(expression.whole, message)


def _in_conditions(resource: Resource, overview: Overview) -> Iterator[Finding]:
    scope = overview.rgd.surroundings.scope(resource)
    for checked in check_part(resource, scope.bindings, scope.kind):
        type_ = checked.result.type
        if checked.expression.place in BOOL_PLACES and type_.is_optional and not checked.result.errors:
            message = "returns an optional value, which becomes an error when empty: append .orValue(false)"
            yield Finding(checked.expression.whole, message)


OF_GRAPHS = frozenset(
    """
    candidate-kind cel-syntax cluster-scoped-namespace condition-type dependency-cycle duplicate-key
    duplicate-resource-id expression-in-crd for-each-type graph-node invalid-api-version invalid-regular-expression
    iterator-reference misplaced-reference missing-kinds nested-expression no-matching-overload
    not-standalone-expression omit-not-allowed self-reference template-value-type type-error type-mismatch
    undefined-field unknown-function unknown-kind unknown-kubernetes-kind unknown-method unknown-template-field
    unresolved-reference unterminated-expression unused-iterator yaml-syntax
    """.split()
)
"""The rules that a Graph has in common with a ResourceGraphDefinition, and its own."""


RULE = Rule(
    code="graph-node",
    severity=Severity.ERROR,
    summary="A node of a Graph has a form that kro does not take.",
    explanation="""\
A node of a Graph is exactly one of `template`, `ref`, `def`, `patch` and `graph`. A child graph takes no `forEach`,
`includeWhen` and `readyWhen`, a `ref` no `forEach`. A `patch` names its target, contributes at least one field, either
of `status` or of the rest, and has no value that others could refer to. A Graph has no `schema`. This is how the
commits before kro 0.10 have it.""",
    wrong="",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_document=check,
    document_key=lambda overview: object() if overview.rgd.rgd.is_graph else None,
    versions=GRAPHS,
)
