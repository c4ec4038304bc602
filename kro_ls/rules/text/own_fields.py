"""Checks the fields of ResourceGraphDefinition itself, as the API server does when it admits one.

Its parts are checked one by one: the schema section, each resource, and the frame, which is all that is left. What has
a rule of its own (the patterns of kind and version, `template` or `externalRef`) is left to it.
Source: the ResourceGraphDefinition CRD; apiextensions-apiserver for what it refuses and for the words it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.expression_reader import is_expression
from kro_ls.analysis.model.sections import outline
from kro_ls.kro.definition import KIND
from kro_ls.kro.krep_2 import SELECTOR
from kro_ls.kro.rgd_schema import RESOURCE, RGD, SCHEMA_SECTION, frame_schema
from kro_ls.kro.versions.history import (
    EMPTY_REFERENCE_REFUSED,
    FORMER_KIND,
    REMOVED_SCHEMA_FIELDS,
    SELECTOR_EXPRESSIONS,
)
from kro_ls.kro.versions.version import Versions
from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.errors import ErrorType, go_value
from kro_ls.openapi.validation.names import LONGEST_LABEL, subdomain_problems
from kro_ls.openapi.validation.object_meta import metadata_errors
from kro_ls.openapi.validation.written import value_for
from kro_ls.rules.diagnostics import Finding, Fix, Section, Severity
from kro_ls.rules.rule import SchemaAs
from kro_ls.rules.shared_check import SharedCheck
from kro_ls.rules.text.field_findings import CODES, OwnPart, findings
from kro_ls.yaml_positions.access import field, is_null, key_at, node_at, text_of
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.errors import FieldError
    from kro_ls.rules.overview import Overview
    from kro_ls.rules.shared_check import CodedFinding, PlacedFinding
    from kro_ls.yaml_positions.nodes import Node

_SELECTOR = ("externalRef", "metadata", "selector")
_NAME = ("externalRef", "metadata", "name")
_PROPOSED_SELECTOR = ("externalRef", SELECTOR)
_PROPOSED_TEXTS = (("forEach",), ("readyWhen",), ("includeWhen",))
_HAVE_NAME_RULES = (("kind",), ("apiVersion",))


def check_resource(resource: Resource, _scope: Scope) -> Iterator[CodedFinding]:
    """Find what the API server refuses in one entry of `spec.resources`."""
    node = resource.node
    found = faults(value_for(node, RESOURCE), RESOURCE)
    part = OwnPart(node, resource.chunk_text, RESOURCE, place="spec.resources[*].")
    unknown, errors = [*found.unknown_fields], [*found.errors]
    if resource.is_proposed:  # another rule tells so, once
        unknown = [path for path in unknown if path != _PROPOSED_SELECTOR]
        errors = [each for each in errors if not _is_of_proposal(each, node)]
    of_expressions = [each for each in errors if each.path[:3] == _SELECTOR and is_expression(node_at(node, each.path))]
    empty_names = [each for each in errors if each.path == _NAME and text_of(node_at(node, _NAME)) == ""]
    yield from findings(part, unknown, [each for each in errors if each not in (*of_expressions, *empty_names)])
    for code, finding in findings(part, (), empty_names):
        yield code, replace(finding, versions=EMPTY_REFERENCE_REFUSED)
    for code, finding in findings(part, (), of_expressions):
        what = f"an expression in a selector needs kro {SELECTOR_EXPRESSIONS.release}"
        yield code, replace(finding, message=what, versions=Versions(before=SELECTOR_EXPRESSIONS))


def _is_of_proposal(error: FieldError, node: Node) -> bool:
    if error.path == ("externalRef", "metadata"):
        return field(field(node, "externalRef"), SELECTOR) is not None
    return error.path in _PROPOSED_TEXTS and is_expression(node_at(node, error.path))


def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[CodedFinding]:
    """Find what the API server refuses in `spec.schema`; one that is null is missing, which is found in the frame."""
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


def frame_key(overview: Overview) -> object:
    """Return what decides what is found in the frame."""
    return overview.rgd.rgd.frame.chunk, _has_schema(overview), overview.rgd.surroundings.schemas


def check_frame(overview: Overview) -> Iterator[PlacedFinding]:
    """Find what the API server refuses outside of the schema section and the resources."""
    frame = overview.rgd.rgd.frame.chunk
    schema = frame_schema(HeldObject(overview.rgd.surroundings.schemas.object_meta))
    if frame.root is not None:
        kind = field(frame.root, "kind")
        if kind is not None and text_of(kind) == FORMER_KIND:
            fix = Fix(f"Change to '{KIND}'", (Replacement(kind.span, KIND),), keeps_meaning=True)
            message = f"'{FORMER_KIND}' is called '{KIND}' since kro 0.2"
            kro_message = f'no matches for kind "{FORMER_KIND}"'
            yield Section.FRAME, "invalid-value", Finding(kind.span, message, fixes=(fix,), kro_message=kro_message)
        for code, finding in _frame_findings(frame.root, frame.text, schema, has_schema=_has_schema(overview)):
            yield Section.FRAME, code, finding


def _has_schema(overview: Overview) -> bool:
    schema = overview.rgd.rgd.schema
    return schema is not None and not is_null(outline(schema.section).node)


def _frame_findings(root: Node, text: str, schema: JsonObject, *, has_schema: bool) -> Iterator[CodedFinding]:
    value = as_object(value_for(root, schema))
    spec = value.get("spec")
    if has_schema and (spec is None or isinstance(spec, dict)):
        value["spec"] = {**as_object(spec), "schema": {}}  # the frame does not hold it where it is a chunk of its own
    found = faults(value, schema)
    errors = (*_frame_errors(found.errors, value.get("apiVersion")), *metadata_errors(value, namespaced=False))
    yield from findings(OwnPart(root, text, schema, key_at(root, ("kind",))), found.unknown_fields, errors)
    yield from _long_name(node_at(root, ("metadata", "name")))


def _long_name(node: Node | None) -> Iterator[CodedFinding]:
    """Find a name that is none for the label with it that kro gives the CRD (kro `pkg/metadata/labels.go`)."""
    name = text_of(node)
    if node is not None and name and len(name) > LONGEST_LABEL and not subdomain_problems(name):
        message = f"the name has {len(name)} characters; kro puts it into a label, which has at most {LONGEST_LABEL}"
        yield "invalid-value", Finding(node.span, message, severity=Severity.WARNING)


def _frame_errors(errors: tuple[FieldError, ...], version: JsonValue) -> Iterator[FieldError]:
    for error in errors:
        if error.path[:1] == ("status",):
            continue  # only the status subresource sets it: what is written here is dropped before it is validated
        if error.path[:1] == ("metadata",) and error.type is ErrorType.DUPLICATE:
            continue  # metadata is read into Go's ObjectMeta, which knows no sets
        if error.path == ("apiVersion",) and error.type is ErrorType.UNSUPPORTED:
            text = f'no matches for kind "{RGD.kind}" in version {go_value(version)}'
            yield replace(error, text=text)  # in the words of kubectl
        else:
            yield error


CHECK = SharedCheck(
    CODES, check_resource, check_schema, check_frame, frame_key, reads=frozenset(), schema_as=SchemaAs.HEAD
)
