"""Completion of YAML keys and values: the RGD's own fields and the fields of templates."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.completion.completion_list import completion, is_asked_for
from kro_ls.features.completion.snippets import described_values
from kro_ls.features.completion.yaml import complete_yaml
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_completion, check_described
from tests.fixtures.language import fixture
from tests.fixtures.yaml_completion import OWN, accepted, completed, inserted, labels

HEAD = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
"""
POD = HEAD + "    spec:\n      template:\n        spec:\n"


@pytest.mark.parametrize(
    "typed",
    [
        "containers:\n  - $0",
        "containers:\n  - ima$0",
        "containers:\n  - name: x\n    $0",
        "containers:\n  - name: x\n    $0\n    command: []",
        "containers:\n  - name: x\n    im$0\n    command: []",
        "containers:\n  - $0\n    name: x",
        "containers:\n- name: x\n  im$0",
        "containers: [{name: x, $0}]",
        "containers: [{$0}]",
        "containers:\n  - {im$0",
        "containers:\n  - name: x\n    im$0: y",
        "containers:\n  - name: x\n    command: [\n    im$0",
    ],
)
def test_keys_are_offered_wherever_one_can_be_typed(typed: str) -> None:
    lines = "".join(f"          {line}\n" for line in typed.split("\n"))
    found = labels(rgd(POD + lines))
    assert {"image", "ports", "env"} <= set(found)
    assert "replicas" not in found
    assert ("name" in found) is ("name: x" not in typed), "what is there already is left out"


@pytest.mark.parametrize(
    "typed",
    [
        "# im$0",
        "containers: # im$0",
        "nodeName: a im$0",
        "nodeName: |\n  im$0",
        "nodeName: abc\n  im$0",
        "nodeName: ${a.im$0}",
        "nodeSelector:\n  a$0",
    ],
)
def test_nothing_is_offered_in_comments_texts_and_free_maps(typed: str) -> None:
    lines = "".join(f"          {line}\n" for line in typed.split("\n"))
    assert labels(rgd(POD + lines)) == []


def test_required_fields_come_first_and_server_set_ones_not_at_all() -> None:
    assert labels(rgd(HEAD + "    spec:\n      $0"))[:2] == ["selector", "template"]
    metadata = labels(rgd("- id: a\n  template:\n    apiVersion: v1\n    kind: Pod\n    metadata:\n      $0"))
    assert metadata[:4] == ["name", "namespace", "labels", "annotations"]
    assert not {"uid", "managedFields", "creationTimestamp"} & set(metadata)
    assert labels(rgd(HEAD + "    $0")) == ["spec"], "people do not write the status"


def test_a_cluster_scoped_object_has_no_namespace() -> None:
    text = "- id: a\n  template:\n    apiVersion: v1\n    kind: Namespace\n    metadata:\n      $0"
    assert "namespace" not in labels(rgd(text))


def test_an_object_of_an_unknown_kind_still_has_metadata() -> None:
    text = "- id: a\n  template:\n    apiVersion: example.com/v1\n    kind: Bucket\n    $0"
    assert labels(rgd(text)) == ["metadata"]
    assert "name" in labels(rgd(text.replace("$0", "metadata:\n      $0")))
    assert labels(rgd(text.replace("$0", "spec:\n      $0"))) == []


@pytest.mark.parametrize(
    ("typed", "label", "text"),
    [
        ("$0", "containers", "containers:\n  - name: $1"),
        ("$0", "hostNetwork", "hostNetwork: $1"),
        ("$0", "nodeName", "nodeName: $1"),
        ("$0", "nodeSelector", "nodeSelector:\n  $1"),
        ("volumes:\n            - $0", "emptyDir", "emptyDir:\n    $1"),
        ("securityContext: {$0}", "sysctls", "sysctls: [$1]"),
        ("securityContext: {$0}", "windowsOptions", "windowsOptions: {$1\\}"),
        ("conta$0:", "containers", "containers"),
        ("containers:\n            $0", "- name", "- name: $1"),
    ],
)
def test_a_key_brings_what_its_value_needs(typed: str, label: str, text: str) -> None:
    assert inserted(rgd(f"{POD}          {typed}"), label) == text


