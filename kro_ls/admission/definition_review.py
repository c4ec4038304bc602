"""Reviews a definition that is applied, and its change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.admission.admission_review import judged
from kro_ls.analysis.crd.compatibility import CompatibilityError
from kro_ls.openapi.json_values import as_object
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.files.breaking_change import RULE as BREAKING_CHANGE
from kro_ls.rules.files.definitions_together import TAKEN_KIND
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.kinds.missing_kinds import UNKNOWN_KIND
from kro_ls.rules.refusals import refused_text
from kro_ls.workspace.evolution import ALLOWING, declared_in, evolutions, field_of, place_of_change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.admission.admission_review import Message, Verdict
    from kro_ls.admission.known_definitions import KnownDefinitions
    from kro_ls.admission.object_text import ObjectText
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.check import CheckedDocument
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Evolution

_ACTIVE = "Active"


def review_definition(
    written: ObjectText, checked: CheckedDocument, old: Document | None, status: JsonObject, known: KnownDefinitions
) -> Verdict:
    """Return the verdict on a checked definition; `old` is the one that it replaces, with its status."""
    diagnostics = checked.found.diagnostics
    refused = tuple(each for each in diagnostics if each.severity is Severity.ERROR)
    errors = [written.message(each) for each in refused]
    warned = (each for each in diagnostics if each.severity is Severity.WARNING)
    warnings = [written.message(each) for each in warned if each.code != UNKNOWN_KIND.code or not known.are_all]
    document = checked.document
    if known.are_all:
        missing = (each for each in diagnostics if each.code == UNKNOWN_KIND.code and each not in refused)
        warnings += (_missing_kind(written, each) for each in missing)
    warnings += _taken_kinds(written, document, known)
    if old is not None and not errors:
        # If kro refused the previous definition, the kind is still that of an older one.
        is_active = status.get("state") == _ACTIVE
        for evolution in _changes(old, document):
            (errors if is_active else warnings).extend(_breaking(written, evolution, document.settings))
            warnings += _later(written, evolution)
    return judged(_heading(refused), errors, warnings)


def _missing_kind(written: ObjectText, found: Diagnostic) -> Message:
    """Return kro's message about a kind that the cluster does not have yet, but may get soon."""
    text = f"the cluster does not have this kind yet: {found.kro_message}"
    return written.message_at(found.span.start, text, found.code)


def _heading(refused: tuple[Diagnostic, ...]) -> str:
    if refused:
        return refused_text(refused)
    return f'kro would not apply this change; the annotation {ALLOWING}: "true" makes it'


def _changes(old: Document, new: Document) -> list[Evolution]:
    try:
        return list(evolutions(declared_in("", old.analysis), declared_in("", new.analysis), {}))
    except CompatibilityError:  # a schema that is too deep to be compared
        return []


def _breaking(written: ObjectText, evolution: Evolution, settings: Settings) -> Iterator[Message]:
    """Yield the changes of the schema that kro does not apply to the kind, in its words."""
    if evolution.new is None or not evolution.is_breaking or settings.severity_of(BREAKING_CHANGE) is None:
        return
    for change in evolution.report.breaking:
        span = place_of_change(evolution.new.rgd, change)
        field = field_of(change)
        about = f" ({field})" if field else ""
        start = span.start if span else evolution.new.rgd.rgd.document.start
        yield written.message_at(start, f"breaking changes detected: {change.description}{about}", BREAKING_CHANGE.code)


def _later(written: ObjectText, evolution: Evolution) -> Iterator[Message]:
    """Yield changes that affect objects of existing instances."""
    findings = [(each.offset, each.message) for each in evolution.frozen]
    findings += ((each.offset, each.message) for each in evolution.pruned)
    for offset, message in findings:
        yield written.message_at(offset, message)


def _taken_kinds(written: ObjectText, document: Document, known: KnownDefinitions) -> Iterator[Message]:
    """Yield which kinds another definition of the cluster has."""
    name = as_object(written.value.get("metadata")).get("name")
    for rgd in document.analysis.rgds if document.settings.severity_of(TAKEN_KIND) else ():
        section = rgd.section
        kind = section.kind if section else None
        owners = known.owners(section.group, kind) if section and kind else ()
        owner = next((each for each in owners if each != name), None)
        if owner is not None:
            text = f"'{owner}' declares this kind, too; kro gives it to one and refuses the other"
            yield written.message_at(span_at(rgd.rgd.document, ("spec", "schema", "kind")).start, text, TAKEN_KIND.code)
