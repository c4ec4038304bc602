"""What a preview takes for there, because nothing of it creates it."""

from __future__ import annotations

from typing import Any

from kro_ls.runtime.cluster.hazards import assumed
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import as_json
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import empty_instance, sample_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture

CONFIG_MAP = """
- id: {id}
  template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: {id}, namespace: "{space}"}}}}
"""
POD = """
- id: pod
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: p}
    spec:
      serviceAccountName: builder
      priorityClassName: %s
      containers: [{name: a, image: a}]
"""


def reported(resources: str, *, is_given: bool = True) -> list[str]:
    (definition,) = fixture(rgd(resources, spec="{space: string}")).document.analysis.rgds
    instance: Any = sample_instance(definition)
    instance["metadata"]["namespace"] = "own"
    given = None if is_given else empty_instance(definition)
    simulation = simulate(definition, admit_instance(definition, instance).instance, Scenario(given=given))
    return [f"{each.node}: {each.refusal.text}" for each in assumed(definition, simulation)]


def test_a_namespace_that_nothing_creates() -> None:
    text = 'there: namespaces "team" not found'
    assert reported(CONFIG_MAP.format(id="there", space="team")) == [text]
    assert reported(CONFIG_MAP.format(id="there", space="own")) == []
    assert reported(CONFIG_MAP.format(id="there", space="default")) == []


def test_a_namespace_that_the_definition_creates_or_reads_from() -> None:
    namespace = "- id: space\n  template: {apiVersion: v1, kind: Namespace, metadata: {name: team}}\n"
    assert reported(namespace + CONFIG_MAP.format(id="there", space="${space.metadata.name}")) == []
    external = "- id: read\n  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: team}}\n"
    assert reported(external + CONFIG_MAP.format(id="there", space="team")) == []


def test_what_follows_from_a_made_up_instance_is_not_reported() -> None:
    computed = CONFIG_MAP.format(id="there", space="x${schema.spec.space}")
    assert reported(computed, is_given=False) == []
    assert len(reported(computed)) == 1
    assert len(reported(CONFIG_MAP.format(id="there", space="team"), is_given=False)) == 1


def test_what_pods_refer_to() -> None:
    assert reported(POD % "high") == [
        'pod: pods "p" is forbidden: error looking up service account own/builder: serviceaccount "builder" not found',
        'pod: pods "p" is forbidden: no PriorityClass with name high was found',
    ]
    account = "- id: account\n  template: {apiVersion: v1, kind: ServiceAccount, metadata: {name: builder}}\n"
    assert reported(account + POD % "system-node-critical") == []


def test_the_json_has_it() -> None:
    (definition,) = fixture(rgd(CONFIG_MAP.format(id="there", space="team"))).document.analysis.rgds
    simulation = simulate(definition, admit_instance(definition, sample_instance(definition)).instance)
    assert as_json(definition, simulation, with_metadata=False)["assumes"] == [
        {
            "node": "there",
            "path": "metadata.namespace",
            "reason": "assumes that the namespace team exists",
            "kro": 'namespaces "team" not found',
        }
    ]
