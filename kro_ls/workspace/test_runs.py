"""Runs the tests of a test file against the definition as it is in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.cel.evaluation.costs import BudgetError
from kro_ls.rules.files import failing_test
from kro_ls.rules.files.failing_test import FailedExpectation, written_test
from kro_ls.runtime.cluster.scenario import InputProblem
from kro_ls.runtime.testing.testrun import UnusableTestError, read_test_file, run_test
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.workspace.test_snapshots import snapshot_text
from kro_ls.yaml_positions.errors import ExcessiveAliasingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.runtime.testing.testrun import TestCase, TestOutcome
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files_of_tests import FilesOfTests
    from kro_ls.workspace.test_snapshots import SnapshotFile
    from kro_ls.workspace.tested import Failures
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.positions import Span

_STEPS_OF_A_NODE: Final = 4000
"""The cost of a test for each node, besides the steps of its expressions: comparisons and passes."""

_MOST_KNOWN: Final = 500


class TestRuns:
    """Outcomes of the tests of one file. A test is run again if it, its instances or the definition changed."""

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(self) -> None:
        self._known: dict[int, tuple[RgdAnalysis, dict[str, TestOutcome | None]]] = {}
        """The definition and the outcomes of the tests of each YAML document, by its number."""

    def outcome(
        self,
        number: int,
        rgd: RgdAnalysis,
        test: TestCase,
        files: FilesOfTests,
        budget: PreviewBudget | None = None,
    ) -> TestOutcome | None:
        """Return the outcome of a test in a YAML document, without its simulation; None if it cannot be run.

        Raises BudgetError if that takes more than the budget, and PreviewCancelledError.
        """
        if number not in self._known or self._known[number][0] is not rgd:
            self._known[number] = rgd, {}
        known = self._known[number][1]
        instances = _instances(rgd, test, files)
        if not instances:
            return None
        named = test.expect.get("snapshot")
        snapshot = files.snapshot(str(named)) if named is not None else None
        key = repr((test, instances, snapshot))  # unlike an equal value, this tells 1 from true
        if key not in known:
            if len(known) >= _MOST_KNOWN:  # each key that the user types in a test changes it
                known.clear()
            known[key] = _run(rgd, test, instances, snapshot, budget)
        return known[key]

    def failures(
        self, number: int, part: YamlDocument, rgd: RgdAnalysis, files: FilesOfTests, budget: PreviewBudget
    ) -> dict[str, tuple[FailedExpectation, ...]]:
        """Return the failed expectations in a YAML document of a file, by the texts of their tests.

        The paths are relative to the test. Tests beyond the budget are left out. Raises PreviewCancelledError.
        """
        found: dict[str, tuple[FailedExpectation, ...]] = {}
        for test, _ in runnable_tests(part):
            try:
                outcome = self.outcome(number, rgd, test, files, budget)
            except BudgetError:
                break
            if outcome and outcome.problems:
                length = len(test.path)
                found[written_test(part, test.path)] = tuple(
                    FailedExpectation(each.path[length:], each.message, each.in_key, each.kro_message)
                    for each in outcome.problems
                )
        return found


def failures(document: Document, files: FilesOfTests, runs: TestRuns, budget: PreviewBudget) -> Failures | None:
    """Return a function for the failed expectations of a test file, None if their rule is off."""
    if document.settings.severity_of(failing_test.RULE) is None:
        return None
    return lambda number, part, rgd: runs.failures(number, part, rgd, files, budget)


def runnable_tests(part: YamlDocument) -> Iterator[tuple[TestCase, Span]]:
    """Yield the tests of a document with their places; none if the document has errors."""
    try:
        tests = () if part.errors else read_test_file(part.to_python()).tests
    except ExcessiveAliasingError:
        return
    for test in tests:
        located = part.child(test.path)
        if located:
            yield test, located.span


def _instances(rgd: RgdAnalysis, test: TestCase, files: FilesOfTests) -> list[JsonObject]:
    """Return the instance of a test, and the edited one if there is one; nothing if either cannot be read."""
    given = (test.instance, test.then) if test.then is not None else (test.instance,)
    found = [
        sample_instance(rgd) if each is None else files.instance(each) if isinstance(each, str) else each
        for each in given
    ]
    return [each for each in found if each is not None] if None not in found else []


def _run(
    rgd: RgdAnalysis,
    test: TestCase,
    instances: list[JsonObject],
    snapshot: SnapshotFile | None,
    budget: PreviewBudget | None,
) -> TestOutcome | None:
    if budget:
        budget.spend(_STEPS_OF_A_NODE * len(rgd.resources))
    try:
        outcome = run_test(rgd, test, instances, budget)
    except UnusableTestError:
        return None
    if budget:
        budget.spend(0)  # an outcome beyond the budget says nothing about the definition
    problems = outcome.problems
    if snapshot and outcome.simulation:
        mismatch = snapshot.mismatch(snapshot_text(rgd, outcome.simulation))
        found = InputProblem((*test.path, "expect", "snapshot"), mismatch)
        problems = (*problems, found) if mismatch else problems
    return replace(outcome, problems=problems, simulation=None)
