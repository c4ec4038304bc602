"""Features that the chosen version of kro does not have yet.

Source: kro at its tags (`kro_ls/kro/versions/history.py`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.names.references import references
from kro_ls.analysis.simpleschema.results import TypeKind
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.places import Place
from kro_ls.kro.versions import history
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.versions.newer_functions import (
    float_fields,
    forgotten_variable,
    inspected_since,
    newer_calls,
    newer_overloads,
    quoted_fields,
)
from kro_ls.yaml_positions.nodes import Mapping, entry_of, field, resolved, to_python
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Mapping as ReadOnlyMapping

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.analysis.scope import NamedScope, Scope
    from kro_ls.analysis.simpleschema.results import TypeExpression
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.kro.versions.version import Version
    from kro_ls.yaml_positions.nodes import Node


def check_resource(resource: Resource, _scope: Scope) -> Findings:
    """Find the features in a resource that some version lacks."""
    yield from _new_fields(resource.node, history.RESOURCE_FIELDS)
    yield from _new_fields(field(resource.external_reference, "metadata"), history.REFERENCE_FIELDS)
    yield from _without_namespace(resource)
    yield from _in_expressions(resource)


def check_names(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the resources that the `includeWhen` of another one refers to."""
    for reference in references(part):
        if reference.expression.place is Place.INCLUDE_WHEN and reference.name in scope.resource_ids:
            what, note = f"'{reference.name}' in includeWhen", "; before, only 'schema' is known"
            yield _needs(reference.span, what, history.INCLUDE_WHEN_RESOURCES, note)


def _without_namespace(resource: Resource) -> Findings:
    metadata = field(resource.external_reference, "metadata")
    name = entry_of(metadata, "name")
    if not isinstance(metadata, Mapping) or name is None or entry_of(metadata, "namespace"):
        return
    needs = _needs(name.key.span, "an external reference without 'namespace'", history.REFERENCE_NAMESPACE_OPTIONAL)
    first = history.INSTANCE_NAMESPACE_READABLE
    yield replace(needs, versions=Versions(before=first))
    start = Span(name.key.start, name.key.start)
    if metadata.flow:  # in quotes, which JSON needs
        edit = Replacement(start, '"namespace": "${schema.metadata.namespace}", ')
    else:
        column = name.key.start - (resource.chunk_text.rfind("\n", 0, name.key.start) + 1)
        edit = Replacement(start, f"namespace: ${{schema.metadata.namespace}}\n{' ' * column}")
    fix = Fix("Add the namespace of the instance", (edit,), keeps_meaning=True)
    yield replace(needs, fixes=(fix,), versions=replace(needs.versions, since=first))


