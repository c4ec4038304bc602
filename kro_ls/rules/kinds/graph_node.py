"""A node of a Graph that kro 0.10 would refuse, besides what is wrong in its expressions.

Source: kro `pkg/graphengine/compiler/{validation,context,compiler}.go`, `helm/crds/kro.run_graphs.yaml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import OuterNodes
from kro_ls.analysis.names.references import captures, references
from kro_ls.analysis.types.checking import check_part
from kro_ls.kro.forms import NODE_FORMS
from kro_ls.kro.graph_schema import CHILD_GRAPH, PATCH_METADATA_REFUSED, graph_schema
from kro_ls.kro.identifiers import NODE_ID, RESERVED_NODE_IDS, is_node_id
from kro_ls.kro.places import BOOL_PLACES, Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.validation.admission import faults, value_for
from kro_ls.rules.diagnostics import Finding, Findings, PartFindings, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.text.field_findings import OwnPart, findings
from kro_ls.spelling import listed
from kro_ls.yaml_positions.nodes import Mapping, entries, entry_of, field, is_null, items, key_at, resolved, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

_MODIFIERS = ("forEach", "includeWhen", "readyWhen")
_IDENTITY = ("apiVersion", "kind", "metadata")


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the fields and nodes of a Graph that kro refuses."""
    if rgd.form.declares_kind:
        return
    chunk, outer = rgd.frame, rgd.rgd.outer
    if chunk.root is not None and outer is None:
        schema = graph_schema(HeldObject(rgd.schemas.object_meta))
        yield from ((Section.FRAME, each) for each in _refused(chunk.root, schema, chunk.text, ("kind",)))
    for number, resource in enumerate(rgd.parts):
        yield from ((number, each) for each in _in_node(resource, is_child=outer is not None))
        yield from ((number, each) for each in _in_iterators(resource, rgd))
        yield from ((number, each) for each in _in_names(resource, rgd))
        yield from ((number, each) for each in _in_conditions(resource, rgd))


def _refused(node: Node, schema: JsonObject, text: str, key: tuple[str, ...]) -> Findings:
    """Find what the API server refuses, or kro in a child graph."""
    found = faults(value_for(node, schema), schema)
    part = OwnPart(node, text, schema, key_at(node, key))
    yield from (each for _, each in findings(part, found.unknown_fields, found.errors))


def _in_node(resource: Resource, *, is_child: bool) -> Findings:
    """Find the faults of a single node; the API server checks the ids of nodes that are not in a child graph."""
    node, form, where = resource.node, resource.form, resource.id_node or resource.node
    names = [each.name for each in NODE_FORMS]
    written = [entry for name in names if not is_null(field(node, name)) and (entry := entry_of(node, name))]
    if len(written) != 1:
        span = written[1].key.span if written else where.span
        kro_message = f"exactly one of template/ref/def/graph/patch must be set (got {len(written)})"
        message = f"a node needs exactly one of {listed(names)}, not {len(written)}"
        yield Finding(span, message, kro_message=kro_message)
        return
    if resource.id in RESERVED_NODE_IDS:
        yield _finding(where.span, f"'{resource.id}' is reserved; choose another id", f'id "{resource.id}" is reserved')
    elif is_child and not is_node_id(resource.id or ""):
        kro_message = f'id "{resource.id or ""}" must match {NODE_ID}'
        yield _finding(where.span, f"'{resource.id or ''}' is not a valid id; it must match '{NODE_ID}'", kro_message)
    for name in _MODIFIERS:
        modifier = entry_of(node, name)
        has_no_place = form.has_nodes or (not form.is_typed and name == "forEach")
        if has_no_place and modifier and items(modifier.value):
            kro_message = f"{name} is not supported on {form.name} nodes"
            yield _finding(modifier.key.span, f"a {form.name} node takes no '{name}'; remove it", kro_message)
    payload = written[0].value
    if form.has_nodes:
        yield from _refused(payload, CHILD_GRAPH, resource.chunk_text, ("nodes",))
        if not resource.children:
            kro_message = "graph must declare at least one node"
            yield _finding(written[0].key.span, "the child graph has no node under 'nodes'", kro_message)
    elif not form.is_data:
        yield from _in_object(resource, payload, written[0].key.span)


def _finding(span: Span, message: str, kro_message: str) -> Finding:
    return Finding(span, message, kro_message=kro_message)


def _in_object(resource: Resource, payload: Node, key: Span) -> Findings:
    """Find the missing fields of an object."""
    for name in ("apiVersion", "kind"):
        if not text_of(field(payload, name)):
            yield _finding(key, f"'{name}' is missing", f'missing required field "{name}"')
    metadata = resolved(field(payload, "metadata"))
    if not resource.form.is_typed:
        has_name, has_selector = (bool(text_of(field(metadata, "name"))), not is_null(field(metadata, "selector")))
        if has_name == has_selector:
            kro_message = "ref: exactly one of name or selector must be provided"
            yield _finding(key, "a ref needs either 'name' or 'selector' in its metadata", kro_message)
    elif not isinstance(metadata, Mapping):
        yield _finding(key, "'metadata' is missing", 'missing required field "metadata"')
    if resource.form.is_patch:
        yield from _in_patch(payload, (resource.id_node or resource.node).span)


