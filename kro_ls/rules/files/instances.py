"""Checks instances by the schema of their kind in the workspace.

If several definitions declare the kind, `workspace/nearest.py` chooses one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.openapi.validation.object_meta import metadata_errors
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Diagnostic, RelatedFile, Severity
from kro_ls.rules.files.reported_places import reported, short_path, span_at
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import UNKNOWN_FIELD, Rule
from kro_ls.rules.text.yaml_syntax import YAML_SYNTAX
from kro_ls.spelling import closest
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

_SUBSTITUTED = r"\$\{[A-Za-z_]\w*(?::?[-=?+][^{}]*)?\}"
"""A variable that envsubst replaces, or Flux after its build: `${NAME}`, `${name:=default}`."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import Choice, KindSchema
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument


def check_instance(
    document: YamlDocument, kind: KindSchema, settings: Settings, choice: Choice | None = None
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a document that is an instance of a kind, in document offsets.

    `choice` are the definitions if several files declare the kind. The status is not checked, because the API server
    drops what an author writes there; nor are templates of Helm, and values that envsubst replaces.
    """
    found = [each for each in _refusals(document, kind, settings) if not _is_substituted(document, each.span)]
    if choice is None or all(each.declared_schema == kind.declared_schema for each in choice.kinds):
        yield from found
        return
    if "{{" not in document.frame.chunk.text and not document.errors:
        yield from _several(document, choice, settings)
    tied = choice.kinds[1 : choice.tied]
    doubted = [{each.span for each in _refusals(document, other, settings)} for other in tied]
    for diagnostic in found:
        if any(diagnostic.span not in spans for spans in doubted) and diagnostic.severity is not Severity.HINT:
            message = f"{diagnostic.message} (by {short_path(kind.source)}; another definition allows it)"
            yield replace(diagnostic, severity=Severity.INFORMATION, message=message)
        else:
            yield diagnostic


def unreadable(document: YamlDocument, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the errors of an instance's YAML, unless it is a template, which becomes YAML later."""
    text = document.frame.chunk.text
    if "{{" not in text and not re.search(_SUBSTITUTED, text):
        for error in document.errors:
            yield from reported(YAML_SYNTAX, settings, Span(error.start, error.end), error.message, error.printed)


def _is_substituted(document: YamlDocument, span: Span) -> bool:
    marked = span.shift(-document.frame.start)
    return re.compile(_SUBSTITUTED).search(document.frame.chunk.text, marked.start, marked.end) is not None


def check_typed_instance(document: YamlDocument, kind: KindSchema, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a text that is meant as an instance of a kind, in document offsets.

    These include the errors of its YAML, which nothing else reports.
    """
    yield from unreadable(document, settings)
    yield from _refusals(document, kind, settings)


def _several(document: YamlDocument, choice: Choice, settings: Settings) -> Iterator[Diagnostic]:
    chosen, *others = choice.kinds
    declared = f"{len(choice.kinds)} definitions declare {chosen.name.kind}"
    message = f"{declared}; this is checked by {short_path(chosen.source)}, {choice.reason}"
    files = [RelatedFile(chosen.source, f"checks this instance: {choice.reason}")]
    files += [RelatedFile(each.source, f"also declares {each.name.kind}") for each in others]
    yield from reported(SEVERAL_DEFINITIONS, settings, span_at(document, ("kind",)), message, files=tuple(files))


def _refusals(document: YamlDocument, kind: KindSchema, settings: Settings) -> Iterator[Diagnostic]:
    if "{{" in document.frame.chunk.text:
        return
    try:
        value = document.to_python()
    except (ExcessiveAliasingError, RecursionError):
        return
    if not document.errors and isinstance(value, dict):
        value.pop("status", None)
        yield from check_object(document, (), value, kind, settings)


def check_object(
    document: YamlDocument,
    path: Path,
    value: JsonObject,
    kind: KindSchema,
    settings: Settings,
    *,
    refused: bool = True,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about an instance at a path of a document; without `refused`, only unknown fields.

    Of an object of another kind, only that is reported.
    """
    # Imported here, because definitions are checked without these.
    from kro_ls.openapi.rules.evaluation import rule_errors
    from kro_ls.openapi.validation.admission import admit

    schema = kind.declared_schema
    if schema is None:
        return
    for name, wanted in (("apiVersion", kind.name.api_version), ("kind", kind.name.kind)):
        if value.get(name) != wanted:
            given = value.get(name)
            wrong = f"must be '{wanted}'" + (f", not '{given}'" if isinstance(given, str) else "")
            span = span_at(document, (*path, name))
            message = f"'{name}' {wrong}, as in all instances of this definition"
            yield from reported(INVALID_INSTANCE, settings, span, message) if refused else ()
            return
    admission = admit(value, schema, rule_errors)
    for unknown in admission.unknown_fields:
        yield from _unknown_field(document, path, unknown, schema, settings)
    errors = (*admission.errors, *metadata_errors(admission.defaulted, namespaced=kind.namespaced)) if refused else ()
    for error in errors:
        if not error.is_about_others:
            span = span_at(document, (*path, *error.path), in_key=error.in_key)
            yield from reported(INVALID_INSTANCE, settings, span, plain(error), error.text)


def _unknown_field(
    document: YamlDocument, above: Path, path: Path, schema: JsonObject, settings: Settings
) -> Iterator[Diagnostic]:
    owner = Schema(schema).field(path[:-1])
    known = tuple(as_object(owner.raw.get("properties"))) if owner else ()
    meant = closest(str(path[-1]), known)
    advice = f"did you mean '{meant}'?" if meant else "the API server drops it"
    span = span_at(document, (*above, *path), in_key=True)
    message, kro_message = f"unknown field '{path[-1]}'; {advice}", UNKNOWN_FIELD.format(path=place_of(path))
    fixes = (change_to(span, meant),) if meant else ()
    yield from reported(UNKNOWN_INSTANCE_FIELD, settings, span, message, kro_message, fixes)


# Source: k8s.io/apiextensions-apiserver.
INVALID_INSTANCE = Rule(
    code="invalid-instance",
    severity=Severity.ERROR,
    summary="The API server would refuse this instance.",
    explanation="""\
kro generates a CustomResourceDefinition from a ResourceGraphDefinition, and the API server checks each instance by it:
types, required fields, enums, bounds, patterns and `validation` rules. An object of a kind that a definition in the
workspace declares is checked in the same way, with what the definition says now. Of several definitions the nearest in
the tree of folders counts. Values that `envsubst` or Flux replaces, such as `${NAME}`, are not checked.""",
    kro_messages=(
        "{path}: Required value",
        "{path}: Unsupported value: {value}: supported values: {values}",
        "{path} in body must be of type {type}",
        "{path} in body should {condition}",
        "failed rule: {rule}",
    ),
)

SEVERAL_DEFINITIONS = Rule(
    code="several-definitions",
    severity=Severity.INFORMATION,
    summary="Several definitions in the workspace declare the kind of this instance.",
    explanation="""\
A cluster has one definition of a kind, but a workspace can hold several: versions, examples, tenants. An instance is
checked, completed and previewed by one of them. That is one which kro accepts, in the same file if there is one, else
the nearest in the tree of folders, then the first by its path. Of several in one file, one replaces those of the same
name before it when the file is applied, and otherwise the first gets the kind: kro refuses the others, because another
definition owns it. The message names the definition and says why it counts, and the others are linked. Nothing is
reported where all of them declare the same fields.

Where only the order of their paths decides between definitions, an error that another of them does not find is shown
as information.""",
)

# Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/pruning; the findings come from
# `rules/instances.py`.
UNKNOWN_INSTANCE_FIELD = Rule(
    code="unknown-instance-field",
    severity=Severity.WARNING,
    summary="An instance has a field that its definition does not declare.",
    explanation="""\
The API server drops fields that the schema of a kind does not have, and `kubectl` refuses to send them unless it is
told not to validate. Mostly the field is misspelt, or the definition declares it elsewhere.""",
    kro_messages=(UNKNOWN_FIELD,),
)

RULES = (INVALID_INSTANCE, SEVERAL_DEFINITIONS, UNKNOWN_INSTANCE_FIELD)
