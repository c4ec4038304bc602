"""Offers the fixes of a diagnostic that work: applies each that its rule names, and compares the errors."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cursor.parts import rgd_at
from kro_ls.queries.cells import cached
from kro_ls.repairs.declarations import declared_field
from kro_ls.repairs.ids import added_id, renamed_id
from kro_ls.repairs.intended_names import inlined_reference, undeclared_name, undefined_field, unknown_call
from kro_ls.repairs.lines import glued_keys, lines_of_empty_field, mended_lines, moved_lines
from kro_ls.repairs.literals import closed_text, standalone, version_form, wrong_default, wrong_value
from kro_ls.repairs.objects import added_template, completed_object, known_kind, removed_field, removed_repetition
from kro_ls.repairs.place import Place
from kro_ls.repairs.syntax import closed_expression, mended_syntax
from kro_ls.repairs.types import condition, mismatch, no_overload, type_error
from kro_ls.rules.diagnostics import Fix, Severity
from kro_ls.rules.findings import find_in_section
from kro_ls.rules.registry import RULE_OF
from kro_ls.rules.rule import Repair
from kro_ls.steps import result_of
from kro_ls.workspace.documents import Edit
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, edited, with_line_endings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.steps import Steps
    from kro_ls.workspace.documents import Document


_MOST_OFFERED: Final = 4
_MOST_TRIED: Final = 24
_MOST_TRIED_WITH_ONE: Final = 6
_MOST_SECOND: Final = 6
_MOST_KEPT: Final = 64


class _Outcome(Struct, frozen=True):
    """A document after a fix, and the errors that are new in it."""

    document: Document
    is_gone: bool
    new: tuple[Diagnostic, ...]


def fixes(document: Document, diagnostic: Diagnostic) -> tuple[Fix, ...]:
    """Return the fixes of a diagnostic, the best first; they are computed once for a version of a document.

    A fix that removes the error precedes one that replaces it by another; one that leaves it is not offered. If one
    change is not enough, two are tried.
    """
    return result_of(fixes_in_steps(document, diagnostic))


def fixes_in_steps(document: Document, diagnostic: Diagnostic) -> Steps[tuple[Fix, ...]]:
    """Return what `fixes` returns, and yield before trying each fix, so that other work can run."""
    found = _found_fixes(document)
    if diagnostic not in found:
        found[diagnostic] = yield from _fixes(document, diagnostic)
    return found[diagnostic]


@cached
def _found_fixes(_document: Document) -> dict[Diagnostic, tuple[Fix, ...]]:
    """Return the fixes found so far for the diagnostics of a version."""
    return {}


@cached
def _tried_documents(_document: Document) -> dict[tuple[Replacement, ...], Document]:
    """Return the documents after the replacements tried so far on a version."""
    return {}


def _fixes(document: Document, diagnostic: Diagnostic) -> Steps[tuple[Fix, ...]]:
    if diagnostic not in document.diagnosis.diagnostics:
        return diagnostic.fixes  # of a CRD
    if diagnostic.severity is not Severity.ERROR and not diagnostic.is_doubtful:
        proved = []
        for fix in candidates(Place(document, diagnostic)):
            yield
            if mends(document, diagnostic, fix):
                proved.append(fix)
        return tuple(_distinct(document, chain(proved, diagnostic.fixes)))
    repairs = candidates(Place(document, diagnostic))
    comes_first = RULE_OF[diagnostic.code].prefers_repairs
    offered = _distinct(document, chain(repairs, diagnostic.fixes) if comes_first else chain(diagnostic.fixes, repairs))
    mending: list[tuple[Fix, int]] = []
    others: list[tuple[Fix, _Outcome]] = []
    for number, fix in enumerate(islice(offered, _MOST_TRIED)):
        if mending and number >= _MOST_TRIED_WITH_ONE:
            break
        yield
        outcome = _outcome(document, diagnostic, fix)
        if outcome.is_gone and not outcome.new:
            mending.append((fix, len(_faults(outcome.document))))
        elif outcome.is_gone:
            others.append((fix, outcome))
        if len(mending) == _MOST_OFFERED:
            break
    moving = [left for fix, left in mending if _moves_lines(document, fix)]
    if moving:  # the indentation is wrong: smaller fixes only treat what follows from that
        return tuple(fix for fix, left in mending if left <= min(moving))
    found = [fix for fix, _ in mending]
    of_rule = [each for each in others if each[0] in diagnostic.fixes]
    if not found or (of_rule and found[0] not in diagnostic.fixes):
        both = yield from _two_changes(document, diagnostic, of_rule if found else others)
        found = [*both, *found]
    return (*found, *(fix for fix, _ in of_rule))[:_MOST_OFFERED]


def _moves_lines(document: Document, fix: Fix) -> bool:
    """Whether a fix changes only the indentation of lines."""
    content = document.text.content
    return all(
        not each.text.strip() and not content[content.rfind("\n", 0, each.span.start) + 1 : each.span.end].strip()
        for each in fix.replacements
    )


def mends(document: Document, diagnostic: Diagnostic, fix: Fix) -> bool:
    """Whether a fix removes the error and adds none."""
    outcome = _outcome(document, diagnostic, fix)
    return outcome.is_gone and not outcome.new


def _two_changes(
    document: Document, diagnostic: Diagnostic, others: list[tuple[Fix, _Outcome]]
) -> Steps[tuple[Fix, ...]]:
    """Return a fix whose second change removes the error that the first one adds, if there is one."""
    for first, outcome in others[:_MOST_SECOND]:
        if len(outcome.new) > 1:
            continue
        place = Place(outcome.document, outcome.new[0])
        for second in islice(chain(outcome.new[0].fixes, candidates(place)), _MOST_SECOND):
            text = edited(outcome.document.text.content, second.replacements)
            both = Fix(f"{first.title}, {second.title[0].lower()}{second.title[1:]}", (change_to(document, text),))
            yield
            if mends(document, diagnostic, both):
                return (both,)
    return ()


def _distinct(document: Document, found: Iterable[Fix]) -> Iterator[Fix]:
    """Yield the fixes without those that give the same text as a previous one."""
    seen: set[Replacement] = set()
    for fix in found:
        change = change_to(document, edited(document.text.content, fix.replacements))
        if change not in seen:
            seen.add(change)
            yield fix


def brings_no_error(document: Document, replacements: tuple[Replacement, ...]) -> bool:
    """Whether replacements add no error."""
    return next(_new_errors(document, document_after(document, replacements)), None) is None


def _outcome(document: Document, diagnostic: Diagnostic, fix: Fix) -> _Outcome:
    after = _tried(document, fix.replacements)
    if _is_left_in_schema(after, diagnostic) and len(_same(document, diagnostic)) == 1:
        return _Outcome(after, is_gone=False, new=())
    new = tuple(_new_errors(document, after, diagnostic))
    return _Outcome(after, len(_same(after, diagnostic)) < len(_same(document, diagnostic)), new)


def _tried(document: Document, replacements: tuple[Replacement, ...]) -> Document:
    """Return the document after replacements: the same one each time for the first `_MOST_KEPT` of a version.

    Diagnostics at one place share fixes: in a broken text, half of the attempts are those of another diagnostic.
    """
    tried = _tried_documents(document)
    after = tried.get(replacements) or document_after(document, replacements)
    if len(tried) < _MOST_KEPT:
        tried[replacements] = after
    return after


def _is_left_in_schema(after: Document, diagnostic: Diagnostic) -> bool:
    """Whether the schema has the error after a fix; nothing that reads the schema is checked."""
    rgd = rgd_at(after.analysis, diagnostic.span.start)
    schema = rgd.rgd.schema if rgd else None
    if rgd is None or schema is None or not schema.placed.start <= diagnostic.span.start <= schema.placed.end:
        return False
    for code, finding in find_in_section(rgd.reader, schema.section):
        is_there = schema.placed.document_span(finding.span).start == diagnostic.span.start
        if code == diagnostic.code and (
            is_there or (finding.message, finding.kro_message) == (diagnostic.message, diagnostic.kro_message)
        ):
            return True
    return False


def document_after(document: Document, replacements: tuple[Replacement, ...]) -> Document:
    """Return the document after replacements; unaffected results are reused."""
    start = min(each.span.start for each in replacements)
    end = max(each.span.end for each in replacements)
    content = document.text.content
    inside = (Replacement(each.span.shift(-start), with_line_endings_of(content, each.text)) for each in replacements)
    text = edited(content[start:end], inside)
    first, last = (document.text.encoded_position(at, document.encoding) for at in (start, end))
    return document.edited(None, (Edit(text, (first.line, first.column), (last.line, last.column)),))


def _new_errors(before: Document, after: Document, mended: Diagnostic | None = None) -> Iterator[Diagnostic]:
    """Yield the errors that were not there before the last edit, not even hidden by broken YAML.

    An error at the place of a previous one with the same code is not new, even if its advice differs, except at the
    place of the one that was to be `mended`.
    """
    hidden = [each for each in before.diagnosis.hidden if each.severity is Severity.ERROR]
    left = Counter(map(_identity, chain(_faults(before), hidden)))
    change = after.change
    moved = change.length - (change.end - change.start)
    previous = {
        (each.code, each.span.start + (moved if each.span.start >= change.end else 0))
        for each in _faults(before)
        if each != mended
    }
    for error in _faults(after):
        left[_identity(error)] -= 1
        if left[_identity(error)] < 0 and (error.code, error.span.start) not in previous:
            yield error


def _same(document: Document, diagnostic: Diagnostic) -> list[Diagnostic]:
    return [each for each in document.diagnosis.diagnostics if _identity(each) == _identity(diagnostic)]


def _identity(diagnostic: Diagnostic) -> tuple[str, str, str | None]:
    return diagnostic.code, diagnostic.message, diagnostic.kro_message


def errors(document: Document) -> list[Diagnostic]:
    """Return the errors for which kro refuses a document."""
    return [each for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR]


def _faults(document: Document) -> list[Diagnostic]:
    """Return the errors, and what would be one if the cluster has the kinds as kro-ls knows them."""
    return [each for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR or each.is_doubtful]


def change_to(document: Document, text: str) -> Replacement:
    """Return the one replacement that makes a document a text."""
    before = document.text.content
    start = _common(before, text)
    same = min(_common(before[::-1], text[::-1]), min(len(before), len(text)) - start)
    return Replacement(Span(start, len(before) - same), text[start : len(text) - same])


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts; fast for long ones."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one.startswith(other[least:middle], least):
            least = middle
        else:
            most = middle - 1
    return least


_MAKERS: Final[dict[Repair, Callable[[Place], Iterator[Fix]]]] = {
    Repair.ADDED_ID: added_id,
    Repair.ADDED_TEMPLATE: added_template,
    Repair.CLOSED_EXPRESSION: closed_expression,
    Repair.CLOSED_TEXT: closed_text,
    Repair.COMPLETED_OBJECT: completed_object,
    Repair.CONDITION: condition,
    Repair.DECLARED_FIELD: declared_field,
    Repair.GLUED_KEYS: glued_keys,
    Repair.INLINED_REFERENCE: inlined_reference,
    Repair.KNOWN_KIND: known_kind,
    Repair.LINES_OF_EMPTY_FIELD: lines_of_empty_field,
    Repair.MENDED_LINES: mended_lines,
    Repair.MENDED_SYNTAX: mended_syntax,
    Repair.MISMATCH: mismatch,
    Repair.MOVED_LINES: moved_lines,
    Repair.NO_OVERLOAD: no_overload,
    Repair.REMOVED_FIELD: removed_field,
    Repair.REMOVED_REPETITION: removed_repetition,
    Repair.RENAMED_ID: renamed_id,
    Repair.STANDALONE: standalone,
    Repair.TYPE_ERROR: type_error,
    Repair.UNDECLARED_NAME: undeclared_name,
    Repair.UNDEFINED_FIELD: undefined_field,
    Repair.UNKNOWN_CALL: unknown_call,
    Repair.VERSION_FORM: version_form,
    Repair.WRONG_DEFAULT: wrong_default,
    Repair.WRONG_VALUE: wrong_value,
}


def candidates(place: Place) -> Iterator[Fix]:
    """Yield the fixes that may mend a diagnostic, the likeliest first; each is computed on demand."""
    for repair in RULE_OF[place.diagnostic.code].repairs:
        yield from _MAKERS[repair](place)
