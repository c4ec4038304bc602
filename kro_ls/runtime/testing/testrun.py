"""Runs one test of a definition: each simulates a cluster of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import InputProblem, Scenario, read_observed, unknown_node
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.testing.expectations import FoundError, error_mismatches, mismatches
from kro_ls.runtime.testing.updated_expectations import only_at, updated_expect, with_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.instance import InstanceError
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.runtime.testing.testcases import TestCase


class TestOutcome(Struct, frozen=True):
    """What became of a test: the expectations that were not met, none where it passed, with their paths in the file.

    `updated` is what the test must expect to pass, as far as it can; equal to its expectations where nothing can be
    updated. `simulation` is None where the API server refuses an instance: the one with the number `refused`, because
    of the `refusals`.
    """

    __test__ = False  # pytest takes it for a test otherwise

    problems: tuple[InputProblem, ...]
    updated: JsonObject
    simulation: Simulation | None = None
    refused: int = 0
    refusals: tuple[InstanceError, ...] = ()


class UnusableTestError(Exception):
    """A test that cannot be run, because it names nodes that the definition lacks; `problems` says where."""

    def __init__(self, problems: Sequence[InputProblem]) -> None:
        super().__init__("; ".join(each.message for each in problems))
        self.problems = tuple(problems)


def run_test(
    rgd: RgdAnalysis, test: TestCase, instances: Sequence[JsonObject], budget: PreviewBudget | None = None
) -> TestOutcome:
    """Run a test with its instance and what that is edited to. Raises UnusableTestError, and PreviewCancelledError."""
    scenario = _scenario(rgd, test)
    where = (*test.path, "expect")
    admitted: list[JsonObject] = []
    for number, instance in enumerate(instances):
        admission = admit_instance(rgd, instance, old=admitted[-1] if admitted else None)
        if admission.errors:
            texts = [each.text for each in admission.errors]
            found = [FoundError(each.text, each.placed_message) for each in admission.errors]
            problems = tuple(error_mismatches(test.expect.get("errors"), found, (*where, "errors")))
            # Of a test that expects none the instance has to be changed, and not what is expected of it.
            updated = with_errors(test.expect, texts) if test.expect.get("errors") else test.expect
            return TestOutcome(problems, updated, None, number, admission.errors)
        admitted.append(admission.instance)
    first, *then = admitted
    simulation = simulate(rgd, first, Scenario(scenario.observed, scenario.held, tuple(then)), budget)
    problems = tuple(mismatches(test.expect, simulation, where))
    return TestOutcome(problems, updated_expect(test.expect, simulation) if problems else test.expect, simulation)


def updated_at(test: TestCase, outcome: TestOutcome, problem: InputProblem) -> JsonObject:
    """Return the expectations of a test that are updated where one of them was not met, and nowhere else."""
    path = problem.path[len(test.path) + 1 :]
    if path[:1] == ("errors",):  # which text stands for which error only all of them tell
        path = path[:1]
    updated = only_at(test.expect, outcome.updated, path)
    return updated if isinstance(updated, dict) else test.expect


def _scenario(rgd: RgdAnalysis, test: TestCase) -> Scenario:
    nodes = [node.id for node in compile_graph(rgd).nodes]
    observed, problems = read_observed(test.observed, nodes, (*test.path, "observed"))
    unknown = [
        InputProblem((*test.path, "notReady", index), unknown_node(id_, nodes))
        for index, id_ in enumerate(test.not_ready)
        if id_ not in nodes
    ]
    if problems or unknown:
        raise UnusableTestError([*problems, *unknown])
    return Scenario(observed, frozenset(test.not_ready))
