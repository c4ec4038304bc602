"""Texts as kro before 0.9.0 fills them: each expression by itself (kro `pkg/runtime/resolver` at 0.8.5)."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.yaml_positions.text import Text

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {name: string, free: object}
    status: {text: "STATUS"}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x}
        data: {text: 'TEXT'}
"""
INSTANCE: dict[str, Any] = {
    "apiVersion": "kro.run/v1alpha1",
    "kind": "App",
    "metadata": {"name": "one", "namespace": "default"},
    "spec": {"name": "web", "free": {"yes": True, "number": 5}},
}


def simulated(text: str, status: str = "${config.metadata.name}", version: str = "0.8.5") -> Any:
    definition = DEFINITION.replace("TEXT", text).replace("STATUS", status)
    features = Settings(version=parse_version(version)).features
    return simulate(analyze(Text(definition), None, features).rgds[0], INSTANCE, Scenario())


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("a ${schema.spec.?name} b", "a web b"),
        ("a ${schema.spec.free.?nope}${schema.spec.name}", "a <nil>web"),
        ("${schema.spec.free.yes}-${schema.spec.free.number}", "true-5"),
        ("x ${schema.spec.name // c} y", "x web y"),
        ("${schema.spec.name}", "web"),
    ],
)
def test_each_expression_gives_its_own_text(text: str, filled: str) -> None:
    (node,) = simulated(text).final.result.nodes
    assert node.desired[0]["data"] == {"text": filled}


def test_what_fails_is_shown_where_it_stands() -> None:
    text = "a ${schema.spec.name}-${schema.spec.free.nope}"
    (node,) = simulated(text).final.result.nodes
    cause = node.reason.cause
    start = cause.expression.value_span(cause.start, cause.end).start
    assert text[start:].startswith("schema.spec.free.nope")


def test_a_status_is_filled_in_the_same_way() -> None:
    found = simulated("x", "a ${config.metadata.name} ${config.metadata.?nope}")
    assert found.status["text"] == "a x <nil>"
