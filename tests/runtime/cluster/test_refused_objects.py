"""What kro reports where the API server refuses an object, and what becomes of the others."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.features.previews.explored import explored
from kro_ls.features.previews.preview import judged, make_preview
from kro_ls.features.previews.scenario import AskedScenario, read_scenario
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.passes.reasons import object_name, phrase, short_reason, state_word
from kro_ls.workspace.instances import find_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.language import URI, fixture
from tests.fixtures.packs import definition as crd
from tests.fixtures.packs import pack_of, record, version

SERVICE = """
- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata: {name: "${schema.spec.name}"}
    spec:
      ports:
        - port: ${schema.spec.port}
- id: reader
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${service.metadata.name}-reader"}
- id: other
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}
"""
SPEC = "{name: string, port: integer | default=80}"


def instance(**spec: Any) -> JsonObject:
    return {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": {"name": "x", "namespace": "n"}, "spec": spec}


def run(resources: str = SERVICE, spec: str = SPEC, then: JsonObject | None = None, **values: Any) -> Simulation:
    (definition,) = fixture(rgd(resources, spec=spec)).document.analysis.rgds
    later = () if then is None else (admit_instance(definition, then).instance,)
    admitted = admit_instance(definition, instance(**values))
    assert not admitted.errors
    return simulate(definition, admitted.instance, Scenario(then=later))


def words(simulation: Simulation) -> dict[str, str]:
    return {each.id: state_word(each) for each in simulation.final.result.nodes}


def test_the_state_is_error_and_the_condition_has_the_text_of_the_api_server() -> None:
    found = run(name="x", port=70000)
    assert found.state.value == "ERROR"
    wrong = "Invalid value: 70000: must be between 1 and 65535, inclusive"
    text = f'Service "x" is invalid: [spec.ports[0].port: {wrong}, spec.ports[0].targetPort: {wrong}]'
    conditions: Any = found.status["conditions"]
    ready = next(each for each in conditions if each["type"] == "ResourcesReady")
    message = f"resource reconciliation failed: apply results contain errors: {text}"
    assert (ready["status"], ready["reason"], ready["message"]) == ("False", "NotReady", message)
    assert words(found) == {"service": "error", "reader": "pending", "other": "ready"}
    assert [object_name(each) for _, each in found.objects] == ["ConfigMap n/other"]
    service = found.final.result.node("service")
    assert service
    assert short_reason(service) == (
        "the API server refuses spec.ports[0].port: '70000' is not allowed; it must be between 1 and 65535, inclusive"
    )
    assert phrase(service) == "the API server refuses its spec.ports[0].port"


@pytest.mark.parametrize("name", ["Foo_Bar", "a very long name with spaces", "", "a" * 64, "1.2"])
def test_a_name_that_a_service_cannot_have(name: str) -> None:
    assert run(name=name).state.value == "ERROR"


def test_a_valid_instance_is_active() -> None:
    assert run(name="x", port=65535).state.value == "ACTIVE"


def test_an_edit_that_is_refused_leaves_the_object_and_deletes_nothing() -> None:
    resources = f"{SERVICE}- id: extra\n  includeWhen: ['${{schema.spec.port == 80}}']\n"
    resources += "  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: extra}}\n"
    found = run(resources, then=instance(name="x", port=0), name="x")
    assert found.state.value == "ERROR"
    assert sorted(object_name(each) for _, each in found.objects) == [
        "ConfigMap n/extra",
        "ConfigMap n/other",
        "ConfigMap n/x-reader",
        "Service n/x",
    ]


def test_an_edit_of_an_immutable_field() -> None:
    claim = """
- id: claim
  template:
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: x}
    spec:
      storageClassName: ${schema.spec.name}
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
"""
    found = run(claim, then=instance(name="slow"), name="fast")
    assert found.steps[0].outcome.state.value == "ACTIVE"
    assert found.state.value == "ERROR"
    assert "spec: Forbidden: spec is immutable after creation" in found.final.outcome.text


def test_an_item_of_a_collection() -> None:
    resources = """