def check_schema(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the features in the schema section that some version lacks."""
    yield from _new_fields(section.node, history.SCHEMA_FIELDS)
    yield from _in_simple_schema(section)
    reported: set[Expression] = set()
    for reference in references(section):
        expression = reference.expression
        if reference.name not in ("schema", "runtime") or expression in reported:
            continue
        reported.add(expression)
        if reference.name == "runtime" and expression.in_field_of_conditions:
            yield _needs(reference.span, "a condition of your own", history.CONDITIONS)
        elif reference.name == "schema":
            note = "; before, only resources are known"
            yield _needs(reference.span, "'schema' in the status", history.STATUS_SCHEMA, note)
    yield from _in_expressions(section)


def _needs(span: Span, what: str, first: Version, note: str = "") -> Finding:
    return Finding(span, f"{what} needs kro {first.release}{note}", versions=Versions(before=first))


def _new_fields(node: Node | None, since: ReadOnlyMapping[str, Version]) -> Findings:
    for name, first in since.items():
        entry = entry_of(node, name)
        if entry:
            yield _needs(entry.key.span, f"'{name}'", first)


def _in_simple_schema(section: SchemaSection) -> Findings:
    result = simple_schema(section)
    for definition in result.definitions.values():
        syntax = definition.syntax
        written = written_field(section, definition.root, definition.path) if syntax else None
        if syntax is None or written is None:
            continue
        innermost = syntax.type.innermost
        if innermost.name in history.TYPES:
            note = "; before, Kubernetes will refuse the CRD"
            first = history.TYPES[innermost.name]
            needs = _needs(written.span_in_text(innermost.span), f"type '{innermost.name}'", first, note)
            yield replace(needs, severity=Severity.WARNING)  # kro itself accepts it
        yield from _in_type_text(written, syntax.type)
        if innermost.name == "object" and syntax.type is not innermost:
            what = "type 'object' in a list or a map"
            yield _needs(written.span_in_text(innermost.span), what, history.OBJECT_ELEMENTS)
        for marker in syntax.markers:
            if marker.name in history.MARKERS:
                what = f"marker '{marker.name}'"
                yield _needs(written.span_in_text(marker.key_span), what, history.MARKERS[marker.name])
    for reference in result.type_references:
        written = written_field(section, reference.root, reference.path) if reference.root == "types" else None
        if written:
            what = f"type '{reference.name}' in another type"
            needs = _needs(written.span_in_text(reference.span), what, history.NESTED_TYPES)
            yield replace(needs, fixes=_inlined(section, written, reference.name))


def _in_type_text(written: WrittenField, outermost: TypeExpression) -> Findings:
    """Yield what older versions read as a part of a type's name, or as another type."""
    expression = outermost
    while expression.element is not None:
        prefix = "[]" if expression.kind is TypeKind.LIST else "map[string]"
        blanks = Span(expression.span.start + len(prefix), expression.element.span.start)
        if blanks.start < blanks.end:
            yield _needs(written.span_in_text(blanks), f"a blank after '{prefix}'", history.FREE_TYPE_TEXTS)
        expression = expression.element
    if expression.kind is TypeKind.CUSTOM and expression.name.startswith("map"):
        note = "; before, it is read as a map"
        what = f"type '{expression.name}', which begins with 'map',"
        yield _needs(written.span_in_text(expression.span), what, history.FREE_TYPE_TEXTS, note)


def _inlined(section: SchemaSection, written: WrittenField, name: str) -> tuple[Fix, ...]:
    """Return the fix that writes the fields of a type in place of its name, if nothing else stands there."""
    fields = resolved(field(field(section.node, "types"), name))
    if written.text is None or written.text.text.strip() != name or not isinstance(fields, Mapping):
        return ()
    try:
        text = json.dumps(to_python(fields), ensure_ascii=False)
    except (TypeError, ValueError):
        return ()
    return (Fix(f"Write the fields of '{name}' here", (Replacement(written.text.span, text),), keeps_meaning=True),)


def _in_expressions(part: Resource | SchemaSection) -> Findings:
    for expression in part.expressions:
        inspection = expression.inspection
        if not inspection.parsed.is_valid:
            continue
        if "`" in inspection.text:
            yield from _quoted_fields(expression)
        if inspection.is_plain_read:
            continue
        if newer_calls(inspection) or forgotten_variable(inspection):
            yield from _refused_calls(expression)
            yield from _forgotten_variables(expression)


def check_expression(checked: CheckedExpression, _part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the features that an expression needs by its types, and that some version lacks."""
    overloads = () if checked.expression.inspection.is_plain_read else newer_overloads(checked.checked)
    for call, name, first in overloads:
        yield _needs(checked.expression.span(*call.name_span), f"'{name}'", first)
    for node in float_fields(checked.checked):
        what = "a field of type 'float' in an expression"
        yield _needs(checked.expression.span(*node.field_span), what, history.TYPES["float"])


def _quoted_fields(expression: Expression) -> Findings:
    for node in quoted_fields(expression.inspection):
        yield _needs(expression.span(*node.field_span), "a field in backticks", history.QUOTED_FIELDS)


def _refused_calls(expression: Expression) -> Findings:
    for call, name, since, before in newer_calls(expression.inspection):
        if name.startswith("runtime."):  # where nothing has this name, another rule reports the name
            continue
        needs = _needs(expression.span(*call.name_span), f"'{name}'", before)
        by_name = name in history.FORMERLY_REFUSED or name in history.REFUSED_BY_0_7_1
        first = max(since, inspected_since(expression, call)) if by_name else since
        yield replace(needs, versions=Versions(first, before))


def _forgotten_variables(expression: Expression) -> Findings:
    forgotten = forgotten_variable(expression.inspection)
    if forgotten:
        span = expression.span(forgotten.start, forgotten.end)
        what, note = f"'{forgotten.name}' in two macros", "; before, it is forgotten when the inner one ends"
        needs = _needs(span, what, history.SAME_VARIABLE_IN_MACROS, note)
        yield replace(needs, versions=replace(needs.versions, since=inspected_since(expression, forgotten)))


RULE = Rule(
    code="newer-kro-needed",
    severity=Severity.ERROR,
    summary="The version of kro that is set does not have this yet.",
    explanation="""\
kro grows from release to release, and an older one refuses what it does not know. The message names the first release
that has it. The setting `kro.version`, the option `--kro-version` or the file `.kro-ls.yaml` say which one you run;
without them everything is checked for the newest release.""",
    check_resource=check_resource,
    check_schema=check_schema,
    check_names=check_names,
    check_expression=check_expression,
    sees_faulty=True,
)
