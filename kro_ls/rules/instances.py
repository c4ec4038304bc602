"""What is wrong with documents that are described: instances, and by a JSON Schema the files that are kro-ls' own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.errors import place_of
from kro_ls.openapi.validation.object_meta import metadata_errors
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Diagnostic, RelatedFile, Severity
from kro_ls.rules.files import invalid_file, invalid_instance, several_definitions, unknown_instance_field
from kro_ls.rules.fixes import change_to
from kro_ls.rules.kro_texts import UNKNOWN_FIELD
from kro_ls.rules.text import yaml_syntax
from kro_ls.spelling import closest
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.nodes import Mapping, Sequence
from kro_ls.yaml_positions.positions import Span

_SUBSTITUTED = re.compile(r"\$\{[A-Za-z_]\w*(?::?[-=?+][^{}]*)?\}")
"""A variable that envsubst, or Flux after its build, replaces: `${NAME}`, `${name:=default}`."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kinds import Choice, KindSchema
    from kro_ls.openapi.validation.errors import Path
    from kro_ls.openapi.validation.json_schema import SchemaProblem
    from kro_ls.rules.diagnostics import Fix
    from kro_ls.rules.rule import Rule
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.document import YamlDocument


def check_instance(
    document: YamlDocument, kind: KindSchema, settings: Settings, choice: Choice | None = None
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a document that is an instance of a kind, in document offsets.

    `choice` are the definitions where several files declare the kind. Its status is left alone, for the API server
    drops what an author writes there. So are a text that Helm has still to fill in, and values that envsubst fills in.
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
    """Yield why YAML cannot read an instance; not of a template, which becomes YAML when it is filled in."""
    code = yaml_syntax.RULE.code
    severity = dict(settings.severities).get(code, yaml_syntax.RULE.severity)
    text = document.frame.chunk.text
    if severity is not None and "{{" not in text and not _SUBSTITUTED.search(text):
        for error in document.errors:
            yield Diagnostic(
                code, severity, Span(error.start, error.end), error.message, kro_message=error.printed or None
            )


def _is_substituted(document: YamlDocument, span: Span) -> bool:
    marked = span.shift(-document.frame.start)
    return _SUBSTITUTED.search(document.frame.chunk.text, marked.start, marked.end) is not None


def check_typed_instance(document: YamlDocument, kind: KindSchema, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a text that is to be an instance of a kind, whatever it says, in document offsets.

    Nobody else looks at such a text, so the faults of its YAML are among them.
    """
    yield from unreadable(document, settings)
    yield from _refusals(document, kind, settings)


def _several(document: YamlDocument, choice: Choice, settings: Settings) -> Iterator[Diagnostic]:
    chosen, *others = choice.kinds
    declared = f"{len(choice.kinds)} definitions declare {chosen.name.kind}"
    message = f"{declared}; this is checked by {short_path(chosen.source)}, {choice.reason}"
    severity = dict(settings.severities).get(several_definitions.RULE.code, several_definitions.RULE.severity)
    if severity is not None:
        span = span_at(document, ("kind",))
        files = [RelatedFile(chosen.source, f"checks this instance: {choice.reason}")]
        files += [RelatedFile(each.source, f"also declares {each.name.kind}") for each in others]
        yield Diagnostic(several_definitions.RULE.code, severity, span, message, files=tuple(files))


def short_path(path: str) -> str:
    """Return the end of a path that tells it from others: the file and its folder."""
    return "/".join(path.replace("\\", "/").rsplit("/", 2)[-2:])


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
    """Yield the diagnostics about an instance at a path of a document; without `refused` only unknown fields.

    Of an object of another kind only that is told.
    """
    schema = kind.declared_schema
    if schema is None:
        return
    for name, wanted in (("apiVersion", kind.name.api_version), ("kind", kind.name.kind)):
        if value.get(name) != wanted:
            given = value.get(name)
            wrong = f"must be '{wanted}'" + (f", not '{given}'" if isinstance(given, str) else "")
            span = span_at(document, (*path, name))
            message = f"'{name}' {wrong}, as in all instances of this definition"
            yield from _diagnostic(invalid_instance.RULE, settings, span, message) if refused else ()
            return
    admission = admit(value, schema, rule_errors)
    for unknown in admission.unknown_fields:
        yield from _unknown_field(document, path, unknown, schema, settings)
    errors = (*admission.errors, *metadata_errors(admission.defaulted, namespaced=kind.namespaced)) if refused else ()
    for error in errors:
        if not error.is_about_others:
            span = span_at(document, (*path, *error.path), in_key=error.in_key)
            yield from _diagnostic(invalid_instance.RULE, settings, span, plain(error), error.text)


def check_file(
    document: YamlDocument,
    value_by: Callable[[YamlDocument, JsonObject], JsonValue],
    schema: JsonObject,
    settings: Settings,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a file of ours; `value_by` gives a document's value by its schema."""
    from kro_ls.openapi.validation.json_schema import schema_problems

    for fault in document.errors:
        yield from _diagnostic(invalid_file.RULE, settings, Span(fault.start, fault.end), fault.message)
    try:
        value = value_by(document, schema)
    except (ExcessiveAliasingError, RecursionError):
        return
    if value is not None and not document.errors:
        for problem in schema_problems(value, schema):
            yield from file_problem(document, problem, settings)


def file_problem(document: YamlDocument, problem: SchemaProblem, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostic about a fault in a file of ours, if the settings want it."""
    span = span_at(document, problem.path, in_key=problem.in_key)
    fixes = (change_to(span, problem.meant),) if problem.meant else ()
    yield from _diagnostic(invalid_file.RULE, settings, span, problem.message, fixes=fixes)


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
    yield from _diagnostic(unknown_instance_field.RULE, settings, span, message, kro_message, fixes)


def _diagnostic(
    rule: Rule,
    settings: Settings,
    span: Span,
    message: str,
    kro_message: str | None = None,
    fixes: tuple[Fix, ...] = (),
) -> Iterator[Diagnostic]:
    severity = dict(settings.severities).get(rule.code, rule.severity)
    if severity is not None:
        yield Diagnostic(rule.code, severity, span, message, fixes=fixes, kro_message=kro_message)


def span_at(document: YamlDocument, path: Path, *, in_key: bool = False) -> Span:
    """Return where the value at a path is written, or its key; else the key of the nearest thing above it.

    Of a block it is the key, too: what is wrong with an object or a list concerns it as a whole.
    """
    found = document.child(path)
    while found is None and path:
        path, in_key = path[:-1], True
        found = document.child(path)
    if found is None:
        return Span(document.start, document.start)
    if not path:
        return _first_key(document, found.span)
    is_block = isinstance(found.node, Mapping | Sequence) and not found.node.flow
    return found.key_span if (in_key or is_block) and found.key_span else found.span


def _first_key(document: YamlDocument, whole: Span) -> Span:
    """Return the `kind` of an object, which is marked where something of it as a whole is wrong."""
    kind = document.child(("kind",))
    return kind.span if kind else Span(whole.start, whole.start + 1)
