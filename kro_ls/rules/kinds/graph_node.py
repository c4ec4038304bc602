"""A node of a Graph that kro 0.10 would refuse, besides what is wrong in its expressions.

Source: kro `pkg/graphengine/compiler/{validation,context,compiler}.go`, `helm/crds/kro.run_graphs.yaml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import references
from kro_ls.kro.definition import NODE_FORMS
from kro_ls.kro.graph_schema import PATCH_METADATA_REFUSED, RESERVED_IDS, graph_schema
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.written import value_for
from kro_ls.rules.diagnostics import Finding, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.text.field_findings import OwnPart, findings
from kro_ls.yaml_positions.access import entries, entry_of, field, is_null, items, key_at, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.rules.diagnostics import Part
    from kro_ls.rules.overview import Overview
    from kro_ls.yaml_positions.nodes import Node

_MODIFIERS = ("forEach", "includeWhen", "readyWhen")
_IDENTITY = ("apiVersion", "kind", "metadata")


def check(overview: Overview) -> Iterator[tuple[Part, Finding]]:
    """Find what kro refuses in the fields and nodes of a Graph."""
    rgd = overview.rgd.rgd
    if not rgd.is_graph:
        return
    chunk = rgd.frame.chunk
    if chunk.root is not None:
        schema = graph_schema(HeldObject(overview.rgd.surroundings.schemas.object_meta))
        found = faults(value_for(chunk.root, schema), schema)
        part = OwnPart(chunk.root, chunk.text, schema, key_at(chunk.root, ("kind",)))
        yield from ((Section.FRAME, each) for _, each in findings(part, found.unknown_fields, found.errors))
    patches = {each.id for each in rgd.parts if not is_null(field(each.node, "patch"))}
    for number, resource in enumerate(rgd.parts):
        yield from ((number, each) for each in _in_node(resource.node))
        yield from ((number, each) for each in _in_names(resource, overview, patches))


def _in_node(node: Node) -> Iterator[Finding]:
    """Find what is wrong with one node, and with those of a child graph."""
    id_node = field(node, "id")
    where = id_node or node
    written = [entry for name in NODE_FORMS if not is_null(field(node, name)) and (entry := entry_of(node, name))]
    names = [entry.name for entry in written]
    if len(written) != 1:
        span = written[1].key.span if written else where.span
        yield Finding(span, f"exactly one of {', '.join(NODE_FORMS)} must be set (got {len(written)})")
    if text_of(id_node) in RESERVED_IDS:
        yield Finding(where.span, f'id "{text_of(id_node)}" is reserved: choose another name')
    for name in _MODIFIERS:
        modifier = entry_of(node, name)
        has_no_place = names == ["graph"] or (names == ["ref"] and name == "forEach")
        if has_no_place and modifier and not is_null(modifier.value):
            yield Finding(modifier.key.span, f"{name} is not supported on {names[0]} nodes")
    if names == ["patch"]:
        yield from _in_patch(field(node, "patch"), where)
    if names == ["graph"]:
        children = items(field(field(node, "graph"), "nodes"))
        if not children:
            yield Finding(written[0].key.span, "invalid subgraph: graph must declare at least one node under 'nodes'")
        for child in children:
            yield from _in_node(child)


def _in_patch(patch: Node | None, where: Node) -> Iterator[Finding]:
    metadata = field(patch, "metadata")
    if is_null(field(metadata, "name")):
        yield Finding(where.span, "patch target requires metadata.name")
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
        yield Finding(where.span, "patch node contributes no fields")


def _in_names(resource: Resource, overview: Overview, patches: set[str | None]) -> Iterator[Finding]:
    for reference in references(resource):
        name = reference.name
        if name in resource.iterators:
            continue
        if name in patches and name != resource.id:
            yield Finding(reference.span, f'patch node "{name}" does not publish a value and cannot be referenced')
        elif name in ("schema", "runtime") and name not in overview.rgd.table.numbers:
            yield Finding(reference.span, f'references unknown identifier "{name}": a Graph has nodes alone')
    for dimension in resource.dimensions:
        if dimension.name in RESERVED_IDS:
            yield Finding(dimension.key.span, f'iterator name "{dimension.name}" is reserved: choose another name')
        elif dimension.name == resource.id:
            yield Finding(dimension.key.span, f'iterator name "{dimension.name}" collides with node id')


OF_GRAPHS = frozenset(
    """
    candidate-kind cel-syntax cluster-scoped-namespace condition-type dependency-cycle duplicate-key
    duplicate-resource-id for-each-type graph-node invalid-regular-expression iterator-reference misplaced-reference
    missing-kinds nested-expression no-matching-overload not-standalone-expression omit-not-allowed self-reference
    template-value-type type-error type-mismatch undefined-field unknown-function unknown-kind unknown-kubernetes-kind
    unknown-method unknown-template-field unresolved-reference unterminated-expression unused-iterator yaml-syntax
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
