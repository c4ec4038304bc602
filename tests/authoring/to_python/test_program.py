"""Definitions as programs: what they look like, and that they build the same again."""

from __future__ import annotations

import ast
import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.analysis.analysis import analyze
from kro_ls.authoring.compositions.user_program import yaml_of
from kro_ls.authoring.known_kinds import using_kinds
from kro_ls.authoring.to_python.python_program import Program, program_of
from kro_ls.authoring.to_python.resource_statements import CannotBePythonError
from kro_ls.golang.quoting import go_quoted
from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.scalars.writing import double_quoted
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd, rgd_around
from tests.fixtures.manifests import KINDS, nodes_of
from tests.fixtures.rendered import rendered_objects
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

SHOP = rgd_around("""\
schema:
  apiVersion: v1alpha1
  kind: Shop
  spec:
    image: string | default="nginx:1.29"
    replicas: integer | default=2 minimum=1 maximum=9
    size: string | enum="small,large" default=small description="How large"
    regions: "[]string | default=[\\"eu\\"]"
    ports: map[string]integer
    ingress:
      enabled: boolean | default=false
      host: string
  status:
    ready: ${web.status.readyReplicas}
resources:
  - id: settings
    externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shared}}
  - id: configs
    forEach:
      - region: ${schema.spec.regions}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-${region}"}
      data:
        region: ${region.upperAscii()}
        url: http://${web.metadata.name}.${schema.metadata.namespace}:80/${"${HOME}"}
        lower: ${schema.spec.?size.orValue("small")}
    readyWhen:
      - ${each.metadata.name != ""}
  - id: web
    includeWhen:
      - ${schema.spec.ingress.enabled || schema.spec.replicas > 1 && !("x" in schema.spec.regions)}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        replicas: "${schema.spec.size == 'large' ? schema.spec.replicas * 2 : schema.spec.replicas}"
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
              - name: web
                image: ${schema.spec.image}
                args: "${schema.spec.regions.filter(r, r != 'x').map(r, '--' + r)}"
                env: [{name: LEVEL, value: "${has(settings.data.level) ? settings.data.level : 'info'}"}]
    readyWhen:
      - ${web.status.readyReplicas == web.spec.replicas}
""")


def program(text: str) -> Program:
    """Return the program for a definition, which builds one that gives the same objects."""
    with using_kinds(KINDS):
        found = program_of(analyze(Text(text), KINDS).rgds[0], KINDS)
        ast.parse(found.text)
        built = yaml_of(found.text)
    for spec in (
        {"ports": {"a": 1}},
        {"size": "large", "regions": ["x", "us"], "replicas": 3, "ingress": {"enabled": True}},
    ):
        assert rendered_objects(built, spec) == rendered_objects(text, spec)
    return found


def test_a_definition_becomes_a_typed_program() -> None:
    made = program(SHOP)
    assert [line.strip() for line in made.text.splitlines() if "import" in line] == [
        "from dataclasses import dataclass, field",
        "from typing import Annotated, Any, Literal",
        "from msgspec import Meta",
        "from kro_ls.authoring import ObjectMeta, cel, composition, each, external, when",
        "from kro_ls.authoring.kinds.apps.v1 import Deployment",
        "from kro_ls.authoring.kinds.core.v1 import ConfigMap",
    ]
    for line in (
        "    replicas: Annotated[int, Meta(ge=1, le=9)] = 2",
        '    size: Annotated[Literal["small", "large"], Meta(description="How large")] = "small"',
        "    regions: list[str] = field(default_factory=lambda: ['eu'])",
        "ABSENT: Any = None  # of fields that an instance may leave out",
        "    ports: dict[str, int] = ABSENT",
        '    ingress: Annotated[ShopIngress, Meta(extra_json_schema={"default": {}})]',
        "def example(spec: ShopSpec, metadata: ObjectMeta) -> dict[str, Any]:",
        '    settings = external(ConfigMap, name="settings", namespace="shared", id="settings")',
        '    region = each(spec.regions, name="region")',
        '        metadata={"name": f"{metadata.name}-{region.item}"},',
        '            "region": cel.upperAscii(region.item),',
        '            "lower": cel.orValue(cel.expression("schema.spec.?size"), "small"),',
        '            "url": f"http://{web.metadata.name}.{metadata.namespace}:80/${{HOME}}",',
        '        ready_when=lambda self: self.metadata.name != "",',
        '            "replicas": when(spec.size == "large").then(spec.replicas * 2).otherwise(spec.replicas),',
        "        ready_when=lambda self: self.status.readyReplicas == self.spec.replicas,",
        '    return {"ready": web.status.readyReplicas}',
    ):
        assert f"{line}\n" in made.text, made.text
    assert 'include_when=[spec.ingress.enabled | (spec.replicas > 1) & ~("x" in spec.regions)]' in made.text
    assert 'cel.map(cel.filter(spec.regions, lambda r: r != "x"), lambda r: "--" + r)' in made.text
    assert made.texts == 1
    assert made.text.index("    web = Deployment(") < made.text.index("    ConfigMap("), "what it reads comes first"


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples(file: Path) -> None:
    for found in analyze(Text(file.read_text(encoding="utf-8")), KINDS).rgds:
        if file.stem == "broken":
            continue
        with using_kinds(KINDS):
            assert program_of(found, KINDS).text


