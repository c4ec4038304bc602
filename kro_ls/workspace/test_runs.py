"""Runs the tests of a test file for its author, against the definition as it is in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.cel.evaluation.errors import BudgetError
from kro_ls.openapi.validation.json_schema import SchemaProblem
from kro_ls.rules.files import failing_test
from kro_ls.rules.tested import written_test
from kro_ls.runtime.testcases import read_test_file
from kro_ls.runtime.testrun import UnusableTestError, run_test
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.budget import PreviewBudget
    from kro_ls.runtime.testcases import TestCase
    from kro_ls.runtime.testrun import TestOutcome
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.tested import FilesOfTests
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

_STEPS_OF_A_NODE: Final = 4000
"""What running a test takes for each node beside the steps of its expressions: comparing, and the passes."""

_MOST_KNOWN: Final = 500


class TestRuns:
    """What became of the tests of one file. A test is run again where it, its instances or the definition differ."""

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(self) -> None:
        self._rgd: RgdAnalysis | None = None
        self._known: dict[str, TestOutcome | None] = {}

    def outcome(
        self, rgd: RgdAnalysis, test: TestCase, instances: list[JsonObject], budget: PreviewBudget | None = None
    ) -> TestOutcome | None:
        """Return what becomes of a test, without its simulation; None for one that cannot be run.

        Raises BudgetError where that takes more than the budget, and PreviewCancelledError.
        """
        if rgd is not self._rgd:
            self._rgd, self._known = rgd, {}
        key = repr((test, instances))  # unlike an equal value, this tells 1 from true
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:  # each key that is typed in a test makes another test of it
                self._known.clear()
            self._known[key] = _run(rgd, test, instances, budget)
        return self._known[key]

    def failures(
        self, text: Text, files: FilesOfTests, rgd: RgdAnalysis, budget: PreviewBudget
    ) -> dict[str, tuple[SchemaProblem, ...]]:
        """Return the expectations that are not met in the first document of a file, by the texts of their tests.

        The paths are those in the test. What the budget does not suffice for is left out. Raises PreviewCancelledError.
        """
        found: dict[str, tuple[SchemaProblem, ...]] = {}
        part = parse_stream(text).document_at(0)
        for test, _ in runnable_tests(part):
            instances = instances_of(rgd, test, files)
            try:
                outcome = self.outcome(rgd, test, instances, budget) if instances else None
            except BudgetError:
                break
            if outcome and outcome.problems:
                length = len(test.path)
                problems = (SchemaProblem(each.path[length:], each.message, each.in_key) for each in outcome.problems)
                found[written_test(part, test.path)] = tuple(problems)
        return found


def failures(
    document: Document, files: FilesOfTests, runs: TestRuns, budget: PreviewBudget
) -> Callable[[RgdAnalysis], Mapping[str, tuple[SchemaProblem, ...]]] | None:
    """Return what finds out which expectations of a test file a definition does not meet, None where nobody asks."""
    rule = failing_test.RULE
    if dict(document.settings.severities).get(rule.code, rule.severity) is None:
        return None
    return lambda rgd: runs.failures(document.text, files, rgd, budget)


def runnable_tests(part: YamlDocument) -> Iterator[tuple[TestCase, Span]]:
    """Yield the tests of a document, each with its place; none of one in which anything is wrong."""
    try:
        tests = () if part.errors else read_test_file(part.to_python()).tests
    except ExcessiveAliasingError:
        return
    for test in tests:
        located = part.child(test.path)
        if located:
            yield test, located.span


def instances_of(rgd: RgdAnalysis, test: TestCase, files: FilesOfTests) -> list[JsonObject]:
    """Return the instance of a test and what it is edited to; nothing where one of them cannot be read."""
    given = (test.instance, test.then) if test.then is not None else (test.instance,)
    found = [
        sample_instance(rgd) if each is None else files.instance(each) if isinstance(each, str) else each
        for each in given
    ]
    return [each for each in found if each is not None] if None not in found else []


def _run(
    rgd: RgdAnalysis, test: TestCase, instances: list[JsonObject], budget: PreviewBudget | None
) -> TestOutcome | None:
    if budget:
        budget.spend(_STEPS_OF_A_NODE * len(rgd.resources))
    try:
        outcome = run_test(rgd, test, instances, budget)
    except UnusableTestError:
        return None
    if budget:
        budget.spend(0)  # an outcome for which it did not suffice tells nothing of the definition
    return replace(outcome, simulation=None)
