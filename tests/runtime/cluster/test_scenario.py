"""Observed state as a user writes it."""

from __future__ import annotations

import pytest

from kro_ls.openapi.json_values import JsonValue
from kro_ls.runtime.cluster.scenario import Observed, read_observed


def test_forms() -> None:
    found, problems = read_observed({"a": {"x": 1}, "b": [{}, {"y": 2}], "c": None}, ["a", "b", "c"])
    assert problems == ()
    assert found == {"a": Observed(({"x": 1},), for_all=True), "b": Observed(({}, {"y": 2})), "c": Observed(())}
    assert [found["a"].of(5), found["b"].of(1), found["b"].of(2)] == [{"x": 1}, {"y": 2}, None]
    assert read_observed(None, []) == ({}, ())


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        (3, (), "observed state must be a mapping of node ids to objects"),
        ({"deploymen": {}}, ("deploymen",), "no node has the id 'deploymen'; did you mean 'deployment'?"),
        ({"zzz": {}}, ("zzz",), "no node has the id 'zzz'; the nodes are: deployment"),
        ({"deployment": [1]}, ("deployment", 0), "an observed object must be a mapping"),
        ({"deployment": 1}, ("deployment",), "expected an object, a list of objects, or null"),
    ],
)
def test_problems(value: JsonValue, path: tuple[str | int, ...], message: str) -> None:
    (problem,) = read_observed(value, ["deployment"])[1]
    assert (problem.path, problem.message) == (path, message)