def test_wrong_expressions_stay_wrong() -> None:
    wrong = SHOP.replace("${schema.spec.image}", "${schema.spec.imag}").replace(
        "${region.upperAscii()}", "${region + 1}"
    )
    with using_kinds(KINDS):
        made = program_of(analyze(Text(wrong), KINDS).rgds[0], KINDS)
        built = yaml_of(made.text)
    assert made.texts == 3
    codes = [
        sorted(each.code for each in _diagnosed(text) if each.severity.value == "error") for text in (wrong, built)
    ]
    assert codes[0] == codes[1] != []


def _diagnosed(text: str) -> Any:
    from kro_ls.workspace.documents import Document

    return Document("rgd.yaml", None, Text(text), schemas=KINDS).diagnosis.diagnostics


def test_resources_that_wait_for_each_other_stay_so() -> None:
    circle = rgd(
        "- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${b.metadata.name}'}}\n"
        "- id: b\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${a.metadata.name}'}}\n"
    )
    with using_kinds(KINDS):
        made = program_of(analyze(Text(circle), KINDS).rgds[0], KINDS)
    assert 'cel.expression("b.metadata.name")' in made.text


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("kind: Shop", 'kind: "S:\\n    import os\\nclass T"', "is no kind; give spec.schema.kind a word"),
        ("id: settings", "id: a-b", "resource 1 has a form that no composition has"),
        ('      - ${each.metadata.name != ""}', "      - each", "is a text; a condition is a reference"),
        ("metadata: {name: settings,", "metadata: {label: settings,", "an external reference has a form"),
    ],
)
def test_what_no_composition_can_say_is_reported(before: str, after: str, message: str) -> None:
    assert before in SHOP
    text = SHOP.replace(before, after)
    with using_kinds(KINDS), pytest.raises(CannotBePythonError, match=message.replace("(", "[(]")):
        program_of(analyze(Text(text), KINDS).rgds[0], KINDS)


_EVIL = st.sampled_from(
    [
        'x"]) or evil() or (["',
        "x'}) or evil() or ({'",
        "x\n    evil()\n",
        "{evil()}",
        "x: evil()\n",
        '\\"+evil()+"',
        "evil()",
    ]
)


@given(st.lists(_EVIL, min_size=8, max_size=8))
@settings(max_examples=30)
def test_nothing_in_a_definition_becomes_code(evil: list[str]) -> None:
    name, label, field, description, key, value, code, loop = evil
    schema = {
        "apiVersion": "v1alpha1",
        "kind": "App",
        "spec": {"name": "string", field: f"string | description={description!r}"},
    }
    template = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "labels": {label: value}},
        "data": {key: f"a-{value}-${{schema.spec.name + {go_quoted(code)}}}"},
    }
    resources = [{"id": "a", "forEach": [{"one": f"${{[{go_quoted(loop)}]}}"}], "template": template}]
    definition = rgd_around(to_yaml({"schema": schema, "resources": resources}))
    definition = definition.replace("name: example", f"name: {double_quoted(name)}", 1)
    with using_kinds(KINDS), contextlib.suppress(CannotBePythonError):
        made = program_of(analyze(Text(definition), KINDS).rgds[0], KINDS)
        assert not any(isinstance(each, ast.Name) and each.id == "evil" for each in ast.walk(ast.parse(made.text)))


_PARTS = st.sampled_from(
    [
        "${schema.spec.name}",
        "${string(schema.spec.size)}",
        "a",
        '"',
        "'",
        "\\",
        "{",
        "}",
        "\n",
        "$",
        "é",
        "#",
        "\t",
        "${'x'}",
        "%",
    ]
)


@given(st.lists(_PARTS, max_size=8).map("".join))
@settings(max_examples=60)
def test_any_texts(text: str) -> None:
    template = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"text": text}}
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string", "size": "integer"}}
    definition = rgd_around(to_yaml({"schema": schema, "resources": [{"id": "a", "template": template}]}))
    made = analyze(Text(definition), KINDS).rgds[0]
    resource = made.rgd.resources[0].resource
    with using_kinds(KINDS):
        try:
            built = yaml_of(program_of(made, KINDS).text)
        except CannotBePythonError:
            assert any(each.inspection.parsed.errors for each in resource.expressions)
            return
    if not resource.faulty_texts:
        assert rendered_objects(built) == rendered_objects(definition)
    assert nodes_of(built)["a"]["template"]["kind"] == "ConfigMap"
