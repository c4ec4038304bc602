"""What the controllers of a simulated cluster write into the objects of well-known kinds."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.readiness import signs_of
from kro_ls.runtime.controllers.behaviours import settle
from kro_ls.runtime.values.demands import Demand
from tests.cel.evaluation.support import evaluate
from tests.fixtures.known_projects import kinds_with_signs
from tests.paths import needs_kinds


@needs_kinds
def test_an_object_is_ready_without_being_asked() -> None:
    unready = [
        (str(kind.name), sign.expression)
        for kind in kinds_with_signs()
        for sign in signs_of(kind.name.group, kind.name.kind, kind)
        if not _holds(kind, sign.expression)
    ]
    assert unready == []


def _holds(kind: KindSchema, condition: str) -> bool:
    spec: JsonObject = {"type": "LoadBalancer", "replicas": 1}
    name = kind.name
    value = settle(
        {"apiVersion": name.api_version, "kind": name.kind, "metadata": {"name": "a"}, "spec": spec}, kind, Demand()
    )
    try:
        return evaluate(condition.replace("{x}", "x"), x=value) is True
    except EvaluationError:
        return False


@pytest.mark.parametrize("written", [{}, {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}}])
def test_a_default_says_what_was_before_the_controller_came(written: dict[str, Any]) -> None:
    items = {"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}}
    status = {
        "type": "object",
        "default": {"conditions": [{"type": "Ready", "status": "Unknown"}]},
        "properties": {"conditions": {"type": "array", "items": items}, "url": {"type": "string"}},
    }
    schema: Any = {"type": "object", "properties": {"status": status}}
    name = GroupVersionKind("example.com", "v1", "Thing")
    kind = KindSchema(name, "things", True, (), "", lambda: schema, declared_schema=schema)
    settled = settle({"apiVersion": "example.com/v1", "kind": "Thing", **written}, kind, Demand())
    assert settled["status"]["conditions"][0]["status"] == "True"  # type: ignore[index,call-overload]
