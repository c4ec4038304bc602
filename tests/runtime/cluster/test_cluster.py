"""The simulated cluster: passes, automatic behaviour, scenarios and what kro reports."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.openapi.json_values import JsonObject
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import as_json, objects_of
from kro_ls.runtime.cluster.scenario import Observed, Scenario
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.nodes.budget import PreviewBudget, PreviewCancelledError
from kro_ls.runtime.passes.reasons import object_name, pass_reason, short_reason, state_word
from kro_ls.runtime.passes.reconciliation import Reconciliation
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.yaml_positions.text import Text
from tests.fixtures.examples import FEW
from tests.fixtures.runtime import GATES, SPEC, config_map, definition, instance, schemas, thing
from tests.paths import EXAMPLES

READY = "      readyWhen: ['${vpc.status.ready}', '${vpc.status.phase == \"available\"}']\n"
CHAIN = (
    thing("vpc", "v", READY)
    + thing("subnet", "s", spec="{parent: '${vpc.status.id}'}")
    + config_map("config", "c", data="{subnet: '${subnet.metadata.name}'}")
)


def run(rgd: RgdAnalysis, scenario: Scenario | None = None, **spec: Any) -> Simulation:
    admission = admit_instance(rgd, instance(**spec))
    assert admission.errors == ()
    return simulate(rgd, admission.instance, scenario)


def words(simulation: Simulation, number: int = -1) -> dict[str, str]:
    return {each.id: state_word(each) for each in simulation.steps[number].result.nodes}


def reasons(simulation: Simulation) -> dict[str, str]:
    return {each.id: short_reason(each) for each in simulation.final.result.nodes if short_reason(each)}


def why(simulation: Simulation, number: int = -1) -> str:
    """Why a pass was not clean, for people."""
    step = simulation.steps[number]
    return pass_reason(step.result.nodes, step.outcome)


def created(simulation: Simulation) -> list[list[str]]:
    return [[object_name(value) for _, value in step.created] for step in simulation.steps]


def test_what_a_pass_waits_for_is_said_in_a_sentence() -> None:
    needy = [config_map(each, f"'${{schema.spec.{each}}}'") for each in ("a", "b", "c")]
    spec = "    spec: {a: string, b: string, c: string}\n"
    assert why(run(definition(needy[0], schema=spec))) == "a is pending: schema.spec.a is not there yet"
    assert why(run(definition("".join(needy[:2]), schema=spec))) == "a and b are still waiting"
    assert why(run(definition("".join(needy), schema=spec))) == "a and 2 more resources are still waiting"


def test_a_chain_takes_a_pass_per_link() -> None:
    found = run(definition(CHAIN))
    assert created(found) == [["Thing ns/v"], ["Thing ns/s"], ["ConfigMap ns/c"], []]
    assert words(found, 0) == {"vpc": "waiting", "subnet": "pending", "config": "pending"}
    assert words(found, 1) == {"vpc": "ready", "subnet": "ready", "config": "pending"}
    assert words(found) == {"vpc": "ready", "subnet": "ready", "config": "ready"}
    assert [step.outcome.state.value for step in found.steps] == ["IN_PROGRESS", "IN_PROGRESS", "ACTIVE", "ACTIVE"]
    assert found.settled
    assert found.steps[2].outcome.text == "cluster mutated"
    assert found.steps[0].outcome.text.startswith('apply results contain errors: waiting for node "vpc": ')
    assert [why(found, number) for number in range(4)] == [
        "waits for vpc: readyWhen needs data that is not there yet: vpc.status.ready",
        "config is pending: waits for subnet to be ready",
        "kro looks again, because this pass changed objects",
        "",
    ]


def test_a_chain_goes_on_though_no_controller_acts() -> None:
    links = [
        config_map(f"c{number}", f"c{number}", data=f"{{v: '${{c{number - 1}.metadata.name}}'}}") for number in (1, 2)
    ]
    found = run(definition(config_map("c0", "c0") + "".join(links)))
    assert created(found) == [["ConfigMap ns/c0"], ["ConfigMap ns/c1"], ["ConfigMap ns/c2"], []]


def test_conditions_of_the_instance() -> None:
    found = run(definition(CHAIN)).status
    assert found["state"] == "ACTIVE"
    assert [(each["type"], each["status"], each["reason"]) for each in found["conditions"]] == [  # type: ignore[union-attr,index,call-overload] # conditions
        ("InstanceManaged", "True", "Managed"),
        ("GraphResolved", "True", "Resolved"),
        ("ResourcesReady", "True", "AllResourcesReady"),
        ("Ready", "True", "Ready"),
    ]


def test_a_node_that_is_held_holds_up_the_others() -> None:
    found = run(definition(CHAIN), Scenario(held=frozenset({"vpc"})))
    assert found.settled
    assert words(found) == {"vpc": "waiting", "subnet": "pending", "config": "pending"}
    assert reasons(found) == {
        "vpc": "held back by the scenario",
        "subnet": "waits for vpc to be ready",
        "config": "waits for subnet to be ready",
    }
    assert found.status["state"] == "IN_PROGRESS"


def test_observed_state_takes_the_place_of_behaviour() -> None:
    status: JsonObject = {"ready": True, "phase": "available"}
    found = run(definition(CHAIN), Scenario({"vpc": Observed(({"status": status},), for_all=True)}))
    assert words(found) == {"vpc": "ready", "subnet": "pending", "config": "pending"}
    assert reasons(found)["subnet"] == "vpc.status.id is not there yet"
    assert found.final.outcome.text == (
        'waiting for unresolved resource: gvr "example.com/v1, Resource=things": node "subnet": '
        'failed to evaluate expression: eval "vpc.status.id": no such key: id (data pending)'
    )


EXTERNAL = "    - id: input\n      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: given}}\n"


def test_external_objects_have_what_is_read_of_them() -> None:
    rgd = definition(EXTERNAL + config_map("a", "a", data="{v: '${input.data.mode}'}"))
    found = run(rgd)
    assert found.status["state"] == "ACTIVE"
    assert objects_of(rgd, found, with_metadata=False)[0][1]["data"] == {"v": "ns-given-mode"}
    gone = run(rgd, Scenario({"input": Observed(())}))
    assert words(gone) == {"input": "waiting", "a": "pending"}
    assert gone.final.outcome.text.startswith(
        'apply results contain errors: waiting for external reference "input": not found'
    )
    assert why(gone) == "waits for input: not found in the cluster"
    assert created(gone) == [[]]


def test_external_collections() -> None:
    selector = "{selector: {matchLabels: {app: '${schema.spec.name}'}}}"
    reference = f"    - id: all\n      externalRef: {{apiVersion: v1, kind: ConfigMap, metadata: {selector}}}\n"
    rgd = definition(reference + config_map("a", "a", data="{count: '${string(size(all))}'}"))
    by_default = run(rgd, name="x")
    assert by_default.final.result.nodes[0].observed[0]["metadata"]["labels"] == {"app": "x"}  # type: ignore[index,call-overload] # an object
    lists: list[list[JsonObject]] = [[], [{"data": {"a": "b"}}, {}]]
    for objects in lists:
        found = run(rgd, Scenario({"all": Observed(tuple(objects))}), name="x")
        assert objects_of(rgd, found, with_metadata=False)[0][1]["data"] == {"count": str(len(objects))}


def test_an_error_applies_nothing() -> None:
    rgd = definition(config_map("a", "a") + config_map("b", "b", data="{v: '${string(1 / size(schema.spec.list))}'}"))
    found = run(rgd, list=[])
    assert created(found) == [[]]
    assert words(found) == {"a": "waiting", "b": "error"}
    assert reasons(found)["a"] == "not applied: kro stopped the pass at b"
    assert found.status["state"] == "ERROR"
    assert objects_of(rgd, found, with_metadata=False) == []


def test_what_was_applied_before_an_error_is_still_there() -> None:
    rgd = definition(config_map("a", "a") + config_map("b", "b", data="{v: '${string(1 / size(schema.spec.list))}'}"))
    later = admit_instance(rgd, instance(list=[])).instance
    found = run(rgd, Scenario(then=(later,)), list=["x"])
    assert found.status["state"] == "ERROR"
    assert [id_ for id_, _ in objects_of(rgd, found, with_metadata=False)] == ["a", "b"]


def test_a_status_field_may_have_the_text_of_a_ready_when() -> None:
    ready = "      readyWhen: ['${a.data.v == \"x\"}']\n"
    status = "    status: {name: '${b.metadata.name}', ready: '${a.data.v == \"x\"}'}\n"
    nodes = config_map("a", "a", ready, data="{v: x}") + config_map(
        "b", "b", data="{v: '${string(a.data.v == \"x\")}'}"
    )
    found = run(definition(nodes, schema=SPEC + status))
    assert {name: found.status[name] for name in ("name", "ready", "state")} == {
        "name": "b",
        "ready": True,
        "state": "ACTIVE",
    }


def test_a_ready_when_that_fails_for_good_is_reported_without_the_words_for_waiting() -> None:
    ready = "      readyWhen: ['${int(a.data.v) == 1}']\n"
    found = run(definition(config_map("a", "a", ready, data="{v: x}")))
    assert found.final.outcome.text.startswith(
        'apply results contain errors: node "a": failed to evaluate readyWhen expression: "int(a.data.v) == 1" ('
    )
    assert found.status["state"] == "ERROR"


def test_kro_writes_no_status_where_an_expression_of_it_fails() -> None:
    status = "    status: {count: '${int(a.data.v)}', name: '${a.metadata.name}'}\n"
    rgd = definition(config_map("a", "a", data="{v: '${schema.spec.name}'}"), schema=SPEC + status)
    assert run(rgd, name="x").status == {}
    later = admit_instance(rgd, instance(name="x")).instance
    found = run(rgd, Scenario(then=(later,)), name="1")
    assert {name: found.status[name] for name in ("count", "state")} == {"count": 1, "state": "ACTIVE"}
    assert found.state.value == "ERROR"


def test_kro_labels_annotates_and_holds_the_instance() -> None:
    rgd = definition(config_map("a", "a") + thing("vpc", "v"))
    found = run(rgd)
    metadata: Any = found.final.result.instance["metadata"]
    assert metadata["labels"].pop("kro.run/resource-graph-definition-id")
    assert metadata["labels"] == {
        "applyset.kubernetes.io/id": metadata["labels"]["applyset.kubernetes.io/id"],
        "kro.run/kro-version": "v0.9.4",
        "kro.run/owned": "true",
        "kro.run/resource-graph-definition-name": "app",
    }
    assert metadata["annotations"] == {
        "applyset.kubernetes.io/additional-namespaces": "",
        "applyset.kubernetes.io/contains-group-kinds": "ConfigMap,Thing.example.com",
        "applyset.kubernetes.io/tooling": "kro/v0.9.4",
        "internal.kro.run/applyset-inventory-hash": metadata["annotations"]["internal.kro.run/applyset-inventory-hash"],
    }
    assert metadata["finalizers"] == ["kro.run/finalizer"]


def test_two_nodes_with_one_object_conflict() -> None:
    found = run(definition(config_map("a", "x") + config_map("b", "x")))
    assert found.final.outcome.text == "found resources with conflicts: resourceID: b conflicts with resourceID: a"
    assert found.status["state"] == "IN_PROGRESS"
    assert found.applied == ()
    assert words(found) == {"a": "error", "b": "error"}
    assert reasons(found) == {
        "a": "b is ConfigMap ns/x too; kro applies neither",
        "b": "a is ConfigMap ns/x too; kro applies neither",
    }


def test_equal_texts_have_places_of_their_own() -> None:
    schema = "    spec: {}\n    status: {id: '${vpc.status.id}'}\n"
    rgd = definition(thing("vpc", "v") + thing("subnet", "s", spec="{parent: '${vpc.status.id}'}"), schema=schema)
    found = run(rgd, Scenario({"vpc": Observed(({"status": {}},), for_all=True)}))
    (missing,) = found.final.result.missing_fields
    pending = found.final.result.nodes[1].reason
    assert missing.cause is not None
    assert pending is not None
    assert pending.cause is not None
    assert (missing.cause.node, missing.cause.expression.place.value) == ("schema", "status")
    assert (pending.cause.node, pending.cause.expression.place.value) == ("subnet", "template")


def test_what_no_longer_is_wanted_is_deleted() -> None:
    list_of = config_map("list", "'${v}'", "      forEach: [{v: '${schema.spec.list}'}]\n")
    flagged = config_map("flag", "flag", "      includeWhen: ['${schema.spec.flag}']\n")
    named = config_map("named", "nn", data="{v: '${schema.spec.name}'}")
    rgd = definition(list_of + flagged + named)
    then = admit_instance(rgd, instance(list=["b", "c"], flag=False, name="y")).instance
    found = run(rgd, Scenario(then=(then,)), list=["a", "b"], flag=True, name="x")
    assert [
        [[object_name(value) for _, value in each] for each in (step.created, step.updated, step.deleted)]
        for step in found.steps
    ] == [
        [["ConfigMap ns/a", "ConfigMap ns/b", "ConfigMap ns/flag", "ConfigMap ns/nn"], [], []],
        [[], [], []],
        [["ConfigMap ns/c"], ["ConfigMap ns/b", "ConfigMap ns/nn"], ["ConfigMap ns/flag", "ConfigMap ns/a"]],
        [[], [], []],
    ]
    assert found.settled
    assert sorted(object_name(value) for _, value in found.objects) == [
        f"ConfigMap ns/{name}" for name in ("b", "c", "nn")
    ]


def test_nothing_is_deleted_while_something_waits() -> None:
    flagged = config_map("flag", "flag", "      includeWhen: ['${schema.spec.flag}']\n")
    waiting = config_map("other", "o", data="{v: '${schema.spec.name}'}")
    rgd = definition(flagged + waiting)
    then = admit_instance(rgd, instance(flag=False)).instance
    found = run(rgd, Scenario(then=(then,)), flag=True, name="x")
    assert [step.deleted for step in found.steps] == [(), (), ()]


def test_kro_labels_are_seen_by_expressions() -> None:
    labels = "{v: '${a.metadata.labels[\"app.kubernetes.io/managed-by\"]}'}"
    found = run(definition(config_map("a", "a") + config_map("b", "b", data=labels)))
    assert found.final.result.nodes[1].desired[0]["data"] == {"v": "kro"}


def test_a_preview_has_one_budget_and_says_who_used_it_up() -> None:
    nested = "size(lists.range(10).map(a, lists.range(10).map(b, lists.range(10).map(c, lists.range(10).map(d, d)))))"
    costly = "".join(
        config_map(f"n{number}", f"n{number}", data=f"{{v: '${{string({nested})}}'}}") for number in range(3)
    )
    cheap = config_map("cheap", "c", data="{v: '${string(size(lists.range(20)))}'}")
    found = simulate(definition(cheap + costly), instance(), budget=PreviewBudget(steps=10_000))
    reason = found.final.result.nodes[1].reason
    assert reason is not None
    assert "the preview was stopped after 10000 steps" in reason.text
    assert "of them took" in reason.text
    assert reason.text.endswith(f'"string({nested})" of n0')


def test_a_preview_can_be_cancelled() -> None:
    budget = PreviewBudget()
    budget.is_cancelled = True
    with pytest.raises(PreviewCancelledError):
        simulate(definition(CHAIN), instance(), budget=budget)


def test_a_suspended_instance() -> None:
    suspended = instance()
    suspended["metadata"]["annotations"] = {"kro.run/reconcile": "Suspended"}
    found = simulate(definition(CHAIN), suspended)
    assert found.status["state"] == "ACTIVE"
    assert created(found) == [[]]
    assert found.final.outcome.conditions[-1].reason == "ReconciliationSuspended"


def test_author_conditions_read_those_of_kro_and_replace_them() -> None:
    schema = """\
    spec: {}
    status:
      conditions:
        - "${runtime.newCondition({type: 'Up', status: runtime.condition(schema, 'Ready').status})}"
