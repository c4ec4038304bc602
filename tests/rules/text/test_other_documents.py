"""What keeps kubectl from reading a file, besides the faults of the ResourceGraphDefinitions in it.

Each case was asked of kubectl's own code (k8s.io/cli-runtime `resource.NewLocalBuilder`).
"""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text

RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
"""
ARGO = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {ignored: [{kind: ResourceGraphDefinition}]}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\n"
JSON = (
    '{"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition", "metadata": {"name": "app"}, '
    '"spec": {"schema": {"apiVersion": "v1alpha1", "kind": "App"}}}'
)


def listed(text: str, head: str = "apiVersion: v1\nkind: List\nitems:\n") -> str:
    return head + "- " + text.replace("\n", "\n  ").rstrip(" ")


def read(text: str) -> tuple[int, list[str]]:
    """Return the number of RGDs, and the texts marked as errors."""
    diagnosis = diagnose_text(Text(text))
    errors = [each for each in diagnosis.diagnostics if each.severity == "error"]
    return len(diagnosis.analysis.rgds), [text[each.span.start : each.span.end].strip() for each in errors]


@pytest.mark.parametrize(
    ("text", "rgds"),
    [
        (RGD, 1),
        (f"{RGD}---\n{CONFIG}", 1),
        (f"---\n---\n{RGD}---\n---\n# nothing\n", 1),
        (f"# nothing\n---\n{RGD}---\nnull\n", 1),
        (f"--- # first\n{RGD}---\t\n{RGD.replace('App', 'Other')}", 2),
        (f"{RGD}---#second\n{RGD.replace('App', 'Other')}", 2),
        (f"{RGD}...\n", 1),
        (f"{RGD}...\n%YAML 1.1\n---\n{CONFIG}", 1),
        (f"{RGD}...\n: : {{\n", 1),
        (f"\ufeff{RGD}---\n\ufeff{CONFIG}", 1),
        (f"{CONFIG}---\n\ufeff{RGD}", 1),
        (f"{RGD}spec: {{schema: {{apiVersion: v1, kind: App}}}}\n", 1),
        ('{"apiVersion":"v1","kind":"A"}\n{"apiVersion":"v1","kind":"ResourceGraphDefinitionX"}\n', 0),
        (f'{{"apiVersion":"v1","kind":"A"}}\n---\n{RGD}', 1),
        (listed(RGD), 1),
        (listed(RGD) + listed(CONFIG, "") + listed(RGD.replace("App", "Other"), ""), 2),
        (listed(RGD, "items:\n").replace("items:\n", "apiVersion: v1\nitems:\n") + "kind: List\n", 1),
        ("a: [\n", 0),
        ("kind: Values\n---\n- x\n", 0),
        ("{{- if .Values.on }}\n" + RGD + "{{- end }}\n", 1),
        (RGD.replace("spec:", "status:").split("  schema")[0] + "  state: Active\n", 0),
        (RGD.split("spec:")[0] + "status:\n  (conditions[?type == 'Ready']):\n    - status: 'True'\n", 0),
        (RGD.split("spec:")[0] + "$patch: delete\n", 0),
        (RGD.split("spec:")[0] + f"status: {{state: Active}}\n---\n{RGD}", 1),
        (f"{ARGO}---\n{RGD}", 1),
        (f"{CONFIG}...\n{RGD}", 0),
        (f"{RGD}...\n{RGD}...\n---\n{RGD.replace('App', 'Other')}", 2),
        (f"---\n...\n{RGD}", 0),
        (f"---\n%YAML 1.1\n---\n{RGD}", 1),
        (f"{RGD}---\n---\n%YAML 1.1\n---\n{CONFIG}", 1),
        (f"{RGD}... x\n", 1),
        (f"{{kind: A}}\n...x\n---\n{RGD}", 1),
        (f"{JSON}--- \n{CONFIG}", 1),
        (f"---\n{JSON}--- \nx: [\n---\n{RGD.replace('App', 'Other')}", 2),
        (f"---\n{JSON}\n...\nx: [", 1),
        (f"---\n\ufeff{RGD}", 1),
        (listed(RGD) + "...\n", 1),
        (f"# head\n---#first\n{RGD}", 1),
        (f"{CONFIG}...\n---#second\n{RGD}", 1),
        (f"---\n{JSON}---\n\ufeffx: 1\n", 1),
        (f"\t\n{{kind: A}}\n---\n{RGD}", 1),
        (f"{JSON}\n---", 1),
        (f"{RGD}---\n{{kind: A}}\n ---\n[]\n", 1),
    ],
)
def test_what_kubectl_reads(text: str, rgds: int) -> None:
    assert read(text) == (rgds, [])


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (RGD.replace("kind: R", "kind:R"), "kind:ResourceGraphDefinition"),
        (RGD.replace("kro.run/v1alpha1", "@x"), "@x"),
        ("kind:ResourceGraphDefinition\n", "kind:ResourceGraphDefinition"),
        (f"{RGD}---\nx\n", "x"),
        (f"- x\n---\n{RGD}", "- x"),
        (f"{RGD}---\n{{}}\n", "{}"),
        (f"{RGD}---\nname: x\n", "name"),
        (f"{RGD}---\n...\n", "..."),
        (f"...\n---\n{RGD}", "..."),
        (f"%YAML 1.1\n---\n{RGD}", "%YAML 1.1"),
        (f"# head\n%TAG ! tag:example.com,2000:\n---\n{RGD}", "%TAG ! tag:example.com,2000:"),
        (f"{RGD}--- x\n", "x"),
        (f"{RGD}----\n{CONFIG}", "-"),
        (f"{RGD}---\nkind: [\n", "["),
        (f"{RGD}---\n%YAML 1.1\n---\n{CONFIG}", "%YAML 1.1"),
        (f"{RGD}---\nkind: A\nitems: x\n", "x"),
        (f"{RGD}...\n\x00\n", "\x00"),
        (f"{RGD}--\nkind: A\n", "--"),
        (f"{JSON}{JSON.replace('App', 'Other')}\nx\n", "x"),
        (f"{JSON}\n ---\nkind: A\n b: 1\n", "---"),
        (f" {RGD}", "kind: ResourceGraphDefinition"),
        (f"{JSON}---", "---"),
        (f"# head\n---\n---#first\n{RGD}", "---#first"),
        (f"# head\n---\n...\n---\n{RGD}", "..."),
        (f"{RGD}...\n%YAML 1.1\n---\n...\n", "..."),
        (f"---\n{CONFIG}...\n%YAML 1.1\n---\n%YAML 1.1\n---\n{RGD}", "%YAML 1.1"),
        (f"\ufeff%YAML 1.1\n---\n\ufeff{RGD}", "%YAML 1.1"),
    ],
)
def test_what_kubectl_refuses(text: str, marked: str) -> None:
    assert marked in read(text)[1]


def test_an_item_of_a_list_is_diagnosed_at_its_place() -> None:
    text = listed(RGD + "  resources:\n    - id: Config\n      template: {apiVersion: v1, kind: ConfigMap}\n")
    assert "Config" in read(text)[1]


def test_a_definition_that_kubectl_does_not_reach_is_reported() -> None:
    diagnosis = diagnose_text(Text(f"{CONFIG}...\n{RGD}"))
    assert [(each.severity, each.message[:22]) for each in diagnosis.diagnostics] == [
        ("warning", "kubectl does not read ")
    ]


def test_a_definition_with_an_object_pasted_below_it_is_still_analysed() -> None:
    text = (
        RGD + "  resources:\n    - id: Config\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
    )
    diagnosis = diagnose_text(Text(text + CONFIG))
    assert [each.code for each in diagnosis.diagnostics] == ["invalid-resource-id", "yaml-syntax"]
    assert [rgd.rgd.parts[0].id for rgd in diagnosis.analysis.rgds] == ["Config"]


@pytest.mark.parametrize("pasted", [CONFIG, CONFIG.replace("ConfigMap", "Service"), 'kind: "Secret"\napiVersion: v1\n'])
def test_an_object_pasted_below_a_definition_is_reported_with_a_separator(pasted: str) -> None:
    """kubectl takes the last of repeated keys, so that the definition would vanish without a word."""
    (found,) = diagnose_text(Text(RGD + pasted)).diagnostics
    assert (
        found.message == "a second object begins here, and kubectl drops the first; put '---' before it, or indent it"
    )
    assert found.span.start == len(RGD)
    (edit,) = found.fixes[0].replacements
    assert read(RGD + edit.text + pasted) == (1, [])
