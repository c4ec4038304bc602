"""Values in templates and statuses (kro `pkg/runtime/resolver`)."""

from __future__ import annotations

from typing import Any

from kro_ls.kro.conversion import OMIT
from kro_ls.runtime.nodes.node_objects import fill, merge, upsert


def test_fill() -> None:
    template: Any = {"spec": {"a": "x", "l": ["k", "x", {"q": "x"}], "m": {"only": "x"}}}
    paths: list[tuple[str | int, ...]] = [("spec", "a"), ("spec", "l", 1), ("spec", "l", 2, "q"), ("spec", "m", "only")]
    assert fill(template, [(path, OMIT) for path in paths]) == {"spec": {"l": ["k", {}], "m": {}}}
    assert fill(template, [(paths[0], {"p": OMIT, "q": [OMIT, 1]})])["spec"]["a"] == {"q": [1]}  # type: ignore[index,call-overload] # an object
    assert template["spec"]["a"] == "x"


def test_upsert() -> None:
    status: Any = {}
    upsert(status, ("e", 1), "b")
    assert status == {"e": [None, "b"]}
    upsert(status, ("e", 0, "x", 0), 1)
    assert status == {"e": [{"x": [1]}, "b"]}


def test_merge_replaces_lists() -> None:
    base = {"a": {"b": 1, "c": [1, 2]}}
    assert merge(base, {"a": {"c": [3], "d": {"e": 1}}}) == {"a": {"b": 1, "c": [3], "d": {"e": 1}}}
    assert base == {"a": {"b": 1, "c": [1, 2]}}