"""
    assert run(definition(config_map("a", "a"), schema=schema)).status["conditions"] == [
        {"type": "Up", "status": "True"}
    ]


CONTAINERS = "containers: [{name: c, image: i}]"
PODS = f"selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{{CONTAINERS}}}}}"
CLAIM = "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
WORKLOADS = """\
    - id: w
      readyWhen: ['${%s}']
      template: {apiVersion: %s, kind: %s, metadata: {name: w}, spec: %s}
"""


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "ready"),
    [
        ("apps/v1", "Deployment", f"{{replicas: 2, {PODS}}}", "w.status.availableReplicas == 2"),
        ("apps/v1", "Deployment", f"{{{PODS}}}", "w.spec.replicas == w.status.readyReplicas"),
        ("apps/v1", "StatefulSet", f"{{replicas: 3, {PODS}}}", "w.status.readyReplicas == 3"),
        ("apps/v1", "DaemonSet", f"{{{PODS}}}", "w.status.numberReady > 0"),
        (
            "batch/v1",
            "Job",
            f"{{template: {{spec: {{restartPolicy: Never, {CONTAINERS}}}}}}}",
            'w.status.conditions.exists(c, c.type == "Complete")',
        ),
        ("v1", "Service", "{type: LoadBalancer, ports: [{port: 80}]}", 'w.status.loadBalancer.ingress[0].ip != ""'),
        ("v1", "Service", "{ports: [{port: 80}]}", 'w.spec.clusterIP != ""'),
        ("v1", "PersistentVolumeClaim", CLAIM, 'w.status.phase == "Bound" && w.spec.volumeName.startsWith("pvc-")'),
        ("v1", "Pod", f"{{{CONTAINERS}}}", "w.status.containerStatuses.all(c, c.ready)"),
        ("v1", "Pod", f"{{{CONTAINERS}}}", 'w.status.conditions.exists(c, c.type == "Custom" && c.status == "True")'),
        ("example.com/v1", "Thing", "{}", 'w.status.conditions.exists(c, c.type == "Synced" && c.status == "True")'),
        ("example.com/v1", "Thing", "{}", 'w.spec.size == 3 && w.status.id == "id"'),
        ("example.com/v1", "Thing", "{}", '"available" == w.status.?phase.orValue("")'),
    ],
)
def test_behaviours(api_version: str, kind: str, spec: str, ready: str) -> None:
    found = run(definition(WORKLOADS % (ready, api_version, kind, spec)))
    assert (words(found), found.status["state"]) == ({"w": "ready"}, "ACTIVE")


def test_a_budget_counts_the_pods_of_the_graph() -> None:
    budget = (
        "    - id: budget\n      template: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b},"
        " spec: {%s, selector: {matchLabels: {a: b}}}}\n"
    )
    status = "    status: {counts: '${[budget.status.expectedPods, budget.status.disruptionsAllowed]}'}\n"
    spec = f"{{replicas: 3, {PODS}}}"
    pods = (
        f"    - id: w\n      template: {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: w}}, spec: {spec}}}\n"
    )
    for wish, counts in (("minAvailable: 1", [3, 2]), ("maxUnavailable: 50%", [3, 2]), ("minAvailable: 4", [3, 0])):
        found = run(definition(budget % wish + pods, schema=SPEC + status))
        assert found.status["counts"] == counts
    assert run(definition(budget % "minAvailable: 1", schema=SPEC + status)).status["counts"] == [0, 0]


def test_what_cannot_be_is_not_made_up() -> None:
    reads = {
        "v1, kind: Service, spec: {ports: [{port: 80}]}": "w.status.loadBalancer.ingress[0].hostname != ''",
        f"apps/v1, kind: Deployment, spec: {{{PODS}}}": "w.status.unavailableReplicas == 1",
        "v1, kind: Secret, stringData: {a: b}": "w.stringData.a == 'b'",
        "batch/v1, kind: CronJob, spec: {schedule: 0 0 1 1 *, jobTemplate: {spec: {template: {spec: "
        f"{{restartPolicy: Never, {CONTAINERS}}}}}}}}}}}": "w.status.lastScheduleTime != null",
        "v1, kind: ResourceQuota, spec: {hard: {pods: 5}}": "w.status.hard['pods'] == '6'",
    }
    for kind, ready in reads.items():
        head = f'    - id: w\n      readyWhen: ["${{{ready}}}"]\n'
        text = f"{head}      template: {{apiVersion: {kind}, metadata: {{name: w}}}}\n"
        assert run(definition(text)).status["state"] == "IN_PROGRESS", kind


def test_the_same_each_time() -> None:
    rgd = definition(CHAIN)
    assert as_json(rgd, run(rgd), with_metadata=True) == as_json(rgd, run(rgd), with_metadata=True)


def test_metadata_of_kro_is_hidden_unless_asked_for() -> None:
    rgd = definition(config_map("c", "'${zone}'", "      forEach: [{zone: '${schema.spec.list}'}]\n"))
    found = run(rgd, list=["a", "b"])
    plain, full = ([value for _, value in objects_of(rgd, found, with_metadata=flag)] for flag in (False, True))
    assert plain[1]["metadata"] == {"name": "b", "namespace": "ns"}
    labels: Any = full[1]["metadata"]["labels"]  # type: ignore[index,call-overload] # an object
    assert labels.pop("kro.run/instance-id")
    assert labels == {
        "app.kubernetes.io/managed-by": "kro",
        "applyset.kubernetes.io/part-of": "applyset-3LOl80P-10gUdzRY58svebM3bDEfvo_65PbsA_K9yTM-v1",
        "kro.run/collection-index": "1",
        "kro.run/collection-size": "2",
        "kro.run/instance-group": "kro.run",
        "kro.run/instance-kind": "App",
        "kro.run/instance-name": "demo",
        "kro.run/instance-namespace": "ns",
        "kro.run/instance-version": "v1alpha1",
        "kro.run/kro-version": "v0.9.4",
        "kro.run/node-id": "c",
        "kro.run/owned": "true",
    }
    assert full[1]["metadata"]["annotations"] == {"internal.kro.run/apply-order": "1"}  # type: ignore[index,call-overload] # an object


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["ready", "phase", "id", "x"]), inner),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.sampled_from(["status", "spec", "metadata", "kind", "data"]), JSON)


@FEW
@given(st.dictionaries(st.sampled_from(["vpc", "subnet", "config"]), st.lists(OBJECT, max_size=2)))
def test_any_observed_state_settles(observed: dict[str, list[JsonObject]]) -> None:
    scenario = Scenario({id_: Observed(tuple(objects)) for id_, objects in observed.items()})
    found = run(definition(CHAIN), scenario)
    assert found.settled
    assert as_json(definition(CHAIN), found, with_metadata=True)["nodes"]


@pytest.mark.parametrize("name", ["web-app.yaml", "report.yaml", "team.yaml", "cel-tour.yaml"])
def test_what_a_pass_leaves_out_would_be_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Text((EXAMPLES / name).read_text(encoding="utf-8"))
    (rgd, *_) = diagnose_text(text, GATES, schemas()).analysis.rgds
    value = admit_instance(rgd, sample_instance(rgd)).instance
    scenarios = [Scenario(then=(value,)), *(Scenario(held=frozenset({id_})) for id_ in rgd.resources)]
    found = [as_json(rgd, simulate(rgd, value, each), with_metadata=False) for each in scenarios]
    whole = Reconciliation.run_pass
    monkeypatch.setattr(Reconciliation, "run_pass", lambda self, _changed=None: whole(self))
    assert [as_json(rgd, simulate(rgd, value, each), with_metadata=False) for each in scenarios] == found


def test_an_instance_without_any_status_has_no_state() -> None:
    schema = "    spec: {}\n    status: {a: '${a.metadata.name}', b: '${int(a.metadata.name)}'}\n"
    rgd = definition(config_map("a", "a"), schema=schema)
    found = as_json(rgd, run(rgd), with_metadata=False)
    assert (found["state"], found["status"]) == (None, {})
