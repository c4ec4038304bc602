"""Checks the files of kro-ls itself: settings and tests by a JSON Schema, and objects with an edited status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.files.reported_places import reported, span_at
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.spelling import closest
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.openapi.validation.json_schema import SchemaProblem
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument


def check_file(
    document: YamlDocument,
    value_by: Callable[[YamlDocument, JsonObject], JsonValue],
    schema: JsonObject,
    settings: Settings,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about such a file; `value_by` reads a document's value by its schema."""
    from kro_ls.openapi.validation.json_schema import schema_problems

    for fault in document.errors:
        yield from reported(RULE, settings, Span(fault.start, fault.end), fault.message)
    try:
        value = value_by(document, schema)
    except (ExcessiveAliasingError, RecursionError):
        return
    if value is not None and not document.errors:
        for problem in schema_problems(value, schema):
            yield from file_problem(document, problem, settings)


def file_problem(document: YamlDocument, problem: SchemaProblem, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostic about a fault in such a file, unless the settings turn the rule off."""
    span = span_at(document, problem.path, in_key=problem.in_key)
    fixes = (change_to(span, problem.meant),) if problem.meant else ()
    yield from reported(RULE, settings, span, problem.message, fixes=fixes)


def check_observed(document: YamlDocument, schema: JsonObject, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostics about an object as a cluster would return it, by its schema, in document offsets."""
    for fault in document.errors:
        yield from reported(RULE, settings, Span(fault.start, fault.end), fault.message)
    try:
        value = document.to_python()
    except (ExcessiveAliasingError, RecursionError):
        return
    if document.errors or value is None:
        return
    found = faults(value, schema)
    for path in found.unknown_fields:
        known = _known_fields(schema, path[:-1])
        meant = closest(str(path[-1]), known)
        advice = f"; did you mean '{meant}'?" if meant else ""
        span = span_at(document, path, in_key=True)
        fixes = (change_to(span, meant),) if meant else ()
        yield from reported(RULE, settings, span, f"unknown field '{path[-1]}'{advice}", fixes=fixes)
    for error in found.errors:
        yield from reported(RULE, settings, span_at(document, error.path, in_key=error.in_key), plain(error))


def _known_fields(schema: JsonObject, path: Path) -> tuple[str, ...]:
    owner = Schema(schema).field(path)
    return tuple(as_object(owner.raw.get("properties"))) if owner else ()


RULE = Rule(
    code="invalid-file",
    severity=Severity.WARNING,
    summary="A `.kro-ls.yaml`, a test file or an edited status is not as it must be.",
    explanation="""\
`.kro-ls.yaml` holds the settings of a folder, and files that end in `.test.yaml` hold tests. An unknown key, a value of
the wrong type, and a value that is not allowed are marked where they are, and `kro-ls` does not use the file. Node ids
in a test file, and the fields of their objects and of the status, are checked against the definition that the file
names. The editor that *Edit status* opens is checked in the same way, against the kind of the object.""",
)
