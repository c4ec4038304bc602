"""What is wrong with what somebody writes that a cluster says of an object: fields and types that its kind has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Diagnostic
from kro_ls.rules.files import invalid_file
from kro_ls.rules.fixes import change_to
from kro_ls.rules.instances import span_at
from kro_ls.spelling import closest
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.errors import Path
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.document import YamlDocument

_RULE = invalid_file.RULE


def check_observed(document: YamlDocument, schema: JsonObject, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostics about an object by the schema of what a cluster can say of it, in document offsets."""
    severity = dict(settings.severities).get(_RULE.code, _RULE.severity)
    if severity is None:
        return
    for fault in document.errors:
        yield Diagnostic(_RULE.code, severity, Span(fault.start, fault.end), fault.message)
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
        yield Diagnostic(_RULE.code, severity, span, f"unknown field '{path[-1]}'{advice}", (), fixes)
    for error in found.errors:
        yield Diagnostic(_RULE.code, severity, span_at(document, error.path, in_key=error.in_key), plain(error))


def _known_fields(schema: JsonObject, path: Path) -> tuple[str, ...]:
    owner = Schema(schema).field(path)
    return tuple(as_object(owner.raw.get("properties"))) if owner else ()
