from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.processes import ERROR, Invoke

APP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string | default=web
      replicas: integer | default=2 minimum=1
      ingress: boolean | default=false
    status:
      ready: ${deployment.status.readyReplicas}
  resources:
    - id: deployment
      readyWhen: ["${deployment.status.readyReplicas == deployment.spec.replicas}"]
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}"}
        spec:
          replicas: ${schema.spec.replicas}
          selector: {matchLabels: {mode: "${settings.data.mode}"}}
          template:
            metadata: {labels: {mode: "${settings.data.mode}"}}
            spec: {containers: [{name: web, image: nginx}]}
    - id: settings
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
    - id: ingress
      includeWhen: ["${schema.spec.ingress}"]
      template:
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: "${deployment.metadata.name}"}
        spec: {defaultBackend: {resource: {kind: Page, name: web}}}
"""
INSTANCE = """\
apiVersion: kro.run/v1alpha1
kind: App
metadata:
  name: shop
spec:
  replicas: 3
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    (tmp_path / "shop.yaml").write_text(INSTANCE)


def test_table(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "-i", "shop.yaml", "--set", "spec.name=front")
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
App default/shop: ACTIVE after 2 passes

NODE        KIND        STATE    OBJECTS  REASON
settings    ConfigMap   ready    1
deployment  Deployment  ready    1
ingress     Ingress     ignored  0        includeWhen is not true: schema.spec.ingress

status
  ready: 3

---
# deployment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: front
  namespace: default
spec:
  replicas: 3
  selector:
    matchLabels:
      mode: settings-mode
  template:
    metadata:
      labels:
        mode: settings-mode
    spec:
      containers:
      - name: web
        image: nginx
"""
    )


def test_what_is_held_up_is_shown_at_its_place(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "--without", "settings")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        """\
App default/my-app: IN_PROGRESS after 1 pass

NODE        KIND        STATE    OBJECTS  REASON
settings    ConfigMap   waiting  0        not found in the cluster
deployment  Deployment  pending  0        waits for settings to be ready
ingress     Ingress     ignored  0        includeWhen is not true: schema.spec.ingress

app.yaml:13:16: status.ready has no value: deployment is not there yet
   |
13 |       ready: ${deployment.status.readyReplicas}
   |                ^^^^^^^^^^
"""
    )


def test_steps(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "--step", "--set", "spec.ingress=true")
    wait = "readyWhen needs data that is not there yet: deployment.status.readyReplicas == deployment.spec.replicas"
    assert result.stdout.startswith(
        f"""\
pass 1
  created Deployment default/web (deployment)
  deployment is waiting: {wait}
  ingress is pending: waits for deployment to be ready
  IN_PROGRESS
pass 2
  created Ingress default/web (ingress)
  ACTIVE
pass 3
  ACTIVE

