"""Declarative tests of an RGD, read from a test file: an instance, observed state, and what must come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.kro.feature_gates import FEATURE_GATES, unknown_gate
from kro_ls.runtime.observed import InputProblem
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue

NODE_STATES = ("ready", "waiting", "pending", "ignored", "error")
INSTANCE_STATES = ("ACTIVE", "IN_PROGRESS", "ERROR")

_FILE_KEYS = {"definition": str, "crds": list, "featureGates": list, "tests": list}
_TEST_KEYS = {"name": str, "instance": (dict, str), "observed": dict, "notReady": list, "expect": dict}
_EXPECT_KEYS = {
    "errors": list,
    "state": str,
    "nodes": dict,
    "objects": dict,
    "status": dict,
    "conditions": list,
    "snapshot": str,
}
_NODE_KEYS = {"state": str, "reason": str}
_TYPE_WORDS = {str: "a text", list: "a list", dict: "a mapping"}


class TestCase(Struct, frozen=True):
    """One test. `instance` is an object, the path of a file, or None for one made by the schema."""

    __test__ = False  # pytest takes it for a test otherwise

    name: str
    path: Path
    instance: JsonObject | str | None
    observed: JsonValue
    not_ready: tuple[str, ...]
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
    if not isinstance(value, dict):
        return TestFile("", (), (), (), (InputProblem((), "a test file is a mapping with definition and tests"),))
    problems = list(_wrong_keys(value, _FILE_KEYS, (), required=("definition", "tests")))
    tests: list[TestCase] = []
    for index, each in enumerate(_list(value.get("tests"))):
        path = ("tests", index)
        if not isinstance(each, dict):
            problems.append(InputProblem(path, "a test is a mapping with name, instance, observed and expect"))
            continue
        wrong = [*_wrong_keys(each, _TEST_KEYS, path, required=("name", "expect"))]
        wrong += _wrong_expectations(_object(each.get("expect")), (*path, "expect"))
        problems += wrong
        if not wrong:
            instance = each.get("instance")
            usable = instance if isinstance(instance, (dict, str)) else None
            names = tuple(str(name) for name in _list(each.get("notReady")))
            test = TestCase(str(each["name"]), path, usable, each.get("observed"), names, _object(each["expect"]))
            tests.append(test)
    crds, gates = (tuple(str(each) for each in _list(value.get(name))) for name in ("crds", "featureGates"))
    unknown = ((index, name) for index, name in enumerate(gates) if name not in FEATURE_GATES)
    problems += (InputProblem(("featureGates", index), unknown_gate(name)) for index, name in unknown)
    return TestFile(str(value.get("definition", "")), crds, gates, tuple(tests), tuple(problems))


def _wrong_expectations(expect: JsonObject, path: Path) -> Iterator[InputProblem]:
    yield from _wrong_keys(expect, _EXPECT_KEYS, path, required=())
    state = expect.get("state")
    if isinstance(state, str) and state not in INSTANCE_STATES:
        yield InputProblem((*path, "state"), _unknown(state, INSTANCE_STATES, "state"))
    for id_, node in _object(expect.get("nodes")).items():
        here = (*path, "nodes", id_)
        wanted = node
        if isinstance(node, dict):
            yield from _wrong_keys(node, _NODE_KEYS, here, required=())
            wanted, here = node.get("state", NODE_STATES[0]), (*here, "state")
        if wanted not in NODE_STATES:
            yield InputProblem(here, _unknown(str(wanted), NODE_STATES, "state"))


def _wrong_keys(value: JsonObject, known: Any, path: Path, required: Iterable[str]) -> Iterator[InputProblem]:
    for name, inner in value.items():
        if name not in known:
            yield InputProblem((*path, name), _unknown(name, tuple(known), "key"), in_key=True)
        elif inner is not None and not isinstance(inner, known[name]):
            wanted = known[name] if isinstance(known[name], tuple) else (known[name],)
            kinds = " or ".join(_TYPE_WORDS[each] for each in wanted)
            yield InputProblem((*path, name), f"{name} is {kinds}")
    for name in required:
        if value.get(name) is None:
            yield InputProblem(path, f"{name} is missing")


def _unknown(found: str, known: tuple[str, ...], what: str) -> str:
    close = closest(found, known)
    hint = f"did you mean {close}?" if close else f"one of {', '.join(known)}"
    return f"unknown {what} {found!r}; {hint}"


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
