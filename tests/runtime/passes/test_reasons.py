"""Why a node is as it is, for people: short, the wrong thing first, without the words of kro or Go."""

from __future__ import annotations

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.runtime.passes.reasons import short_reason
from tests.fixtures.one_pass import ObservedState, run_pass
from tests.fixtures.runtime import config_map, definition, instance, node, rendered, thing

UNKNOWN = (
    "    - id: u\n      template: {apiVersion: example.com/v9, kind: Unknown, metadata: {name: u, namespace: n}}\n"
)
LIST = "      forEach: [{r: '${schema.spec.list}'}]\n"
LARGE = "      forEach: [{r: '${schema.spec.list}'}, {s: '${lists.range(900)}'}]\n"


@pytest.mark.parametrize(
    ("resources", "observed", "expected"),
    [
        (config_map("a", "'${schema.spec.name}'"), {}, "schema.spec.name is not there yet"),
        (
            config_map("a", "x", data="{v: '${string(10 / (size(schema.spec.list) - 2))}'}"),
            {},
            "cannot evaluate '10 / (size(schema.spec.list) - 2)': division by zero",
        ),
        (
            UNKNOWN + config_map("a", "'${r}'", "      forEach: [{r: '${u.status.size}'}]\n"),
            {"u": [{"status": {"size": 3}}]},
            "forEach must be a list, but 'u.status.size' is an integer",
        ),
        (
            config_map("a", "'${r}-${string(s)}'", LARGE),
            {},
            "forEach gives 1800 objects or more, but kro makes at most 1000",
        ),
        (config_map("a", "'${r.lowerAscii()}'", LIST), {}, "two of its objects are the same ConfigMap x"),
        (
            thing("a", "x", "      readyWhen: ['${a.status.ready}']\n"),
            {"a": [{"status": {"ready": False}}]},
            "readyWhen is false: a.status.ready",
        ),
        (
            thing("a", "x", "      readyWhen: ['${1 / (a.status.id.size() - 1) == 1}']\n"),
            {"a": [{"status": {"id": "x"}}]},
            "cannot evaluate '1 / (a.status.id.size() - 1)': division by zero",
        ),
    ],
)
def test_reasons_are_in_plain_words(resources: str, observed: dict[str, list[object]], expected: str) -> None:
    found = rendered(definition(resources), observed, list=["x", "X"])
    assert short_reason(node(found, "a")) == expected


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        (thing("a", "x"), "its object does not exist yet"),
        (thing("a", "'${r}'", LIST), "1 of its 2 objects exist"),
    ],
)
def test_objects_that_are_not_there_yet(resources: str, expected: str) -> None:
    class Sparse(ObservedState):
        def find(self, node: object, desired: list[JsonObject]) -> list[JsonObject] | None:
            return desired[:-1] or None

    found = run_pass(definition(resources), instance(list=["x", "y"]), Sparse({}))
    assert short_reason(node(found, "a")) == expected