App default/my-app: ACTIVE after 3 passes
"""
    )


def test_json(invoke: Invoke) -> None:
    result = invoke(
        "preview", "app.yaml", "--not-ready", "deployment", "--set", "spec.ingress=true", "--format", "json"
    )
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["state"], found["settled"]) == ("IN_PROGRESS", True)
    assert found["nodes"][2] == {
        "id": "ingress",
        "state": "pending",
        "objects": 0,
        "reason": "waits for deployment to be ready",
        "kro": 'node "ingress": dependent node "deployment" not ready: node "deployment": held not ready '
        "(waiting for readiness) (data pending)",
        "waitsFor": "deployment",
    }
    assert found["passes"][0]["created"] == [{"node": "deployment", "object": "Deployment default/web"}]


def test_yaml_is_the_objects(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "-i", "-", "--format", "yaml", "--kro-metadata", stdin=INSTANCE)
    assert result.exit_code == 0
    assert result.stdout.startswith("---\n# deployment\napiVersion: apps/v1\n")
    assert "    kro.run/node-id: deployment\n" in result.stdout
    assert "    kro.run/kro-version: v0.9.4\n" in result.stdout


def test_the_metadata_names_the_version_of_kro(invoke: Invoke) -> None:
    arguments = ("preview", "app.yaml", "-i", "-", "--format", "yaml", "--kro-metadata", "--kro-version", "0.9.3")
    assert "    kro.run/kro-version: v0.9.3\n" in invoke(*arguments, stdin=INSTANCE).stdout
    Path(".kro-ls.yaml").write_text("version: 0.9.2\n", encoding="utf-8")
    assert "    kro.run/kro-version: v0.9.2\n" in invoke(*arguments[:-2], stdin=INSTANCE).stdout


def test_diff(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "--format", "diff", "--set", "spec.replicas=5")
    assert result.exit_code == 0
    changed = [line for line in result.stdout.splitlines() if line[:1] in "+-"]
    assert changed == [
        "--- as given",
        "+++ as changed",
        "-  ready: 2",
        "+  ready: 5",
        "-  replicas: 2",
        "+  replicas: 5",
    ]


def test_observed_state(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "observed.yaml").write_text(
        "deployment: {status: {readyReplicas: 1}}\nsettings: {data: {mode: dark}}\n"
    )
    result = invoke("preview", "app.yaml", "--observed", "observed.yaml")
    assert result.exit_code == 1
    assert "deployment (waiting): readyWhen is false: " in result.stdout
    assert "app.yaml:16:19: " in result.stdout
    assert "mode: dark" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--observed", "o.yaml"], "o.yaml:1:1: no node has the id 'deploymen'; did you mean 'deployment'?"),
        (["--not-ready", "x"], "--not-ready: no node has the id 'x'; the nodes are: settings, deployment, ingress"),
        (["--without", "deployment"], "--without: deployment is not an external reference: kro creates it"),
        (["--set", "a"], "'a' is not PATH=VALUE, as in spec.replicas=3."),
        (["--set", "spec.name={"], "the value of 'spec.name={' is not YAML"),
        (
            ["--set", "spec.name.x=1", "-i", "named.yaml"],
            "--set: the instance has something else on the way to spec.name.x",
        ),
        (
            ["--set", "spec.replicas=0"],
            "instance: spec.replicas: '0' is not allowed; it must be greater than or equal to 1",
        ),
        (["-i", "zero.yaml"], "zero.yaml:6:13: '0' is not allowed; it must be greater than or equal to 1"),
        (
            ["-i", "other.yaml"],
            "other.yaml:2:7: 'kind' must be 'App', not 'Other', as in all instances of this definition",
        ),
        (["-i", "list.yaml"], "list.yaml:1:1: an instance must be a mapping"),
        (["-i", "two.yaml"], "two.yaml has 2 documents; an instance file has one"),
        (["-i", "broken.yaml"], "broken.yaml:1:"),
        (["-i", "gone.yaml"], "gone.yaml"),
        (["--crds", "gone"], "gone"),
    ],
)
def test_input_that_cannot_be_used(invoke: Invoke, tmp_path: Path, arguments: list[str], text: str) -> None:
    for name, content in {
        "o.yaml": "deploymen: {}\n",
        "named.yaml": f"{INSTANCE}  name: x\n",
        "zero.yaml": INSTANCE.replace("3", "0"),
        "other.yaml": INSTANCE.replace("App", "Other"),
        "list.yaml": "- 1\n",
        "two.yaml": f"{INSTANCE}---\n{INSTANCE}",
        "broken.yaml": "a: [\n",
    }.items():
        (tmp_path / name).write_text(content)
    result = invoke("preview", "app.yaml", *arguments)
    assert result.exit_code == 2
    assert text in result.output


def test_unknown_fields_are_shown(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "-i", "-", stdin=f"{INSTANCE}  replica: 3\n")
    assert result.exit_code == 0
    assert "<stdin>:7:3: warning: unknown field 'spec.replica'; the API server drops it" in result.stderr


def test_a_definition_that_kro_refuses(invoke: Invoke) -> None:
    result = invoke("preview", "-", stdin=ERROR)
    assert result.exit_code == 2
    assert "kro refuses this: 1 error\n<stdin>:" in result.stderr
    assert "error[unresolved-reference]" in result.stderr
    assert invoke("preview", "shop.yaml").exit_code == 2
    shown = json.loads(invoke("preview", "-", "--format", "json", stdin=ERROR).stdout)
    assert shown["state"] == "REFUSED"
    assert [each["code"] for each in shown["errors"]] == ["unresolved-reference"]


def test_several_definitions(invoke: Invoke) -> None:
    both = f"{APP}---\n{APP.replace('App', 'Other').replace('name: app', 'name: other')}"
    result = invoke("preview", "-", stdin=both)
    assert result.exit_code == 2
    assert "- declares App, Other; say which by an instance of it" in result.stderr
    assert invoke("preview", "-", "-i", "shop.yaml", stdin=both).stdout.startswith("App default/shop: ACTIVE")


def test_an_expression_that_explodes(invoke: Invoke) -> None:
    many = "lists.range(900000)"
    bomb = APP.replace("${schema.spec.replicas}", f"${{{many}.map(x, {many}.map(y, y)).size()}}")
    result = invoke("preview", "-", stdin=bomb)
    assert result.exit_code == 1
    assert "deployment (error): " in result.stdout
    assert "the preview was stopped after 8000000 steps" in result.stdout
    assert "% of them took" in result.stdout
    assert "<stdin>:22:" in result.stdout


def test_custom_kinds(invoke: Invoke, tmp_path: Path) -> None:
    from tests.fixtures.runtime import THING_CRD

    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "things.yaml").write_text(THING_CRD)
    thing = "    - id: thing\n      template: {apiVersion: example.com/v1, kind: Thing, metadata: {name: t}}\n"
    definition = APP.partition("    - id: deployment")[0].replace("deployment.status.readyReplicas", "thing.status.id")
    result = invoke("preview", "-", "--crds", "crds", stdin=definition + thing)
    assert result.exit_code == 0
    assert "\n  ready: thing-8f43a8086c\n" in result.stdout


def test_omit_needs_its_feature_gate(invoke: Invoke) -> None:
    omitting = APP.replace("replicas: ${schema.spec.replicas}", 'replicas: "${schema.spec.ingress ? 1 : omit()}"')
    assert invoke("preview", "-", stdin=omitting).exit_code == 2
    result = invoke("preview", "-", "--feature-gate", "CELOmitFunction", "--format", "yaml", stdin=omitting)
    assert result.exit_code == 0
    assert "replicas" not in result.stdout


def test_a_later_change_of_a_field_that_cannot_change(invoke: Invoke) -> None:
    fixed = APP.replace(
        "      ingress: boolean", "      zone: string | default=north immutable=true\n      ingress: boolean"
    )
    assert fixed != APP
    assert invoke("preview", "-", "--then", "spec.ingress=true", stdin=fixed).exit_code == 0
    result = invoke("preview", "-", "--then", "spec.zone=south", stdin=fixed)
    assert result.exit_code == 2
    assert "the API server would refuse this instance\ninstance: spec.zone" in result.stderr


def test_a_later_change_that_a_rule_of_a_custom_kind_refuses(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(
        """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
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
              properties:
                zone: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: zone is fixed}]}
