"""Checks the fields of ResourceGraphDefinition itself, as the API server does when it admits one.

The schema section, each resource, and the frame around them are checked separately. Faults with a rule of their own
(the patterns of kind and version, `template` or `externalRef`) are left to it.
Source: the ResourceGraphDefinition CRD; apiextensions-apiserver for what it refuses and for the words it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.resource_reading import is_expression
from kro_ls.analysis.model.sections import outline
from kro_ls.kro.forms import KIND, OWN_FORM
from kro_ls.kro.rgd_schema import RESOURCE, RGD, SCHEMA_SECTION, frame_schema
from kro_ls.kro.versions.history import (
    EMPTY_REFERENCE_REFUSED,
    FORMER_KIND,
    REMOVED_SCHEMA_FIELDS,
    SELECTOR_EXPRESSIONS,
)
from kro_ls.kro.versions.version import Versions
from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.openapi.validation.admission import faults, value_for
from kro_ls.openapi.validation.field_errors import ErrorType, go_value
from kro_ls.openapi.validation.object_meta import LONGEST_LABEL, metadata_errors, subdomain_problems
from kro_ls.rules.diagnostics import Finding, Fix, Section, Severity
from kro_ls.rules.rule import UNKNOWN_FIELD, BrokenYaml, CodedFindings, InTemplates, Repair, Rule, SharedCheck
from kro_ls.rules.text.field_findings import OwnPart, findings
from kro_ls.yaml_positions.nodes import field, is_null, key_at, node_at, text_of
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError
    from kro_ls.rules.rule import PlacedFinding
    from kro_ls.yaml_positions.nodes import Node

_SELECTOR = ("externalRef", "metadata", "selector")
_NAME = ("externalRef", "metadata", "name")
_OUTER_SELECTOR = ("externalRef", "selector")
_TEXTS_FOR_LISTS = (("forEach",), ("readyWhen",), ("includeWhen",))
_HAVE_NAME_RULES = (("kind",), ("apiVersion",))


def check_resource(resource: Resource, _scope: Scope) -> CodedFindings:
    """Find what the API server refuses in one entry of `spec.resources`."""
    node = resource.node
    found = faults(value_for(node, RESOURCE), RESOURCE)
    if not found.unknown_fields and not found.errors:
        return
    part = OwnPart(node, resource.chunk_text, RESOURCE, place="spec.resources[*].")
    unknown, errors = [*found.unknown_fields], [*found.errors]
    if resource.collection is not OWN_FORM:  # another rule reports that, once
        unknown = [path for path in unknown if path != _OUTER_SELECTOR]
        errors = [each for each in errors if not _is_of_its_form(each, node)]
    of_expressions = [each for each in errors if each.path[:3] == _SELECTOR and is_expression(node_at(node, each.path))]
    empty_names = [each for each in errors if each.path == _NAME and text_of(node_at(node, _NAME)) == ""]
    yield from findings(part, unknown, [each for each in errors if each not in (*of_expressions, *empty_names)])
    for code, finding in findings(part, (), empty_names):
        yield code, replace(finding, versions=EMPTY_REFERENCE_REFUSED)
    for code, finding in findings(part, (), of_expressions):
        what = f"an expression in a selector needs kro {SELECTOR_EXPRESSIONS.release}"
        yield code, replace(finding, message=what, versions=Versions(before=SELECTOR_EXPRESSIONS))


def _is_of_its_form(error: FieldError, node: Node) -> bool:
    if error.path == ("externalRef", "metadata"):
        return field(field(node, "externalRef"), "selector") is not None
    return error.path in _TEXTS_FOR_LISTS and is_expression(node_at(node, error.path))


def check_outline(section: SchemaSection, _scope: Scope) -> CodedFindings:
    """Find what the API server refuses in `spec.schema`; if it is null, it is missing in the frame."""
    node = section.node
    if is_null(node):
        return
    found = faults(value_for(node, SCHEMA_SECTION), SCHEMA_SECTION)
    errors = [each for each in found.errors if each.type is not ErrorType.INVALID or each.path not in _HAVE_NAME_RULES]
    removed = [path for path in found.unknown_fields if path[0] in REMOVED_SCHEMA_FIELDS]
    part = OwnPart(node, section.chunk_text, SCHEMA_SECTION, place="spec.schema.")
    yield from findings(part, [path for path in found.unknown_fields if path not in removed], errors)
    for path in removed:
        versions = Versions(since=REMOVED_SCHEMA_FIELDS[str(path[0])])
        yield from ((code, replace(finding, versions=versions)) for code, finding in findings(part, [path], ()))


def check_frame(rgd: RgdAnalysis) -> Iterator[PlacedFinding]:
    """Find what the API server refuses outside of the schema section and the resources."""
    frame = rgd.frame
    schema = frame_schema(HeldObject(rgd.schemas.object_meta))
    if frame.root is not None:
        kind = field(frame.root, "kind")
        if kind is not None and text_of(kind) == FORMER_KIND:
            fix = Fix(f"Change to '{KIND}'", (Replacement(kind.span, KIND),), keeps_meaning=True)
            message = f"'{FORMER_KIND}' is called '{KIND}' since kro 0.2"
            kro_message = f'no matches for kind "{FORMER_KIND}"'
            yield Section.FRAME, "invalid-value", Finding(kind.span, message, fixes=(fix,), kro_message=kro_message)
        for code, finding in _frame_findings(frame.root, frame.text, schema, has_schema=_has_schema(rgd)):
            yield Section.FRAME, code, finding


def _has_schema(rgd: RgdAnalysis) -> bool:
    return rgd.section is not None and not is_null(outline(rgd.section).node)


def _frame_findings(root: Node, text: str, schema: JsonObject, *, has_schema: bool) -> CodedFindings:
    value = as_object(value_for(root, schema))
    spec = value.get("spec")
    if has_schema and (spec is None or isinstance(spec, dict)):
        value["spec"] = {**as_object(spec), "schema": {}}  # the frame lacks it if it is a chunk of its own
    found = faults(value, schema)
    errors = (*_frame_errors(found.errors, value.get("apiVersion")), *metadata_errors(value, namespaced=False))
    yield from findings(OwnPart(root, text, schema, key_at(root, ("kind",))), found.unknown_fields, errors)
    yield from _long_name(node_at(root, ("metadata", "name")))


def _long_name(node: Node | None) -> CodedFindings:
    """Find a name that is too long for the label that kro gives the CRD (kro `pkg/metadata/labels.go`)."""
    name = text_of(node)
    if node is not None and name and len(name) > LONGEST_LABEL and not subdomain_problems(name):
        message = f"the name has {len(name)} characters; kro puts it into a label, which has at most {LONGEST_LABEL}"
        yield "invalid-value", Finding(node.span, message, severity=Severity.WARNING)


def _frame_errors(errors: tuple[FieldError, ...], version: JsonValue) -> Iterator[FieldError]:
    for error in errors:
        if error.path[:1] == ("status",):
            continue  # only the status subresource sets it; here it is dropped before it is validated
        if error.path[:1] == ("metadata",) and error.type is ErrorType.DUPLICATE:
            continue  # metadata is read into Go's ObjectMeta, which has no sets
        if error.path == ("apiVersion",) and error.type is ErrorType.UNSUPPORTED:
            text = f'no matches for kind "{RGD.kind}" in version {go_value(version)}'
            yield replace(error, text=text)  # in the words of kubectl
        else:
            yield error


RULES = (
    # Source: the ResourceGraphDefinition CRD under strict field validation, which kubectl asks for.
    Rule(
        code="unknown-field",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.BEFORE,
        summary="A ResourceGraphDefinition has no field of this name.",
        explanation="""\