- id: maps
  forEach: [{each1: "${schema.spec.names}"}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${each1}"}}
"""
    found = run(resources, "{names: '[]string'}", names=["a", "B", "c"])
    assert found.state.value == "ERROR"
    assert found.final.outcome.text.startswith(
        'apply results contain errors: collection item 1: ConfigMap "B" is invalid'
    )
    assert [object_name(each) for _, each in found.objects] == ["ConfigMap n/a", "ConfigMap n/c"]


def shown(resources: str, spec: str = SPEC) -> Any:
    document = fixture(rgd(resources, spec=spec)).document
    (definition,) = document.analysis.rgds
    read = read_scenario(definition, AskedScenario())
    preview = make_preview(definition, find_instance(definition, URI, ()), None, read.scenario)
    return explored(document, judged(preview, document.diagnosis), read)


def test_an_error_leads_to_the_field_of_the_template() -> None:
    text = SERVICE.replace("${schema.spec.port}", "70000")
    found = shown(text)
    assert found["state"] == "ERROR"
    service = found["nodes"][0]
    lines = rgd(text, spec=SPEC).split("\n")
    assert "- port: 70000" in lines[service["range"]["start"]["line"]]


def test_made_up_values_are_not_refused() -> None:
    assert shown(SERVICE, "{name: string, port: integer | minimum=100000}")["state"] == "ACTIVE"
    memory = """
- id: quota
  template:
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: x}
    spec: {hard: {memory: "${schema.spec.memory}"}}
"""
    assert shown(memory, "{memory: string}")["state"] == "ACTIVE"
    observed = """
- id: db
  template: {apiVersion: example.com/v1, kind: Database, metadata: {name: x}}
- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata: {name: x}
    spec: {type: ExternalName, externalName: "${db.status.Address_}"}
"""
    assert shown(observed)["state"] == "ACTIVE"


def test_what_stands_around_a_made_up_name_is_refused() -> None:
    assert shown(SERVICE.replace('"${schema.spec.name}"', '"${schema.spec.name}_x"'))["state"] == "ERROR"


def test_rules_of_a_custom_kind() -> None:
    found = fixture(
        """\
//- rgd.yaml
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {low: integer}}
  resources:
    - id: bounded
      template:
        apiVersion: example.com/v1
        kind: Bounded
        metadata: {name: x}
        spec: {low: "${schema.spec.low}", high: 3}
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boundeds.example.com}
spec:
  group: example.com
  names: {kind: Bounded, plural: boundeds, singular: bounded}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [low]
              properties: {low: {type: integer}, high: {type: integer, maximum: 5}}
              x-kubernetes-validations: [{rule: self.low <= self.high, message: low is above high}]
"""
    )
    (definition,) = found.document.analysis.rgds
    admitted = admit_instance(definition, instance(low=4)).instance
    simulation = simulate(definition, admitted)
    assert simulation.final.outcome.text.endswith(
        'Bounded.example.com "x" is invalid: spec: Invalid value: low is above high'
    )
    assert simulate(definition, admit_instance(definition, instance(low=2)).instance).state.value == "ACTIVE"


@pytest.mark.parametrize(("choice", "word"), [("warn", "ready"), ("strict", "error")])
def test_a_kind_that_nobody_vouches_for_refuses_nothing(choice: str, word: str) -> None:
    pack = pack_of(record(crd("Role", version("v1", "policy"))), policy=PackPolicy.of({"*": choice}))
    kinds = schema_index(kubernetes(), (), (pack,))
    template = '{apiVersion: example.com/v1, kind: Role, metadata: {name: x}, spec: {policy: "${schema.spec.p}"}}'
    (definition,) = fixture(
        rgd(f"- id: role\n  template: {template}", spec="{p: string}"), kinds
    ).document.analysis.rgds
    admitted = admit_instance(definition, instance(p=""))
    assert words(simulate(definition, admitted.instance, Scenario())) == {"role": word}