def test_a_place_with_few_values_is_left_to_the_next_question() -> None:
    """In a choice of a snippet, VS Code asks no server for completions, so no expression could be completed there."""
    assert inserted(rgd(f"{POD}          $0"), "hostNetwork") == "hostNetwork: $1"
    found = completed(fixture(rgd(f"{POD}          hostNetwork: $0", spec="{hostNetwork: boolean}")))
    assert {"true", "false", "${schema.spec.hostNetwork}"} <= found.keys()


@pytest.mark.parametrize("kind", ["Job", "PersistentVolumeClaim", "NetworkPolicy"])
def test_a_new_object_has_no_choices(kind: str) -> None:
    assert "|" not in inserted(rgd("- id: a\n  template:\n    $0"), kind)


def test_clients_without_snippets_get_the_key() -> None:
    assert inserted(rgd(POD + "          $0"), "containers", snippets=False) == "containers:"
    assert inserted(rgd(POD + "          $0"), "nodeName", snippets=False) == "nodeName: "
    plain = inserted("$0", "ResourceGraphDefinition", snippets=False)
    assert "name: ${schema.spec.name}\n" in plain
    assert Document("file:///a.yaml", 1, Text(plain)).diagnosis.diagnostics == ()


def test_what_is_usual_comes_first() -> None:
    found = fixture(rgd(TEMPLATE.format(version="v1", kind="Service") + "\n    spec:\n      $0"))
    check_completion(found, "selector", "ports")
    found = fixture(rgd(TEMPLATE.format(version="$0", kind="")))
    check_completion(found, "v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "rbac.authorization.k8s.io/v1")


def test_deprecated_fields_are_marked_and_come_last() -> None:
    found = completed(fixture(rgd(POD + "          $0")))
    assert found["serviceAccount"].tags == (types.CompletionItemTag.Deprecated,)
    assert list(found)[-1] == "serviceAccount"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("imagePullPolicy: $0", ["Always", "Never", "IfNotPresent"]),
        ('imagePullPolicy: "$0"', ["Always", "Never", "IfNotPresent"]),
        ("imagePullPolicy: If$0", ["IfNotPresent"]),
        ("tty: $0", ["true", "false"]),
        ("tty: fa$0", ["false"]),
        ("image: no$0", []),
        ("imagePullPolicy: ${$0", []),
        ("imagePullPolicy: a $0", []),
    ],
)
def test_values_are_offered_where_few_are_allowed(typed: str, expected: list[str]) -> None:
    assert labels(rgd(f"{POD}          containers:\n            - {typed}")) == expected


def test_values_of_flow_mappings() -> None:
    assert labels(rgd(POD + "          containers: [{tty: $0}]")) == ["true", "false"]


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("One of Always, Never, IfNotPresent. Defaults to Always.", ("Always", "Never", "IfNotPresent")),
        ('Can be "Recreate" or "RollingUpdate". Default is RollingUpdate.', ("Recreate", "RollingUpdate")),
        ('Valid values are:\n\n- "Allow" (default): allows;\n- "Forbid": forbids', ("Allow", "Forbid")),
        ("How they relate: `In`, `NotIn` or `Exists`.", ("In", "NotIn", "Exists")),
        ("Must be a valid name.", ()),
        ("The value. Can be Foo.", ()),
    ],
)
def test_values_are_read_from_descriptions(description: str, values: tuple[str, ...]) -> None:
    assert described_values(description) == values


def test_kinds_of_the_api_version_come_first() -> None:
    found = completed(fixture(rgd("- id: a\n  template:\n    apiVersion: batch/v1\n    kind: $0")))
    assert list(found)[:2] == ["Job", "CronJob"]
    assert found["Job"].additional_text_edits == ()
    assert "TokenReview" not in found, "kinds that are not stored"


