from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import CYCLE, ERROR, GOOD, Invoke

CHAIN = rgd_of_config_maps(
    ("last", "${middle.metadata.name}-${first.metadata.name}"),
    ("middle", "${first.metadata.name}"),
    ("first", "${schema.spec.name}"),
)
KINDS = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: kinds}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {names: '[]string'}}
  resources:
    - id: many
      forEach: [{name: '${schema.spec.names}'}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${name}'}}
    - id: one
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: one}}
    - id: all
      externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: {matchLabels: {a: b}}}}
    - id: end
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${one.metadata.name}'}}
"""


def test_mermaid_is_the_default(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=CHAIN)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
flowchart BT
  last["last<br/>ConfigMap"]
  middle["middle<br/>ConfigMap"]
  first["first<br/>ConfigMap"]
  last --> middle
  last --> first
  middle --> first
"""
    )


def test_mermaid_shows_types_and_avoids_its_keywords(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=KINDS)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
flowchart BT
  many[["many<br/>ConfigMap"]]
  one(["one<br/>Secret"])
  all[("all<br/>Secret")]
  resource_4["end<br/>ConfigMap"]
  resource_4 --> one
"""
    )


def test_mermaid_marks_cycles(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=CYCLE)
    assert result.exit_code == 0
    assert result.stdout.endswith(
        """\
  first -. cycle .-> second
  second -. cycle .-> first
  linkStyle 0,1 stroke:red
"""
    )
    assert "has 1 error, so the graph may lack something" in result.stderr


def test_mermaid_draws_several_definitions(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=f"{CHAIN}---\n{CYCLE.replace('name: app', 'name: <b>')}")
    assert '  subgraph g1["app"]\n    g1_last["last<br/>ConfigMap"]\n' in result.stdout
    assert '  subgraph g2["#lt;b#gt;"]\n    g2_first["first<br/>ConfigMap"]\n' in result.stdout
    assert result.stdout.endswith("  g2_second -. cycle .-> g2_first\n  linkStyle 3,4 stroke:red\n")


def test_dot(invoke: Invoke) -> None:
    result = invoke("graph", "-", "--format", "dot", stdin=CYCLE)
    assert (
        result.stdout
        == """\
digraph kro {
  rankdir=BT
  "first" [label="first\\nConfigMap", shape=box]
  "second" [label="second\\nConfigMap", shape=box]
  "first" -> "second" [label=cycle, color=red, style=dashed]
  "second" -> "first" [label=cycle, color=red, style=dashed]
}
"""
    )


def test_dot_draws_several_definitions(invoke: Invoke) -> None:
    result = invoke("graph", "-", "--format", "dot", stdin=f"{CHAIN}---\n{KINDS}")
    assert '  subgraph cluster_2 {\n    label="kinds"\n    "2/many"' in result.stdout
    assert '    "1/last" -> "1/middle"\n' in result.stdout


def test_json(invoke: Invoke) -> None:
    (definition,) = json.loads(invoke("graph", "-", "--format", "json", stdin=CHAIN).stdout)
    assert definition == {
        "name": "app",
        "resources": [
            {
                "id": "last",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": ["middle", "first"],
                "position": 2,
                "applyWave": 3,
            },
            {
                "id": "middle",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": ["first"],
                "position": 1,
                "applyWave": 2,
            },
            {
                "id": "first",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": [],
                "position": 0,
                "applyWave": 1,
            },
        ],
        "cycles": [],
    }


def test_json_of_cycles_and_several_definitions(invoke: Invoke) -> None:
    cyclic, kinds = json.loads(invoke("graph", "-", "--format", "json", stdin=f"{CYCLE}---\n{KINDS}").stdout)
    assert cyclic["cycles"] == [["first", "second"]]
    assert [(each["position"], each["applyWave"]) for each in cyclic["resources"]] == [(None, None), (None, None)]
    types = ["Collection", "External", "ExternalCollection", "Resource"]
    assert [each["type"] for each in kinds["resources"]] == types


@pytest.mark.parametrize("output_format", ["mermaid", "dot", "json"])
def test_what_can_be_read_is_drawn(invoke: Invoke, output_format: str) -> None:
    broken = (
        CHAIN
        + "    - id: a-\"b\n    - template: 3\n    - id: last\n    - \n    - id: 'q\"q'\n      template: {kind: 5}\n"
    )
    result = invoke("graph", "-", "--format", output_format, stdin=broken)
    assert result.exit_code == 0
    assert "middle" in result.stdout
    assert "errors, so the graph may lack something" in result.stderr


def test_errors_are_told(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("graph", "bad.yaml")
    assert result.stderr == "bad.yaml has 1 error, so the graph may lack something; see 'kro-ls check bad.yaml'\n"
    Path("good.yaml").write_text(GOOD)
    assert invoke("graph", "good.yaml").stderr == ""


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("empty.yaml", "Error: no ResourceGraphDefinition found in empty.yaml\n"),
        ("missing.yaml", "Error: missing.yaml: no such file or folder; check the path\n"),
        (".", "Error: .: is a folder; name a file in it\n"),
    ],
)
def test_input_errors(invoke: Invoke, path: str, message: str) -> None:
    Path("empty.yaml").touch()
    result = invoke("graph", path)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)
