"""Reading test files, and comparing the result of an instance with the expectation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.runtime.cluster.scenario import Scenario, read_observed
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.testing.expectations import mismatches, part_mismatches
from kro_ls.runtime.testing.testrun import read_test_file
from tests.fixtures.runtime import config_map, definition, instance, thing


def test_reading() -> None:
    found = read_test_file(
        {"definition": "a.yaml", "crds": ["c"], "tests": [{"name": "n", "expect": {"state": "ACTIVE"}}]}
    )
    assert found.problems == ()
    assert (found.definition, found.crds, found.tests[0].path) == ("a.yaml", ("c",), ("tests", 0))


KEYS = ["definition", "tests", "name", "expect", "nodes", "objects", "status", "conditions", "errors", "a", "t", "type"]


def wrong(**test: Any) -> Any:
    return {"definition": "a.yaml", "tests": [{"name": "n", "expect": {}, **test}]}


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ([], (), "a test file must be a mapping"),
        ({"definition": "a"}, (), "'tests' is missing"),
        (
            {"definition": "a", "tests": [1]},
            ("tests", 0),
            "a test must be a mapping",
        ),
        (
            {"definition": "a", "featureGates": ["CELOmitFunctions"], "tests": []},
            ("featureGates", 0),
            "unknown feature gate 'CELOmitFunctions'; did you mean 'CELOmitFunction'?",
        ),
        (wrong(notready=[]), ("tests", 0, "notready"), "unknown key 'notready'; did you mean 'notReady'?"),
        (wrong(instance=3), ("tests", 0, "instance"), "'instance' must be a mapping or a string"),
        (wrong(expect={"stat": "x"}), ("tests", 0, "expect", "stat"), "unknown key 'stat'; did you mean 'state'?"),
        (
            wrong(expect={"state": "Done"}),
            ("tests", 0, "expect", "state"),
            "unknown state 'Done'; expected one of 'ACTIVE', 'IN_PROGRESS', 'ERROR'",
        ),
        (
            wrong(expect={"nodes": {"a": "redy"}}),
            ("tests", 0, "expect", "nodes", "a"),
            "unknown state 'redy'; did you mean 'ready'?",
        ),
        (
            wrong(expect={"nodes": {"a": {"stat": "ready"}}}),
            ("tests", 0, "expect", "nodes", "a", "stat"),
            "unknown key 'stat'; did you mean 'state'?",
        ),
    ],
)
def test_problems(value: Any, path: tuple[str | int, ...], message: str) -> None:
    (problem,) = read_test_file(value).problems
    assert (problem.path, problem.message) == (path, message)


SIMULATION = simulate(
    definition(
        thing("t", "t")
        + config_map("a", "a", data="{k: v}")
        + config_map("c", "'${zone}'", "      forEach: [{zone: '${schema.spec.list}'}]\n")
        + config_map("d", "d", data="{v: '${t.status.id}'}"),
        schema="    spec: {list: '[]string'}\n    status: {id: '${t.status.id}', name: '${a.metadata.name}'}\n",
    ),
    instance(list=["x", "y"]),
    Scenario(held=frozenset({"t"})),
)


def found(expect: dict[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    return [(each.path, each.message) for each in mismatches(expect, SIMULATION, ())]


def test_what_is_as_expected() -> None:
    expect = {
        "state": "IN_PROGRESS",
        "nodes": {"t": "waiting", "a": {}, "d": {"state": "pending", "reason": "waits for t"}},
        "objects": {"a": {"data": {"k": "v"}}, "c": [{"metadata": {"name": "x"}}, {}]},
        "status": {"name": "a", "other": None},
        "conditions": [{"type": "Ready", "status": "False"}],
    }
    assert found(expect) == []


@pytest.mark.parametrize(
    ("expect", "path", "message"),
    [
        ({"nodes": {"t": "ready"}}, ("nodes", "t"), "expected t to be ready, found waiting: held back by the scenario"),
        ({"nodes": {"tt": "ready"}}, ("nodes", "tt"), "no node has the id 'tt'; did you mean 't'?"),
        ({"objects": {"tt": {}}}, ("objects", "tt"), "no node has the id 'tt'; did you mean 't'?"),
        (
            {"objects": {"d": {}}},
            ("objects", "d"),
            "expected 1 object of d, found none: d is pending: waits for t to be ready",
        ),
        ({"objects": {"c": {}}}, ("objects", "c"), "expected 1 object of c, found 2; expect a list"),
        ({"objects": {"c": [{}]}}, ("objects", "c"), "expected 1 item, found 2"),
        ({"objects": {"a": {"data": {"k": "w"}}}}, ("objects", "a", "data", "k"), 'expected "w", found "v"'),
        (
            {"objects": {"a": {"data": {"m": "w"}}}},
            ("objects", "a", "data", "m"),
            "expected m, found only these fields: k",
        ),
        ({"objects": {"a": {"data": {"k": None}}}}, ("objects", "a", "data", "k"), 'expected no k, found "v"'),
        (
            {"status": {"id": "1"}},
            ("status", "id"),
            "expected id, found no value: t.status is not there yet; t is waiting: held back by the scenario",
        ),
        (
            {"conditions": [{"type": "Up"}]},
            ("conditions", 0),
            "expected a condition of type 'Up', found InstanceManaged, GraphResolved, ResourcesReady, Ready",
        ),
        ({"errors": ["boom"]}, ("errors", 0), "expected an error that says 'boom', found no error"),
    ],
)
def test_what_is_not(expect: dict[str, Any], path: tuple[str | int, ...], message: str) -> None:
    assert found(expect) == [(path, message)]


def test_errors_must_be_expected() -> None:
    rgd = definition(config_map("a", "a", data="{v: '${string(1 / size(schema.spec.list))}'}"))
    simulation = simulate(rgd, instance(list=[]))
    reason = "a in error: cannot evaluate '1 / size(schema.spec.list)': division by zero"
    kro_message = 'node "a": eval "string(1 / size(schema.spec.list))": division by zero'
    expected = [(f"expected no error, found {reason}", kro_message)]
    assert [(each.message, each.kro_message) for each in mismatches({}, simulation, ())] == expected
    found = list(mismatches({"errors": ["division by zero", "boom"], "state": "ACTIVE"}, simulation, ()))
    assert [(each.message, each.kro_message) for each in found] == [
        (f"expected an error that says 'boom', found {reason}", kro_message),
        (f"expected ACTIVE, found ERROR: a is in error: {reason.partition(': ')[2]}", kro_message),
    ]
    assert list(mismatches({"errors": ["division by zero"], "state": "ERROR"}, simulation, ())) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["ready", "ACTIVE", "a", "t", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_anything_can_be_read_and_compared(value: Any) -> None:
    for problem in read_test_file(value).problems:
        assert problem.message
    tests = read_test_file({"definition": "a", "tests": [{"name": "n", "expect": value}]}).tests
    for test in tests:
        assert all(each.message for each in mismatches(test.expect, SIMULATION, ()))
    for problem in read_observed(value, ["a", "t"])[1]:
        assert problem.message


def test_true_is_not_one() -> None:
    assert [each.message for each in part_mismatches(1, True, ())] == ["expected 1, found true"]
    assert list(part_mismatches(1, 1.0, ())) == []


BOTTOM = "\n".join(f"line {number}" for number in range(1, 60))
LONG = "a/" * 150


@pytest.mark.parametrize(
    ("wanted", "other", "message"),
    [
        ("a\nb\nc\n", "a\nx\nc\n", 'expected line 2 to be "b", found "x"'),
        (BOTTOM, BOTTOM.replace("line 50", "lime 50"), 'expected line 50 to be "line 50", found "lime 50"'),
        ("a\nb", "a", 'expected line 2 to be "b", found no more lines'),
        ("a", "a\nb", 'expected no line 2, found "b"'),
        ("a\n", "a", "expected a line end after the last line, found none"),
        ("a", "a\n", "expected no line end after the last line, found one"),
        (f"{LONG}b", f"{LONG}c", f'expected "...{LONG[-20:]}b", found "...{LONG[-20:]}c"'),
        ("a", "b", 'expected "a", found "b"'),
        ("a\nb", 1, 'expected "a\\nb", found 1'),
    ],
)
def test_of_long_texts_the_place_is_reported_where_they_are_different(wanted: str, other: Any, message: str) -> None:
    (mismatch,) = part_mismatches({"a": wanted}, {"a": other}, ())
    assert mismatch.message == message
    assert mismatch.in_key is ("\n" in wanted)