"""
    )
    definition = rgd(
        "- id: widget\n  template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, "
        "spec: {zone: '${schema.spec.name}'}}"
    )
    given = ("preview", "-", "--crds", str(tmp_path / "crd.yaml"), "--set", "spec.name=north")
    assert invoke(*given, stdin=definition).exit_code == 0
    result = invoke(*given, "--then", "spec.name=south", stdin=definition)
    assert result.exit_code == 1
    assert 'Widget.example.com "a" is invalid: spec.zone: Invalid value: "south": zone is fixed' in result.stdout


def test_what_a_later_change_deletes(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "--set", "spec.ingress=true", "--then", "spec.ingress=false")
    assert result.exit_code == 0
    assert (
        """\
pass 4
  deleted Ingress default/web (ingress)
  ingress is ignored: includeWhen is not true: schema.spec.ingress
  ACTIVE
pass 5
  ACTIVE
"""
        in result.stdout
    )


def test_deletion(invoke: Invoke) -> None:
    result = invoke("preview", "app.yaml", "--set", "spec.ingress=true", "--deletion")
    shown = result.stdout[result.stdout.index("when the instance is deleted") :].split("\n---\n")[0]
    assert (
        shown.rstrip()
        == """\
when the instance is deleted
  1. kro deletes
     Ingress default/web (ingress)
  2. then, when these are gone, kro deletes
     Deployment default/web (deployment)
  3. the instance goes: kro takes away its finalizer
  stays: ConfigMap default/settings (settings): kro only reads it"""
    )


def test_a_failure_by_a_made_up_value_says_so(invoke: Invoke) -> None:
    failing = APP.replace("name: string | default=web", "name: string").replace(
        "${schema.spec.replicas}", "${int(schema.spec.name + 'x') + schema.spec.replicas}"
    )
    result = invoke("preview", "-", stdin=failing)
    assert result.exit_code == 1
    assert '(made up: schema.spec.name is "my-app")' in result.stdout
    given = invoke("preview", "-", "--set", "spec.name=x", stdin=failing)
    assert "made up" not in given.stdout


def test_steps_name_what_stops_kro(invoke: Invoke) -> None:
    settings = APP.replace("externalRef:", "template:").replace("name: settings}", "name: web}")
    failing = settings.replace("${schema.spec.replicas}", "${1 / (schema.spec.replicas - schema.spec.replicas)}")
    result = invoke("preview", "-", "--step", stdin=failing.replace("${settings.data.mode}", "x"))
    assert "  deployment is error: " in result.stdout
    assert "  settings is waiting: not applied: kro stopped the pass at deployment\n" in result.stdout
    twice = settings.replace("${settings.data.mode}", "x").replace(
        "apiVersion: v1, kind: ConfigMap", "apiVersion: apps/v1, kind: Deployment"
    )
    result = invoke("preview", "-", "--step", stdin=twice)
    assert "  settings is error: deployment is Deployment default/web too; kro applies neither\n" in result.stdout
    assert (
        "  found resources with conflicts: resourceID: settings conflicts with resourceID: deployment\n"
        in result.stdout
    )


GRAPH = """\
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: shop, namespace: web}
spec:
  nodes:
    - {id: settings, def: {name: shop, zones: [a, b]}}
    - id: zone
      forEach: [{z: "${settings.zones}"}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${settings.name}-${z}"}}
    - id: inner
      graph:
        nodes:
          - id: pod
            template: {apiVersion: v1, kind: Pod, metadata: {name: "${zone[1].metadata.name}"}}
            readyWhen: ["${pod.status.phase == 'Running'}"]
          - {id: left, includeWhen: ["${size(zone) > 5}"], def: {x: y}}
    - {id: token, ref: {apiVersion: v1, kind: Secret, metadata: {name: token}}}
    - id: mark
      patch: {apiVersion: v1, kind: Secret, metadata: {name: "${token.metadata.name}", labels: {by: "${inner.pod.status.phase}"}}}
"""  # noqa: E501


def test_a_graph_has_a_preview_with_the_version_that_has_it(invoke: Invoke) -> None:
    Path("graph.yaml").write_text(GRAPH, encoding="utf-8")
    refused = invoke("preview", "graph.yaml")
    assert (refused.exit_code, "--kro-version 0.10" in refused.stderr) == (2, True)
    found = invoke("preview", "graph.yaml", "--kro-version", "0.10")
    assert found.exit_code == 0
    assert "candidate" in found.stderr
    rows = [line.split()[:4] for line in found.stdout.splitlines()[3:9]]
    assert rows == [
        ["settings", "def", "ready", "0"],
        ["zone", "ConfigMap", "ready", "2"],
        ["inner/pod", "Pod", "ready", "1"],
        ["inner/left", "def", "ignored", "0"],
        ["token", "Secret", "ready", "1"],
        ["mark", "Secret", "ready", "1"],
    ]
    assert "by: Running" in found.stdout


def test_what_a_graph_waits_for(invoke: Invoke) -> None:
    Path("graph.yaml").write_text(GRAPH, encoding="utf-8")
    arguments = ("preview", "graph.yaml", "--kro-version", "0.10", "--format", "json")
    found = json.loads(invoke(*arguments, "--not-ready", "inner/pod", "--without", "token").stdout)
    states = {each["id"]: each["state"] for each in found["nodes"]}
    assert states["inner/pod"] == "waiting"
    assert (states["token"], states["mark"]) == ("pending", "pending")
    assert found["nodes"][0]["data"] == [{"name": "shop", "zones": ["a", "b"]}]
    converged = next(each for each in found["status"]["conditions"] if each["type"] == "ResourcesConverged")
    assert converged["reason"] == "WaitingForReadiness"
    assert found["deletion"]["waves"][0]["objects"][-1]["object"] == "ConfigMap web/shop-a"


def test_a_graph_has_no_instance_to_change(invoke: Invoke) -> None:
    Path("graph.yaml").write_text(GRAPH, encoding="utf-8")
    result = invoke("preview", "graph.yaml", "--kro-version", "0.10", "--set", "a=b")
    assert (result.exit_code, "no instance" in result.stderr) == (2, True)
