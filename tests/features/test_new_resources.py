"""Texts in templates become a ConfigMap: all other objects stay the same, except for the reference."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.authoring.from_manifests.input_objects import Key
from kro_ls.features.actions.refactorings import found_refactorings
from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.scalars.writing import edited
from tests.fixtures.definitions import rgd_around
from tests.fixtures.language import fixture
from tests.fixtures.rendered import rendered_objects

DEFINITION = rgd_around("""\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    host: string | default=example
    active: boolean | default=true
resources:
  # Comes first.
  - id: web
    includeWhen:
      - ${schema.spec.active}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}-web
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
              - name: main
                image: nginx:1.29
                env:
                  - name: LEVEL
                    value: debug
                  - name: URL
                    value: http://${schema.spec.host}:80
                  - {name: SIZE, value: "3"}
                  - name: LOG
                    value: $(LEVEL)-log
                  - name: POD
                    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        url: http://${schema.spec.host}:80
""")
VARIABLES = "Extract 3 variables to a ConfigMap"
SHARED = "Extract to a ConfigMap that 2 places read"


def offered(place: str, definition: str = DEFINITION) -> dict[str, str]:
    found = fixture(definition.replace(place, f"$0{place}", 1))
    return {each.title: edited(definition, each.replacements) for each in found_refactorings(found.cursor)}


def test_variables_of_a_container_become_a_config_map() -> None:
    text = offered("env:")[VARIABLES]
    before, after = rendered_objects(DEFINITION), rendered_objects(text)
    (added,) = after.keys() - before.keys()
    assert after[added]["data"] == {"LEVEL": "debug", "URL": "http://example:80", "SIZE": "3"}
    assert added.name == "my-app-web-env"
    web = next(key for key in before if key.kind == "Deployment")
    level, _, _, log, pod = after[web]["spec"]["template"]["spec"]["containers"][0].pop("env")
    assert level == {"name": "LEVEL", "valueFrom": {"configMapKeyRef": {"name": added.name, "key": "LEVEL"}}}
    before_env = before[web]["spec"]["template"]["spec"]["containers"][0].pop("env")
    assert [log, pod] == before_env[3:], "Kubernetes replaces $(LEVEL) only in a value"
    assert {key: value for key, value in after.items() if key != added} == before
    assert rendered_objects(text, {"active": False}).keys() == {key for key in before if key != web}
    assert text.index("- id: webEnv") < text.index("# Comes first.")


def test_what_a_config_map_cannot_hold_stays() -> None:
    assert VARIABLES not in offered("image: nginx")
    assert VARIABLES not in offered("env:", DEFINITION.replace("name: URL", "name: LEVEL")), "the last one counts"
    several = DEFINITION.replace("    includeWhen:\n", "    forEach:\n      - word: ${['a']}\n    includeWhen:\n")
    assert not any("variables" in each for each in offered("env:", several))
    named = offered("env:", DEFINITION.replace("- name: URL", "- name: a b"))
    assert "Extract 2 variables to a ConfigMap" in named


def test_a_second_config_map_has_another_id_and_name() -> None:
    once = offered("env:")[VARIABLES]
    again = once.replace("            env:", "            env:\n                    - {name: MORE, value: x}", 1)
    assert "Extract the variable to a ConfigMap" in offered("env:", again)
    text = offered("env:", again)["Extract the variable to a ConfigMap"]
    assert "id: webEnv2" in text
    assert "name: ${schema.metadata.name}-web-env-2" in text


def test_a_text_that_is_repeated_is_read_from_a_config_map() -> None:
    text = offered("schema.spec.host}:80")[SHARED]
    before, after = rendered_objects(DEFINITION), rendered_objects(text)
    (added,) = after.keys() - before.keys()
    assert after.pop(added)["data"] == {"value": "http://example:80"}
    assert after == before
    assert text.count("${schema.spec.host}") == 1


def test_a_text_that_stands_once_or_is_no_text_stays() -> None:
    once = DEFINITION.replace("url: http://${schema.spec.host}:80", "url: x")
    assert SHARED not in offered("schema.spec.host}:80", once)
    numbers = rgd_around("""\
schema: {apiVersion: v1alpha1, kind: App, spec: {size: integer | default=2}}
resources:
  - id: one
    template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: "${schema.spec.size}"}}
  - id: two
    template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}, spec: {replicas: "${schema.spec.size}"}}
""")
    assert SHARED not in offered("schema.spec.size}", numbers)


_TEXTS = st.sampled_from(
    [
        "",
        "a",
        "3",
        "true",
        "null",
        "a: b",
        " a",
        "#a",
        "a\nb\n",
        '"',
        "'",
        "\\",
        "$(A)",
        "${schema.spec.host}",
        "é",
        "- a",
    ]
)


@given(
    st.lists(
        st.tuples(st.sampled_from("A BB C.d e-f G_".split()), _TEXTS),
        min_size=1,
        max_size=5,
        unique_by=lambda each: each[0],
    )
)
@settings(max_examples=30)
def test_any_variables(drawn: list[tuple[str, str]]) -> None:
    env = [{"name": name, "value": text} for name, text in drawn]
    pod: dict[str, Any] = {"containers": [{"name": "main", "image": "a", "env": env}]}
    template = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": pod}
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"host": "string | default=h"}}
    definition = rgd_around(to_yaml({"schema": schema, "resources": [{"id": "pod", "template": template}]}))
    before = rendered_objects(definition)
    movable = {name for name, text in drawn if text and "$(" not in text}
    found = [text for title, text in offered("env:", definition).items() if "variable" in title]
    assert len(found) == bool(movable)
    for text in found:
        after = rendered_objects(text)
        data = after.pop(Key("v1", "ConfigMap", "default", "a-env"))["data"]
        assert data.keys() == movable
        (value,) = after.values()
        for each in value["spec"]["containers"][0]["env"]:
            if each["name"] in movable:
                assert each.pop("valueFrom") == {"configMapKeyRef": {"name": "a-env", "key": each["name"]}}
                each["value"] = data[each["name"]]
        assert after == before
