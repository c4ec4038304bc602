"""Tests saved from a scenario: they pass, fail when the definition renders something else, and have a name."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.openapi.json_values import copy_json
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import InputProblem, Observed, Scenario, read_observed
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.testing.expectations import FoundError, error_mismatches, mismatches
from kro_ls.runtime.testing.saved_tests import saved_test, scenario_name, unique_name
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.fixtures.runtime import definition
from tests.paths import needs_conformance
from tests.runtime.values.test_sample_instance import published

SCHEMA = """\
    spec:
      name: string
      replicas: integer | default=3
      web: {enabled: boolean | default=true, hosts: '[]string | default=["a"]'}
    status:
      ready: ${deployment.status.availableReplicas}
      host: ${config.data.host}
"""
RESOURCES = """\
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}"}
        spec:
          replicas: ${schema.spec.replicas}
          selector: {matchLabels: {app: a}}
          template:
            metadata: {labels: {app: a}}
            spec: {containers: [{name: web, image: nginx}]}
    - id: config
      includeWhen: ["${schema.spec.web.enabled}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${deployment.metadata.name}-config"}
        data: {host: "${schema.spec.web.hosts[0]}.example.com"}
"""
ZONES = """\
    - id: zones
      forEach: [{host: "${schema.spec.web.hosts}"}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${host}"}}
"""


def app(resources: str = RESOURCES + ZONES, schema: str = SCHEMA) -> RgdAnalysis:
    return definition(resources, schema=schema)


def instance(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": {"name": "a"}, "spec": {"name": "x", **spec}}


def outcome(
    rgd: RgdAnalysis, value: dict[str, Any], scenario: Scenario, then: dict[str, Any] | None
) -> Simulation | list[str]:
    admitted = [admit_instance(rgd, each) for each in (value, then) if each is not None]
    if admitted[0].errors:
        return [each.text for each in admitted[0].errors]
    later = tuple(each.instance for each in admitted[1:])
    return simulate(rgd, admitted[0].instance, Scenario(scenario.observed, scenario.held, later))


def run(rgd: RgdAnalysis, test: dict[str, Any]) -> list[InputProblem]:
    """Return what a saved test finds wrong with a definition."""
    observed, problems = read_observed(test.get("observed"), rgd.resources)
    assert problems == ()
    scenario = Scenario(observed, frozenset(test.get("notReady", ())))
    found = outcome(rgd, test["instance"], scenario, test.get("then"))
    if isinstance(found, Simulation):
        return list(mismatches(test["expect"], found, ()))
    errors = [FoundError(each, each) for each in found]
    return list(error_mismatches(test["expect"].get("errors"), errors, ()))


OFF = instance(web={"enabled": False})
HELD = Scenario(held=frozenset({"deployment"}))
DOWN = Scenario({"config": Observed(({"data": {"host": "down"}},), for_all=True)})


@pytest.mark.parametrize(
    ("value", "scenario", "then", "name"),
    [
        (instance(), Scenario(), None, "name=x becomes ACTIVE"),
        (instance(name="my-app"), Scenario(), None, "a sample instance becomes ACTIVE"),
        (instance(replicas=5), HELD, None, "replicas=5, name=x and deployment held back stays IN_PROGRESS"),
        (instance(), DOWN, None, "name=x and config with data.host=down becomes ACTIVE"),
        (
            instance(),
            Scenario(),
            instance(web={"enabled": False}),
            "name=x, edited to web.enabled=false becomes ACTIVE",
        ),
        (instance(replicas="many"), Scenario(), None, "replicas=many and name=x is refused"),
        (instance(web={"hosts": ["b", "b"]}), Scenario(), None, 'web.hosts=["b", "b"] and name=x ends in ERROR'),
        (
            instance(web={"hosts": ["the-first-host", "another-host"]}),
            Scenario(),
            None,
            "2 web.hosts and name=x becomes ACTIVE",
        ),
    ],
)
def test_a_test_passes_and_is_named_after_its_scenario(
    value: dict[str, Any], scenario: Scenario, then: dict[str, Any] | None, name: str
) -> None:
    found = outcome(app(), value, scenario, then)
    assert scenario_name(app(), value, found, scenario, then) == name
    test = saved_test(app(), value, found, scenario, then)
    assert run(app(), test) == []
    if isinstance(found, Simulation):
        assert {"state", "nodes", "exactly"} < test["expect"].keys()
        assert "objects" in test["expect"] or found.state.value == "ERROR"


def simulated(rgd: RgdAnalysis, id_: str) -> dict[str, Any]:
    """Return what the editor of a node's status begins with."""
    found = outcome(rgd, instance(), Scenario(), None)
    assert isinstance(found, Simulation)
    node = next(each for each in found.final.result.nodes if each.id == id_)
    assert node.observed
    return {name: copy_json(value) for name, value in node.observed[0].items() if name in ("spec", "status")}


def test_an_edited_status_is_saved_as_what_was_changed_and_what_is_read() -> None:
    value = simulated(app(), "deployment")
    assert len(value["status"]) > 3
    value["status"]["unavailableReplicas"] = 7
    scenario = Scenario({"deployment": Observed((value,), for_all=True)})
    found = outcome(app(), instance(), scenario, None)
    test = saved_test(app(), instance(), found, scenario)
    observed = test["observed"]["deployment"]
    assert observed == {"status": {"availableReplicas": 3, "unavailableReplicas": 7}}
    assert run(app(), test) == []
    name = scenario_name(app(), instance(), found, scenario)
    assert name == "name=x and deployment with status.unavailableReplicas=7 becomes ACTIVE"


def test_what_is_changed_inside_of_a_list_is_named() -> None:
    value = simulated(app(), "deployment")
    value["status"]["conditions"][0]["reason"] = "Edited"
    found = outcome(app(), instance(), Scenario({"deployment": Observed((value,), for_all=True)}), None)
    assert isinstance(found, Simulation)
    name = scenario_name(app(), instance(), found, found.scenario)
    assert name == "name=x and deployment with status.conditions[0].reason=Edited becomes ACTIVE"


def test_a_removed_field_of_a_status_is_named() -> None:
    value = simulated(app(), "deployment")
    del value["status"]["observedGeneration"]
    scenario = Scenario({"deployment": Observed((value,), for_all=True)})
    found = outcome(app(), instance(), scenario, None)
    assert "deployment with no status.observedGeneration" in scenario_name(app(), instance(), found, scenario)


def test_what_the_api_server_fills_in_is_left_out() -> None:
    value = instance(replicas=3, web={"enabled": True, "hosts": ["b"]})
    test = saved_test(app(), value, outcome(app(), value, Scenario(), None), Scenario())
    assert test["instance"]["spec"] == {"name": "x", "web": {"hosts": ["b"]}}


def test_objects_lists_and_maps_hold_only_what_is_not_a_default() -> None:
    schema = """\
    types:
      Rule: {host: string, path: string | default="/", tls: boolean | default=true}
    spec:
      name: string
      web: {enabled: 'boolean | default=true', limits: {cpu: 'string | default="1"', memory: 'string | default="1Gi"'}}
      rules: '[]Rule'
      named: 'map[string]Rule'
      one: Rule
"""
    rgd = app(f"{EXTRA}", schema)
    value: dict[str, Any] = dict(sample_instance(rgd))
    value["spec"] = {**value["spec"], "one": {"path": "/", "tls": True}}
    value["spec"]["rules"] = [*value["spec"]["rules"], {"tls": False, "path": "/"}]
    test = saved_test(rgd, value, outcome(rgd, value, Scenario(), None), Scenario())
    assert test["instance"]["spec"] == {
        "name": "my-app",
        "rules": [{"host": "rule.example.com"}, {"tls": False}],
        "named": {"key": {"host": "named-key.example.com"}},
    }
    assert admit_instance(rgd, test["instance"]) == admit_instance(rgd, value)
    value["spec"]["web"] = {"enabled": True, "limits": {"cpu": "2", "memory": "1Gi"}}
    test = saved_test(rgd, value, outcome(rgd, value, Scenario(), None), Scenario())
    assert test["instance"]["spec"]["web"] == {"limits": {"cpu": "2"}}


EXTRA = "    - id: extra\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: extra}}\n"
MUTATIONS = [
    ("image: nginx", "image: apache"),
    ("{name: web, image: nginx}", "{name: web, image: nginx, tty: true}"),
    ("replicas: ${schema.spec.replicas}\n", "minReadySeconds: 5\n"),
    ("{labels: {app: a}}", "{labels: {app: a, tier: web}}"),
    ("-config", "-settings"),
    (".example.com", ".example.org"),
    ('includeWhen: ["${schema.spec.web.enabled}"]', 'includeWhen: ["${!schema.spec.web.enabled}"]'),
    ("- id: config", f"{EXTRA.strip()}\n    - id: config"),
    ('{name: "${host}"}', '{name: "${host}", labels: {a: b}}'),
    ("      ready: ${deployment.status.availableReplicas}\n", ""),
    ("${config.data.host}", "${config.metadata.name}"),
    ("      host: ${config", "      extra: ${deployment.metadata.name}\n      host: ${config"),
    ("replicas: integer | default=3", "replicas: integer | default=4"),
    ('default=["a"]', 'default=["a","c"]'),
]


@pytest.mark.parametrize(("old", "new"), MUTATIONS, ids=[new.strip() or "removed" for _, new in MUTATIONS])
def test_a_test_fails_when_the_definition_makes_something_else(old: str, new: str) -> None:
    test = saved_test(app(), instance(), outcome(app(), instance(), Scenario(), None), Scenario())
    resources, schema = RESOURCES + ZONES, SCHEMA
    assert (old in resources) is not (old in schema)
    assert run(app(resources.replace(old, new), schema.replace(old, new)), test) != []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- id: config", "# about it\n    - id: config"),
        ('"${schema.spec.name}"', "'${schema.spec.name + \"\"}'"),
        ('{host: "${schema', "{'host': \"${schema"),
    ],
)
def test_a_test_passes_as_long_as_the_definition_makes_the_same(old: str, new: str) -> None:
    test = saved_test(app(), instance(), outcome(app(), instance(), Scenario(), None), Scenario())
    assert old in RESOURCES
    assert run(app(RESOURCES.replace(old, new, 1) + ZONES), test) == []


def test_names_are_unique() -> None:
    assert unique_name("a", []) == "a"
    assert unique_name("a", ["b", "a"]) == "a (2)"
    assert unique_name("a", ["a", "a (2)"]) == "a (3)"


@needs_conformance
def test_tests_of_published_definitions_pass() -> None:
    failed = []
    for file, rgd in published():
        value = dict(sample_instance(rgd))
        found = outcome(rgd, value, Scenario(), None)
        test = saved_test(rgd, value, found, Scenario())
        problems = run(rgd, test)
        assert admit_instance(rgd, test["instance"]) == admit_instance(rgd, value)
        if problems:
            failed.append((file, problems[0]))
    assert failed == []
