"""Actions that update a failing test: its expectations become what a run finds, all of them or one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from kro_ls.features.convert import to_offset, to_range
from kro_ls.render.changed_values import flow_text, with_value
from kro_ls.repairs.proof import change_to
from kro_ls.runtime.testing.testrun import updated_at
from kro_ls.shortening import shortened
from kro_ls.workspace.test_runs import runnable_tests
from kro_ls.workspace.tested import rgd_under_test
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.testing.testrun import TestCase, TestOutcome
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files_of_tests import FilesOfTests
    from kro_ls.workspace.test_runs import TestRuns
    from kro_ls.yaml_positions.documents.document import YamlDocument

UPDATE_TEST: Final = "quickfix.updateTest"
"""The kind of the action for a whole test, by which editors find it."""

_LONGEST_VALUE: Final = 40
_MISSING: Final = object()


def test_updates(
    document: Document,
    selected: types.Range,
    files: FilesOfTests,
    runs: TestRuns,
) -> list[types.CodeAction]:
    """Return the actions for the tests that a range touches: for the expectations in it that are not met, then for all.

    `runs` has the results of these tests; an editor asks whenever the cursor moves.
    """
    touched = Span(to_offset(document, selected.start), to_offset(document, selected.end))
    tests = [
        (number, part, test)
        for number, part in enumerate(parse_stream(document.text).documents)
        if _touch(Span(part.start, part.end), touched)
        for test, span in runnable_tests(part)
        if _touch(span, touched)
    ]
    actions: list[types.CodeAction] = []
    for number, part, test in tests:
        rgd = rgd_under_test(part, files)
        outcome = runs.outcome(number, rgd, test, files) if rgd else None
        if outcome:
            actions += _Updates(document, number, part, test).of(outcome, touched)
    return actions


test_updates.__test__ = False  # type: ignore[attr-defined] # pytest takes it for a test otherwise


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


class _Updates:
    """The actions for one test of a document."""

    def __init__(self, document: Document, number: int, part: YamlDocument, test: TestCase) -> None:
        self._document = document
        self._number = number
        self._part = part
        self._test = test

    def of(self, outcome: TestOutcome, selected: Span) -> Iterator[types.CodeAction]:
        """Yield the actions for the outcome of the test, the narrower ones first."""
        if outcome.updated == self._test.expect:
            return
        for problem in outcome.problems:
            located = self._part.child(problem.path)
            if located is None:
                continue
            place = Span((located.key_span or located.span).start, located.span.end)
            if _touch(place, selected):
                updated = updated_at(self._test, outcome, problem)
                title = _title(_at(updated, problem.path[len(self._test.path) + 1 :]))
                yield from self._action(title, types.CodeActionKind.QuickFix, updated)
        yield from self._action("Update this test to what it does now", UPDATE_TEST, outcome.updated)

    def _action(self, title: str, kind: str, expect: JsonObject) -> Iterator[types.CodeAction]:
        text = with_value(self._document.text.content, self._number, (*self._test.path, "expect"), expect)
        if text is None or text == self._document.text.content:
            return
        change = change_to(self._document, text)
        edit = types.TextEdit(to_range(self._document, change.span), change.text)
        yield types.CodeAction(title=title, kind=kind, edit=types.WorkspaceEdit(changes={self._document.uri: [edit]}))


def _at(value: JsonValue, path: tuple[str | int, ...]) -> object:
    """Return the value at a path, `_MISSING` where there is none."""
    found: Any = value
    try:
        for step in path:
            found = found[step]
    except (LookupError, TypeError):
        return _MISSING
    return found


def _title(value: object) -> str:
    if value is _MISSING:
        return "Expect this no longer"
    return f"Update the expected value to {shortened(flow_text(value), _LONGEST_VALUE)}"