@pytest.mark.parametrize(
    "lines",
    [
        ["kind: Dep$0"],
        ["apiVersion: batch/v1", "kind: Dep$0"],
        ["kind: Dep$0", "apiVersion: batch/v1"],
        ["apiVersion:", "kind: Dep$0"],
        ['apiVersion: "v1"', "kind: Dep$0"],
    ],
)
def test_a_kind_brings_its_api_version(lines: list[str]) -> None:
    text = accepted(rgd("- id: a\n  template:\n" + "".join(f"    {line}\n" for line in lines)), "Deployment")
    written = text.partition("template:\n")[2].split()
    assert sorted(written[:4]) == sorted(["apiVersion:", "apps/v1", "kind:", "Deployment"])
    document = Document("file:///a.yaml", 1, Text(text))
    assert {each.code for each in document.diagnosis.diagnostics} == {"incomplete-object"}, "only metadata is missing"


def test_only_kinds_with_the_typed_letters_are_offered() -> None:
    found = labels(rgd("- id: a\n  template:\n    kind: dset$0"))
    assert "DaemonSet" in found
    assert "Deployment" not in found
    assert "Deployment" in labels(rgd("- id: a\n  template:\n    kind: De$0monSet")), "what is after the cursor may go"


def test_api_versions_that_have_the_kind() -> None:
    assert labels(rgd("- id: a\n  template:\n    apiVersion: $0\n    kind: HorizontalPodAutoscaler")) == [
        "autoscaling/v2",
        "autoscaling/v1",
    ]
    everything = labels(rgd("- id: a\n  template:\n    apiVersion: $0"))
    assert {"v1", "apps/v1", "batch/v1"} <= set(everything)


def test_an_empty_template_offers_whole_objects() -> None:
    source = rgd("- id: a\n  template:\n    $0")
    assert labels(source)[:3] == ["apiVersion", "kind", "metadata"]
    text = accepted(source, "ConfigMap")
    assert "    apiVersion: v1\n        kind: ConfigMap\n        metadata:\n          name: " in text


def test_the_external_reference_completes_kinds_too() -> None:
    found = labels(rgd("- id: a\n  externalRef:\n    apiVersion: apps/v1\n    kind: $0"))
    assert found[:3] == ["Deployment", "StatefulSet", "DaemonSet"]


def test_documentation_comes_when_asked() -> None:
    found = fixture(rgd(POD + "          containers:\n            - im$0"))
    item = next(each for each in check_completion(found, snippets=True) if each.label == "image")
    assert item.detail == "string"
    check_described(found, "image", "**image**: `string`")
    check_described(found, "image", "Container image name")


@given(st.text("abc: -{}[],\"'#|>&*\n ${}", max_size=40), st.integers(0, 40))
def test_any_text_is_taken(text: str, place: int) -> None:
    content = rgd(POD + "          containers:\n            - name: x\n") + "          "
    document = Document("file:///a.yaml", 1, Text(content + text))
    for snippets in (True, False):
        complete_yaml(Cursor(document, min(len(content) + place, len(content + text))), snippets=snippets)


TEMPLATE = "- id: a\n  template:\n    apiVersion: {version}\n    kind: {kind}"


@pytest.mark.parametrize(
    "source",
    [
        rgd(TEMPLATE.format(version="apps/v1", kind="Deployment$0")),
        rgd(TEMPLATE.format(version="v1$0", kind="Service")),
        rgd(TEMPLATE.format(version="v1", kind="Service$0")),
        rgd(POD + "          hostNetwork: true$0"),
        rgd(POD + "          restartPolicy: Always$0"),
        "apiVersion: kro.run/v1alpha1$0\nkind: ResourceGraphDefinition",
        "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition$0",
        OWN + "spec:\n  schema:\n    apiVersion: v1alpha1$0",
        rgd(HEAD + "    spec:\n      replicas: ${schema.spec.name$0\n", spec="{name: string, namespace: string}"),
    ],
)
def test_nothing_is_offered_for_a_complete_value_and_clients_ask_again(source: str) -> None:
    answer = completion(fixture(source).cursor, snippets=True)
    assert answer.items == []
    assert answer.is_incomplete


