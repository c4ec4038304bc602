"""`kro-ls crd`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.parsing.builder import MOST_REPEATED
from kro_ls.yaml_positions.text import Text
from tests.fixtures.processes import ERROR, GOOD, Invoke
from tests.fixtures.runtime import THING_CRD

STATUS = GOOD.replace("  resources:", "    status:\n      made: ${config.metadata.creationTimestamp}\n  resources:")
THING_STATUS = "    status:\n      ready: ${config.status.ready}\n  resources:"
NO_KIND = GOOD.replace("    kind: App\n", "")
BOMB = "".join(
    ["    a0: &a0 {x: string}\n"]
    + [f"    a{n}: &a{n} {{{', '.join(f'k{i}: *a{n - 1}' for i in range(10))}}}\n" for n in range(1, 9)]
)


def test_yaml_is_the_default(invoke: Invoke) -> None:
    result = invoke("crd", "-", stdin=STATUS)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: apps.kro.run\n"
    )
    (document,) = parse_stream(Text(result.stdout), ()).documents
    assert document.to_python() == json.loads(invoke("crd", "--format", "json", "-", stdin=STATUS).stdout)


def test_the_status_has_the_types_of_its_expressions(invoke: Invoke) -> None:
    crd = json.loads(invoke("crd", "--format", "json", "-", stdin=STATUS).stdout)
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema["properties"]["spec"] == {"type": "object", "properties": {"name": {"type": "string"}}}
    assert schema["properties"]["status"]["properties"]["made"]["format"] == "date-time"


def test_each_definition_has_its_own_document(invoke: Invoke) -> None:
    result = invoke("crd", "-", stdin=f"{GOOD}---\n{STATUS}")
    assert result.exit_code == 0
    assert len(parse_stream(Text(result.stdout), ()).documents) == 2


def test_errors_go_to_standard_error_and_do_not_keep_the_crd_back(invoke: Invoke) -> None:
    result = invoke("crd", "-", stdin=ERROR)
    assert result.exit_code == 0
    assert "<stdin>:17:19: error[unresolved-reference]: unknown name 'shema'" in result.stderr
    assert "kind: CustomResourceDefinition" in result.stdout


@pytest.mark.parametrize("command", ["crd", "instance"])
@pytest.mark.parametrize(
    "text", [NO_KIND, GOOD.replace("kind: App", "kind: app"), GOOD.replace("    apiVersion: v1alpha1\n", "")]
)
def test_without_kind_or_version_there_is_none(invoke: Invoke, command: str, text: str) -> None:
    result = invoke(command, "-", stdin=f"{text}---\n{GOOD}")
    assert result.exit_code == 1
    assert "<stdin>:1:1: no CRD can be made" in result.stderr
    assert result.stdout.count("kind: ") > 0, "the other definition has one"


@pytest.mark.parametrize("command", ["crd", "instance"])
def test_what_holds_no_definition_is_wrong_usage(invoke: Invoke, command: str) -> None:
    assert invoke(command, "-", stdin="kind: ConfigMap\n").exit_code == 2
    assert invoke(command, "missing.yaml").exit_code == 2


@pytest.mark.parametrize("command", ["crd", "instance"])
def test_a_yaml_bomb_is_an_error(invoke: Invoke, command: str) -> None:
    result = invoke(command, "-", stdin=GOOD.replace("      name: string\n", BOMB.replace("    a", "      a")))
    assert result.exit_code == 1
    assert "the aliases make the document too large" in result.stderr
    assert "no CRD can be made" in result.stderr


def test_no_crd_is_made_of_what_is_not_read_to_its_end(invoke: Invoke) -> None:
    repeated = f"      all: &all {{{', '.join(f'k{n}: string' for n in range(100))}}}\n"
    aliases = "".join(f"      a{n}: *all\n" for n in range(MOST_REPEATED // 201 + 1))
    result = invoke("crd", "-", stdin=GOOD.replace("      name: string\n", repeated + aliases))
    assert result.exit_code == 1
    assert "no CRD can be made" in result.stderr


@pytest.mark.parametrize("command", ["crd", "instance", "preview"])
def test_nothing_is_made_of_a_template(invoke: Invoke, command: str) -> None:
    result = invoke(command, "-", stdin="{{- if .Values.on }}\n" + GOOD + "{{- end }}\n")
    assert result.exit_code == 2
    assert "let Helm render it first" in result.stderr


def test_the_version_of_the_projects_file_counts(invoke: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "rgd.yaml"
    file.write_text(GOOD.replace("name: string", "name: string\n      ratio: float"), encoding="utf-8")

    def type_of_ratio() -> object:
        crd = json.loads(invoke("crd", "--format", "json", str(file)).stdout)
        schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        return schema["properties"]["spec"]["properties"]["ratio"]["type"]

    assert type_of_ratio() == "number"
    (tmp_path / ".kro-ls.yaml").write_text("version: 0.9.1\n", encoding="utf-8")
    assert type_of_ratio() == "float"


def test_kinds_come_from_crds_from_settings_and_from_the_file(invoke: Invoke) -> None:
    thing = (
        GOOD.replace("apiVersion: v1\n", "apiVersion: example.com/v1\n")
        .replace("kind: ConfigMap", "kind: Thing")
        .replace("  resources:", THING_STATUS)
    )
    Path("definition.yaml").write_text(thing)
    Path("crds").mkdir()
    Path("crds/things.yaml").write_text(THING_CRD)

    def status(*options: str) -> object:
        crd = json.loads(invoke("crd", "definition.yaml", "--format", "json", *options).stdout)
        return crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]["ready"]

    assert status() == {"x-kubernetes-preserve-unknown-fields": True}
    assert status("--crds", "crds") == {"type": "boolean"}
    Path(".kro-ls.yaml").write_text("crds: [crds]\n")
    assert status() == {"type": "boolean"}
    missing = invoke("crd", "definition.yaml", "--crds", "nowhere")
    assert (missing.exit_code, "--crds nowhere: nothing is there" in missing.stderr) == (2, True)


MODE_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {mode: {type: string, enum: [slow, fast]}}}}
"""
MODE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1, kind: App, spec: {mode: string}}
  resources:
    - id: thing
      template: {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {mode: "${schema.spec.mode}"}}
"""


def test_a_sample_fits_the_kinds_of_crds_and_of_settings(invoke: Invoke) -> None:
    Path("definition.yaml").write_text(MODE)
    Path("crds").mkdir()
    Path("crds/things.yaml").write_text(MODE_CRD)
    assert "mode: slow" not in invoke("instance", "definition.yaml").stdout
    assert "mode: slow" in invoke("instance", "definition.yaml", "--crds", "crds").stdout
    Path(".kro-ls.yaml").write_text("crds: [crds]\n")
    assert "mode: slow" in invoke("instance", "definition.yaml").stdout
