"""Declarative tests of an RGD: read from a test file, and run, each in a simulated cluster of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.validation.json_schema import schema_problems
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import InputProblem, Scenario, read_observed, unknown_node
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.testing.expectations import FoundError, error_mismatches, mismatches
from kro_ls.runtime.testing.testfile_schema import TEST_FILE
from kro_ls.runtime.testing.updated_expectations import only_at, updated_expect, with_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.instance import InstanceError
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.budget import PreviewBudget


class TestCase(Struct, frozen=True):
    """One test. `instance` is an object, the path of a file, or None for one made by the schema.

    So is `then`, which takes its place when nothing changes any more; None where nothing does.
    """

    __test__ = False  # pytest takes it for a test otherwise

    name: str
    path: Path
    instance: JsonObject | str | None
    observed: JsonValue
    not_ready: tuple[str, ...]
    then: JsonObject | str | None
    expect: JsonObject


class TestFile(Struct, frozen=True):
    """A test file: the definition's path, paths of CRDs (both relative to the file), and the tests.

    `feature_gates` are those of kro that are on.
    """

    __test__ = False

    definition: str
    crds: tuple[str, ...]
    feature_gates: tuple[str, ...]
    tests: tuple[TestCase, ...]
    problems: tuple[InputProblem, ...] = ()


def read_test_file(value: JsonValue) -> TestFile:
    """Return the tests of a file's value, and what is wrong with it; with problems nothing of it should be run."""
    problems = tuple(InputProblem(each.path, each.message, each.in_key) for each in schema_problems(value, TEST_FILE))
    if problems or not isinstance(value, dict):
        return TestFile("", (), (), (), problems)
    crds, gates = (tuple(str(each) for each in as_list(value.get(name))) for name in ("crds", "featureGates"))
    tests = tuple(_read_test(as_object(each), ("tests", index)) for index, each in enumerate(as_list(value["tests"])))
    return TestFile(str(value["definition"]), crds, gates, tests)


def _read_test(test: JsonObject, path: Path) -> TestCase:
    instance, then = (_instance(test.get(key)) for key in ("instance", "then"))
    names = tuple(str(name) for name in as_list(test.get("notReady")))
    return TestCase(str(test["name"]), path, instance, test.get("observed"), names, then, as_object(test["expect"]))


def _instance(value: JsonValue) -> JsonObject | str | None:
    return value if isinstance(value, (dict, str)) else None


class TestOutcome(Struct, frozen=True):
    """The outcome of a test: the expectations that were not met, none where it passed, with their paths in the file.

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
    """A test that cannot be run, because it names nodes that the definition lacks; `problems` are the places."""

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
    if path[:1] == ("errors",):  # texts and errors are matched as a whole
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