def _in_patch(patch: Node, where: Span) -> Findings:
    metadata = field(patch, "metadata")
    if not text_of(field(metadata, "name")):
        yield _finding(
            where, "a patch needs 'metadata.name', the name of its target", "patch target requires metadata.name"
        )
    for name in PATCH_METADATA_REFUSED:
        entry = entry_of(metadata, name)
        if entry:
            kro_message = f"patch node payload must not set metadata.{name}"
            yield _finding(
                entry.key.span, f"a patch cannot set '{name}', because it does not own its target", kro_message
            )
    status = entry_of(patch, "status")
    others = [each for each in entries(patch) if each.name not in (*_IDENTITY, "status")]
    others += [each for each in entries(metadata) if each.name not in ("name", "namespace", *PATCH_METADATA_REFUSED)]
    if status and others:
        message = "a patch cannot set the 'status' and other fields together; use two patches"
        yield _finding(status.key.span, message, "a patch node targets a single endpoint")
    elif not status and not others:
        yield _finding(where, "the patch sets no field", "patch node contributes no fields")


def _in_iterators(resource: Resource, rgd: RgdAnalysis) -> Findings:
    seen: set[str] = set()
    outer = rgd.rgd.outer
    taken = {each.id for each in rgd.parts if not each.form.is_patch} | (outer.depths.keys() if outer else set())
    for item in items(field(resource.node, "forEach")):
        if len(entries(item)) != 1:
            count = len(entries(item))
            kro_message = f"must have exactly one entry, got {count}"
            yield _finding(item.span, f"an iterator has one name with its list, not {count}", kro_message)
    for dimension in resource.dimensions:
        what = kro_what = ""
        if dimension.name in RESERVED_NODE_IDS:
            what, kro_what = "is reserved; choose another name", "is reserved"
        elif dimension.name == resource.id:
            what, kro_what = "is the id of this node; choose another name", "collides with node id"
        elif not is_node_id(dimension.name):
            what, kro_what = f"is not a valid iterator name; it must match '{NODE_ID}'", f"must match {NODE_ID}"
        elif dimension.name in seen:
            what = "is already an iterator of this node; choose another name"
        elif dimension.name in taken and any(each.place is Place.TEMPLATE for each in resource.expressions):
            what, kro_what = "is already the id of a node; choose another name", "overlapping identifier"
        if what:
            beginning = "" if kro_what else "duplicate "
            kro_message = f'{beginning}iterator name "{dimension.name}" {kro_what}'.rstrip()
            yield _finding(dimension.key.span, f"'{dimension.name}' {what}", kro_message)
        seen.add(dimension.name)


def _in_names(resource: Resource, rgd: RgdAnalysis) -> Findings:
    outer = rgd.rgd.outer or OuterNodes("", {}, frozenset())
    own = {each.id: each.form.is_patch for each in rgd.parts}
    for reference in references(resource):
        name = reference.name
        if own.get(name, name in outer.patches):
            kro_message = f'patch node "{name}" does not publish a value into scope and cannot be referenced'
            yield _finding(reference.span, f"'{name}' is a patch, which has no value to refer to", kro_message)
        elif name in resource.iterators:
            continue
        elif name == "runtime" and name not in own and name not in outer.depths:
            kro_message = f'references unknown identifier "{name}"'
            yield _finding(reference.span, f"unknown name '{name}'; a Graph has nodes alone", kro_message)
        elif reference.expression.place is Place.READY_WHEN and name not in own and name in outer.depths:
            kro_message = f'may only reference the node itself, found capture "{name}"'
            yield _finding(
                reference.span, f"'{name}' is not available in readyWhen; only the node itself is", kro_message
            )
    for reference in captures(resource):
        if reference.name == resource.id:
            message = f"'{resource.id}' cannot refer to itself, the child graph that this is in"
            yield _finding(reference.span, message, "self references are not allowed")
    for expression in resource.expressions:
        used = {use.name: 0 if use.name in own else outer.depths.get(use.name) for use in expression.inspection.names}
        depths = {depth for name, depth in used.items() if depth is not None and name not in resource.iterators}
        if len(depths) > 1:
            message = "this refers to nodes of different graphs; one expression can use one graph"
            yield _finding(expression.whole, message, "mixes node references from different graph scopes")


def _in_conditions(resource: Resource, rgd: RgdAnalysis) -> Findings:
    scope = rgd.scope(resource)
    for checked in check_part(resource, scope.bindings, scope.kind):
        type_ = checked.result.type
        if checked.expression.place in BOOL_PLACES and type_.is_optional and not checked.result.errors:
            message = "a condition cannot be optional; append '.orValue(false)'"
            yield _finding(
                checked.expression.whole, message, "returns optional<bool>, which becomes a runtime error when empty"
            )


RULE = Rule(
    code="graph-node",
    severity=Severity.ERROR,
    summary="A node of a Graph has a form that kro does not take.",
    explanation="""\
A node of a Graph is exactly one of `template`, `ref`, `def`, `patch` and `graph`. A child graph takes no `forEach`,
`includeWhen` and `readyWhen`, a `ref` no `forEach`. A `patch` names its target, contributes at least one field, either
of `status` or of the rest, and has no value that others could refer to. A Graph has no `schema`. This is how the
commits before kro 0.10 have it.""",
    check_document=check,
    in_graphs=GRAPHS,
    versions=GRAPHS,
    kro_messages=(
        "exactly one of template/ref/def/graph/patch must be set (got {count})",
        'id "{id}" is reserved',
        'id "{id}" must match {pattern}',
        "{field} is not supported on {form} nodes",
        "graph must declare at least one node",
        'missing required field "{field}"',
        "ref: exactly one of name or selector must be provided",
        "patch target requires metadata.name",
        "patch node payload must not set metadata.{field}",
        "a patch node targets a single endpoint",
        "patch node contributes no fields",
        "must have exactly one entry, got {count}",
        'iterator name "{name}" {problem}',
        'patch node "{id}" does not publish a value into scope and cannot be referenced',
        'references unknown identifier "{name}"',
        'may only reference the node itself, found capture "{name}"',
        "mixes node references from different graph scopes",
        "returns optional<bool>, which becomes a runtime error when empty",
    ),
)