A field that the kind does not have is either a misspelt one or stands in the wrong place. kubectl refuses it; without
strict validation the API server would silently drop it, which is worse.""",
        wrong="""\
resources:
  - id: config
    templat:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        repairs=(Repair.MENDED_LINES, Repair.REMOVED_FIELD),
        kro_messages=(UNKNOWN_FIELD,),
    ),
    # Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for object metadata.
    Rule(
        code="missing-field",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.HIDDEN,
        summary="A required field is absent.",
        explanation="""\
The API server refuses a ResourceGraphDefinition without this field. A field whose value is null counts as absent.""",
        wrong="""\
schema:
  kind: WebApp
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
""",
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        waits_for="rest",
        repairs=(Repair.LINES_OF_EMPTY_FIELD, Repair.ADDED_ID, Repair.GLUED_KEYS),
        prefers_repairs=True,
        kro_messages=("{path}: Required value",),
    ),
    # Source: the ResourceGraphDefinition CRD.
    Rule(
        code="wrong-type",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.BEFORE,
        summary="The value of a field has the wrong type.",
        explanation="""\
A list was expected and a string found, or the like. Conditions are always lists, even a single one:
`readyWhen` and `includeWhen` take a list of strings, `forEach` a list of mappings.""",
        wrong="""\
resources:
  - id: config
    readyWhen: ${has(config.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        right="""\
resources:
  - id: config
    readyWhen:
      - ${has(config.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        repairs=(Repair.WRONG_VALUE, Repair.GLUED_KEYS, Repair.MENDED_LINES),
        kro_messages=("{path} in body must be of type {type}",),
    ),
    # Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for the name of an object.
    Rule(
        code="invalid-value",
        severity=Severity.ERROR,
        summary="The value of a field is not one that the field takes.",
        explanation="""\
The value has the right type, but breaks a rule of the field: a fixed set of values, a pattern, a length, or a number of
entries.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: cluster
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: Cluster
""",
        kro_messages=(
            "{path}: Unsupported value: {value}: supported values: {values}",
            "{path} in body should {condition}",
            "{path}: Duplicate value: {value}",
            "{path}: Too many: {count}: must have at most {most}",
            "a lowercase RFC 1123 subdomain must consist of {characters}",
            'no matches for kind "{kind}"',
        ),
    ),
)
CHECK = SharedCheck(RULES, check_resource, check_outline, check_document=check_frame)
