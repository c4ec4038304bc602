"""Declarative tests of an RGD, read from a test file: an instance, observed state, and what must come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.validation.json_schema import schema_problems
from kro_ls.runtime.cluster.scenario import InputProblem
from kro_ls.runtime.testing.testfile_schema import TEST_FILE

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue


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
    crds, gates = (tuple(str(each) for each in _list(value.get(name))) for name in ("crds", "featureGates"))
    tests = tuple(_read_test(_object(each), ("tests", index)) for index, each in enumerate(_list(value["tests"])))
    return TestFile(str(value["definition"]), crds, gates, tests)


def _read_test(test: JsonObject, path: Path) -> TestCase:
    instance, then = (_instance(test.get(key)) for key in ("instance", "then"))
    names = tuple(str(name) for name in _list(test.get("notReady")))
    return TestCase(str(test["name"]), path, instance, test.get("observed"), names, then, _object(test["expect"]))


def _instance(value: JsonValue) -> JsonObject | str | None:
    return value if isinstance(value, (dict, str)) else None


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
