"""Objects in namespaces that are not there, or not yet."""

from __future__ import annotations

from typing import Any

from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.values.sample_instance import empty_instance, sample_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture

CONFIG = "- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: '%s'}}\n"
TEAM = "- id: space\n  template: {apiVersion: v1, kind: Namespace, metadata: {name: team}}\n"


def simulated(resources: str, existing: frozenset[str] | None = None, *, is_given: bool = True) -> Simulation:
    (definition,) = fixture(rgd(resources, spec="{team: string}")).document.analysis.rgds
    instance: Any = sample_instance(definition)
    given = None if is_given else empty_instance(definition)
    scenario = Scenario(given=given, namespaces=existing)
    return simulate(definition, admit_instance(definition, instance).instance, scenario)


def test_a_namespace_that_the_cluster_does_not_have() -> None:
    found = simulated(CONFIG % "team", frozenset({"other"}))
    assert found.state.value == "ERROR"
    ((node, _, refusal),) = found.refused
    assert (node, refusal.text) == ("config", 'namespaces "team" not found')
    assert simulated(CONFIG % "team", frozenset({"team"})).state.value == "ACTIVE"
    assert simulated(CONFIG % "default", frozenset()).state.value == "ACTIVE"


def test_where_nobody_knows_it_may_be_there() -> None:
    assert simulated(CONFIG % "team").state.value == "ACTIVE"


def test_a_made_up_namespace_is_not_refused() -> None:
    computed = CONFIG % "${schema.spec.team}"
    assert simulated(computed, frozenset(), is_given=False).state.value == "ACTIVE"
    assert simulated(computed, frozenset()).state.value == "ERROR"


def test_kro_tries_again_when_the_namespace_is_there() -> None:
    found = simulated(CONFIG % "team" + TEAM)
    assert found.state.value == "ACTIVE"
    assert [[id_ for id_, _ in step.created] for step in found.steps][:2] == [["space"], ["config"]]
    assert found.steps[0].outcome.state.value == "ERROR"
