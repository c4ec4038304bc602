"""`kro-ls validate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.processes import GOOD, Invoke

_SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: Loadbalancer
  ports:
    - port: 80
"""
_TAKEN = _SERVICE.replace("Loadbalancer", "LoadBalancer")
_CRD = """\
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
                size: {type: integer, maximum: 3}
              x-kubernetes-validations: [{rule: self.size != 2, message: two is too many}]
"""
_WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 5}\n"


def test_a_refusal_is_reported_at_the_word_with_the_text_of_the_api_server(invoke: Invoke) -> None:
    result = invoke("validate", "-", stdin=_SERVICE)
    assert result.exit_code == 1
    assert result.stderr == ""
    assert result.stdout == (
        "<stdin>:5:9: refused: 'Loadbalancer' is not allowed for 'type'; "
        "expected 'ClusterIP', 'ExternalName', 'LoadBalancer' or 'NodePort'\n"
        "  |\n"
        "5 |   type: Loadbalancer\n"
        "  |         ^^^^^^^^^^^^\n"
        '  note: the API server says: spec.type: Unsupported value: "Loadbalancer": supported values: "ClusterIP", '
        '"ExternalName", "LoadBalancer", "NodePort"\n'
        "\n"
        "Validated 1 object in 1 file: 1 error\n"
    )


def test_what_is_taken(invoke: Invoke) -> None:
    result = invoke("validate", "-", stdin=_TAKEN)
    assert (result.exit_code, result.stdout) == (0, "Validated 1 object in 1 file: 0 errors\n")
    assert invoke("validate", "-q", "-", stdin=_TAKEN).stdout == ""


def test_streams_lists_and_folders(invoke: Invoke, tmp_path: Path) -> None:
    items = "".join(f"  {line}\n" for line in _SERVICE.splitlines()).replace("  apiVersion", "- apiVersion", 1)
    (tmp_path / "list.yaml").write_text(f"apiVersion: v1\nkind: List\nitems:\n{items}")
    (tmp_path / "stream.yaml").write_text(f"{_TAKEN}---\n{_SERVICE}---\n")
    (tmp_path / "values.yaml").write_text("replicas: 3\n")
    (tmp_path / "template.yaml").write_text("metadata:\n  {{- if .Values.on }}\n  name: x\n")
    result = invoke("validate", "--format", "concise", str(tmp_path))
    places = [line.partition(": ")[0].removeprefix(str(tmp_path)) for line in result.stdout.splitlines()]
    assert places == ["/list.yaml:8:11", "/stream.yaml:13:9"]
    assert result.stderr == "Validated 3 objects in 4 files: 2 errors\n"
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("replicas: 3", ".spec.replicas: field not declared in schema"),
        ("ports: {}", ".spec.ports: expected list, got &{map[]}"),
        ("externalName: 5", ".spec.externalName: expected string, got &value.valueUnstructured{Value:5}"),
    ],
)
def test_fields_that_the_kind_has_not_and_wrong_types(invoke: Invoke, written: str, text: str) -> None:
    manifest = f"apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  clusterIP: None\n  {written}\n"
    result = invoke("validate", "--format", "json", "-", stdin=manifest)
    (found,) = json.loads(result.stdout)
    assert found["kroMessage"] == text
    assert found["range"]["start"]["line"] == 5


def test_custom_kinds(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(_CRD)
    file = tmp_path / "widget.yaml"
    file.write_text(_WIDGET)
    unknown = invoke("validate", str(file))
    assert unknown.exit_code == 0
    assert "1 kind is unknown; only its metadata was validated: example.com/v1 Widget; see --crds" in unknown.stdout
    known = invoke("validate", "--crds", str(tmp_path / "crd.yaml"), "--format", "concise", str(file))
    assert known.exit_code == 1
    assert "4:14: refused-object" in known.stdout
    file.write_text(_WIDGET.replace("size: 5", "size: 2"))
    assert "two is too many" in invoke("validate", str(tmp_path)).stdout


def test_the_stored_object_says_what_cannot_change(invoke: Invoke, tmp_path: Path) -> None:
    before, after = tmp_path / "before.yaml", tmp_path / "after.yaml"
    manifest = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: ns}\ntype: Opaque\n"
    before.write_text(manifest)
    after.write_text(manifest.replace("Opaque", "example.com/x"))
    result = invoke("validate", "--stored", str(before), str(after))
    assert result.exit_code == 1
    assert 'type: Invalid value: "example.com/x": field is immutable' in result.stdout
    assert invoke("validate", str(after)).exit_code == 0


def test_rules_of_a_custom_kind_about_a_change(invoke: Invoke, tmp_path: Path) -> None:
    rule = "{rule: self == oldSelf, message: size is fixed}"
    (tmp_path / "crd.yaml").write_text(_CRD.replace("maximum: 3", f"x-kubernetes-validations: [{rule}]"))
    before, after = tmp_path / "before.yaml", tmp_path / "after.yaml"
    before.write_text(_WIDGET.replace("size: 5", "size: 1"))
    after.write_text(_WIDGET.replace("size: 5", "size: 0"))
    crds = str(tmp_path / "crd.yaml")
    assert invoke("validate", "--crds", crds, str(after)).exit_code == 0
    assert invoke("validate", "--crds", crds, "--stored", str(after), str(after)).exit_code == 0
    result = invoke("validate", "--crds", crds, "--stored", str(before), str(after))
    assert result.exit_code == 1
    assert "spec.size: Invalid value: 0: size is fixed" in result.stdout


def test_definitions_are_left_to_check(invoke: Invoke) -> None:
    result = invoke(
        "validate", "-", stdin=rgd("- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: A}}")
    )
    assert result.exit_code == 0
    assert "1 ResourceGraphDefinition skipped: 'kro-ls check' knows what kro refuses" in result.stdout


@pytest.mark.parametrize("text", ["a: [", "\t- b", "a: *b", "&a [*a]", "x: {{ y }}"])
def test_broken_input_has_a_message(invoke: Invoke, text: str) -> None:
    result = invoke("validate", "-", stdin=text)
    assert "Traceback" not in result.stderr
    assert result.exit_code in (0, 2)
    assert result.exit_code == 0 or result.stderr.splitlines()[-1]


def test_a_missing_file(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("validate", str(tmp_path / "no.yaml"), str(GOOD))
    assert result.exit_code == 2
    assert "no.yaml" in result.stderr


@pytest.mark.parametrize("name", ["sarif", "gitlab", "junit", "github", "json"])
def test_formats_for_programs(invoke: Invoke, name: str) -> None:
    result = invoke("validate", "--format", name, "-q", "-", stdin=_SERVICE)
    assert result.exit_code == 1
    assert "Loadbalancer" in result.stdout
    assert result.stderr == ""
