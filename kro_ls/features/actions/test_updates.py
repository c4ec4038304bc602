"""Actions that update a test which fails: what it expects becomes what a run finds, all of it or one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from kro_ls.features.convert import to_offset, to_range
from kro_ls.render.changed_values import with_value
from kro_ls.render.written_nodes import flow_text
from kro_ls.repairs.proof import change_to
from kro_ls.runtime.testcases import read_test_file
from kro_ls.runtime.testrun import UnusableTestError, run_test, updated_at
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.shortening import shortened
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.tested import rgd_under_test
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.testcases import TestCase
    from kro_ls.runtime.testrun import TestOutcome
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.document import YamlDocument

UPDATE_TEST: Final = "quickfix.updateTest"
"""The kind of the action for a whole test, by which editors find it."""

_LONGEST_VALUE: Final = 40
_MISSING: Final = object()


def test_updates(
    document: Document,
    selected: types.Range,
    path: str,
    at: Callable[[str], Document | None],
    refusal: Callable[[str, str], str],
) -> list[types.CodeAction]:
    """Return the actions for the tests that a range touches: for the expectations in it that are not met, then for all.

    `path` is that of the test file; `at` and `refusal` are those of `workspace.tested.definition_under_test`.
    """
    touched = Span(to_offset(document, selected.start), to_offset(document, selected.end))
    tests = [
        (number, part, test)
        for number, part in enumerate(parse_stream(document.text).documents)
        if _touch(Span(part.start, part.end), touched)
        for test, span in _tests(part)
        if _touch(span, touched)
    ]
    rgd = rgd_under_test(document.text, path, at, refusal) if tests else None
    if rgd is None:
        return []
    actions: list[types.CodeAction] = []
    for number, part, test in tests:
        instances = list(_instances(rgd, test, path, at, refusal))
        found = [each for each in instances if each is not None]
        if len(found) == len(instances):
            actions += _Updates(document, number, part, test).of(rgd, found, touched)
    return actions


test_updates.__test__ = False  # type: ignore[attr-defined] # pytest takes it for a test otherwise


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _tests(part: YamlDocument) -> Iterator[tuple[TestCase, Span]]:
    """Yield the tests of a document, each with its place; none of one in which anything is wrong."""
    try:
        tests = () if part.errors else read_test_file(part.to_python()).tests
    except ExcessiveAliasingError:
        return
    for test in tests:
        located = part.child(test.path)
        if located:
            yield test, located.span


def _instances(
    rgd: RgdAnalysis,
    test: TestCase,
    path: str,
    at: Callable[[str], Document | None],
    refusal: Callable[[str, str], str],
) -> Iterator[JsonObject | None]:
    """Yield the instance of a test and what it is edited to, None for one that cannot be read."""
    if test.instance is None:
        yield sample_instance(rgd)
    for given in (test.instance, test.then):
        if isinstance(given, str):
            yield _instance_in(given, path, at, refusal)
        elif given is not None:
            yield given


def _instance_in(
    name: str, path: str, at: Callable[[str], Document | None], refusal: Callable[[str, str], str]
) -> JsonObject | None:
    """Return the instance in a file that a test names, if it is the only document there."""
    import os

    folder = os.path.dirname(path)
    try:
        file = None if refusal(folder, name) else at(os.path.normpath(os.path.join(folder, name)))
    except UnreadableFileError:
        return None
    parts = [each for each in parse_stream(file.text).documents if each.root is not None] if file else []
    try:
        value = parts[0].to_python() if len(parts) == 1 and not parts[0].errors else None
    except ExcessiveAliasingError:
        return None
    return value if isinstance(value, dict) else None


class _Updates:
    """The actions for one test of a document."""

    def __init__(self, document: Document, number: int, part: YamlDocument, test: TestCase) -> None:
        self._document = document
        self._number = number
        self._part = part
        self._test = test

    def of(self, rgd: RgdAnalysis, instances: list[JsonObject], selected: Span) -> Iterator[types.CodeAction]:
        """Yield the actions, the narrower ones first."""
        try:
            outcome = self._outcome(rgd, instances)
        except UnusableTestError:
            return
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

    def _outcome(self, rgd: RgdAnalysis, instances: list[JsonObject]) -> TestOutcome:
        """Return what becomes of the test; an editor asks for the same with every move of the cursor."""
        known = self._document.__dict__.setdefault("test_outcomes", {})
        key = (self._number, self._test.path)
        before = known.get(key)
        if before is None or before[0] is not rgd or before[1] != instances:
            before = known[key] = rgd, instances, run_test(rgd, self._test, instances)
        outcome: TestOutcome = before[2]
        return outcome

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