@pytest.mark.parametrize(
    "source",
    [
        rgd(TEMPLATE.format(version="apps/v1", kind="Deploymen$0")),
        rgd(TEMPLATE.format(version="apps/v1", kind="$0")),
        rgd(POD + "          restartPolicy: Alway$0"),
        OWN + "spec:\n  schema:\n    apiVersion: $0",
    ],
)
def test_clients_ask_again_while_a_value_is_typed(source: str) -> None:
    answer = completion(fixture(source).cursor, snippets=True)
    assert answer.items
    assert answer.is_incomplete


def test_letters_of_a_text_are_not_replaced_by_an_expression() -> None:
    source = HEAD.replace("name: web", "name: %s")
    spec = "{appName: string}"
    assert "${schema.spec.appName}" in labels(rgd(source % "$0", spec=spec))
    assert "${schema.spec.appName}" in labels(rgd(source % "$$0", spec=spec))
    assert not any("${" in label for label in labels(rgd(source % "app$0", spec=spec)))
    assert completed(fixture(rgd(source % "$0", spec=spec)))["${schema.spec.appName}"].filter_text == "$"


def test_no_value_is_offered_that_the_typed_letters_are_not_in() -> None:
    assert "apps/v1" in labels(rgd("- id: a\n  template:\n    apiVersion: ap$0"))
    assert labels(rgd("- id: a\n  template:\n    apiVersion: rds.services.k8s.aws/v1alpha1$0")) == []
    assert labels(rgd(POD + "          restartPolicy: Some$0")) == []


def test_versions_are_offered_once() -> None:
    assert labels(OWN + "spec:\n  schema:\n    apiVersion: $0") == ["v1alpha1", "v1beta1", "v1"]


def test_kinds_of_other_groups_are_not_offered_where_the_group_is_written() -> None:
    of_apps = labels(rgd(TEMPLATE.format(version="apps/v1", kind="$0")))
    assert set(of_apps) == {"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"}
    assert labels(rgd(TEMPLATE.format(version="rds.services.k8s.aws/v1alpha1", kind="Po$0"))) == []


@pytest.mark.parametrize(
    "kind",
    """ConfigMap CronJob DaemonSet Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PersistentVolumeClaim
    Pod PodDisruptionBudget Role RoleBinding Secret Service StatefulSet""".split(),
)
def test_the_beginning_of_an_object_is_valid(kind: str) -> None:
    source = rgd(f"- id: a\n  template:\n    {kind}$0")
    item = completed(fixture(source))[kind]
    assert item.insert_text
    text = accepted(source, kind)
    filled = re.sub(r"(?m)((?:name|namespace|image|app|host|serviceName|key):|- )[ ]*$", r"\1 some", text)
    filled = filled.replace("resources: []", 'resources: ["pods"]')
    found = Document("file:///a.yaml", 1, Text(filled)).diagnosis.diagnostics
    assert [(each.code, each.message) for each in found if each.severity in ("error", "warning")] == []


@pytest.mark.parametrize(
    ("source", "is_asked"),
    [
        (rgd(HEAD + "    spec:\n      paused: $0"), True),
        (rgd("- $0"), True),
        (rgd("- id: web\n  template:\n    spec:\n      ports:\n        - $0"), True),
        (rgd(HEAD + "    spec:\n     $0"), False),
        (rgd(HEAD + "    spec: # a $0"), False),
        (rgd(HEAD + "    spec:\n      paused: ${schema.spec.name $0"), False),
        (OWN + "spec:\n  schema:\n    spec:\n      name: string $0", True),
    ],
)
def test_a_space_asks_where_a_value_begins(source: str, is_asked: bool) -> None:
    assert is_asked_for(fixture(source).cursor, " ") is is_asked
