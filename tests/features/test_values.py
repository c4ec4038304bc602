"""Values of expressions in a preview: hover, inlay hints, lenses and the texts of views."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.hints.code_lenses import code_lenses, resolve
from kro_ls.features.hints.inlay_hints import inlay_hints
from kro_ls.features.hover.hover import MOST_LINES, hover_evaluation
from kro_ls.features.previews.preview import Preview, judged, make_preview
from kro_ls.features.previews.views import FORMATS, crd_text, graph_text, instance_text, preview_text
from kro_ls.features.settings import InlayHintSettings
from kro_ls.workspace.instances import find_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.examples import FEW
from tests.fixtures.features import as_read, check_hover
from tests.fixtures.language import CURSOR, URI, Fixture, fixture

RESOURCES = """
- id: web
  readyWhen:
    - ${web.status.readyReplicas == web.spec.replicas}
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: "${schema.spec.name}-web"}
    spec:
      replicas: ${size(schema.spec.zones)}
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: web}]}
- id: pods
  forEach:
    - zone: ${schema.spec.zones}
  template:
    apiVersion: v1
    kind: Pod
    metadata:
      name: ${zone + "-pod"}
    spec:
      nodeName: ${schema.spec.zones.map(z, z + "1")[1]}
      containers: [{name: c, image: "${web.metadata.name}"}]
- id: config
  includeWhen:
    - ${schema.spec.extra}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}"}
"""
SPEC = '{name: string, zones: "[]string", extra: boolean | default=false}'
STATUS = "replicas: ${web.status.replicas}"
INSTANCE = """\
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: shop}
spec: {name: shop, zones: [a, b]}
"""
ALL = types.Range(types.Position(0, 0), types.Position(1000, 0))


def with_cursor(before: str, resources: str = RESOURCES) -> Fixture:
    """Return the example with the cursor right after a text that occurs once."""
    text = rgd(resources, spec=SPEC, status=STATUS)
    assert text.count(before) == 1, before
    return fixture(text.replace(before, before + CURSOR))


def preview_of(found: Fixture, instance: str = INSTANCE) -> Preview:
    (definition,) = found.document.analysis.rgds
    return make_preview(definition, find_instance(definition, URI, [("file:///shop.yaml", instance)]))


def value_at(before: str, instance: str = INSTANCE) -> str:
    """Return what hover says of the value of what ends with a text."""
    found = with_cursor(before)
    return check_hover(found, preview=preview_of(found, instance)).rpartition("---\n\n")[2]


def as_json(value: object) -> str:
    return f"Value with `shop.yaml`:\n\n```json\n{json.dumps(value, indent=2)}\n```"


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("nodeName: ${schema.spec.zones", ["a", "b"]),
        ("nodeName: ${schema.sp", {"name": "shop", "zones": ["a", "b"], "extra": False}),
        ("replicas: ${siz", 2),
        ("replicas: ${web.status.replicas", 2),
        ("${web.status.readyReplicas =", True),
        ("== web.spec.replicas", 2),
        ('image: "${web.metadata.name', "shop-web"),
    ],
)
def test_hover_shows_the_value_of_the_part_under_the_cursor(before: str, value: object) -> None:
    shown = value_at(before)
    expected = as_json(value)
    if "image" in before or "nodeName" in before:
        expected = expected.replace("`shop.yaml`", "`shop.yaml`, first of 2")
    assert shown == expected


def test_iterators_have_the_value_of_the_first_object() -> None:
    assert value_at("name: ${zone") == 'Value with `shop.yaml`, first of 2:\n\n```json\n"a"\n```'


def test_what_uses_a_macros_variable_has_the_value_of_the_macro() -> None:
    shown = value_at("zones.map(z, z")
    assert shown.startswith('Value of `schema.spec.zones.map(z, z + "1")` with `shop.yaml`, first of 2:')
    assert value_at("schema.spec.zones.ma").startswith("Value with `shop.yaml`, first of 2:")
    assert json.loads(shown.partition("```json\n")[2].removesuffix("```")) == ["a1", "b1"]


def test_hover_shows_the_schema_and_then_the_value() -> None:
    found = with_cursor("replicas: ${web.status.replicas")
    plain = check_hover(found, about="replicas")
    assert check_hover(found, about="replicas", preview=preview_of(found)) == f"{plain}\n\n---\n\n{as_json(2)}"


def test_a_long_value_is_cut() -> None:
    lines = value_at("- zone: ${schema.spec.zo", INSTANCE.replace("[a, b]", str(list("abc" * 20)))).splitlines()
    assert len(lines) == MOST_LINES + 5
    assert lines[-2].endswith("more lines")


def test_the_value_of_a_resource_is_shown_without_the_labels_of_kro() -> None:
    text = value_at('image: "${we')
    assert '"name": "shop-web"' in text
    assert "kro.run/" not in text.partition("```json")[2].partition("```")[0].replace("kro.run/v1alpha1", "")
    assert text.endswith("The labels and annotations that kro adds are left out.")


def test_why_there_is_no_value() -> None:
    one = INSTANCE.replace("[a, b]", "[a]")
    assert value_at('"1")[1]', one) == "No value with `shop.yaml`, first of 1: index out of bounds: 1"
    without = INSTANCE.replace("[a, b]", "[]")
    assert "no objects" in value_at("name: ${zone", without)
    refused = INSTANCE.replace("[a, b]", "7")
    assert value_at("replicas: ${siz", refused).startswith(
        "No value with `shop.yaml`: the API server would refuse this instance: "
    )


def test_a_sample_is_made_up_where_there_is_no_instance() -> None:
    assert value_at("replicas: ${siz", "kind: Other\n") == "Value with a generated sample:\n\n```json\n1\n```"


def test_literals_and_yaml_have_no_value() -> None:
    assert "Value with" not in value_at('${zone + "-po')
    assert "Value with" not in value_at("kind: Depl")


def hints(instance: str = INSTANCE) -> dict[str, str]:
    found = with_cursor("kind: Depl")
    lines = found.content.split("\n")
    off = InlayHintSettings(status_types=False, iterator_types=False)
    shown = inlay_hints(found.document, ALL, off, [preview_of(found, instance)])
    return {lines[each.position.line].strip(): str(each.label) for each in shown}


def test_inlay_hints_show_values() -> None:
    assert hints() == {
        "replicas: ${web.status.replicas}": "= 2",
        "- ${web.status.readyReplicas == web.spec.replicas}": "= true",
        'metadata: {name: "${schema.spec.name}-web"}': '= "shop-web"',
        "replicas: ${size(schema.spec.zones)}": "= 2",
        "- zone: ${schema.spec.zones}": '= ["a", "b"]',
        'name: ${zone + "-pod"}': '= "a-pod"',
        'nodeName: ${schema.spec.zones.map(z, z + "1")[1]}': '= "b1"',
        'containers: [{name: c, image: "${web.metadata.name}"}]': '= "shop-web"',
        "- ${schema.spec.extra}": "= false",
        'metadata: {name: "${schema.spec.name}"}': '= "shop"',
    }


def test_inlay_hints_are_short_and_show_missing_values() -> None:
    long = hints(INSTANCE.replace("[a, b]", f"[{'a' * 100}]"))
    assert len(long["- zone: ${schema.spec.zones}"]) == len("= ") + 40
    assert long['nodeName: ${schema.spec.zones.map(z, z + "1")[1]}'] == "= no value"


def test_a_costly_expression_has_no_value_here() -> None:
    costly = "lists.range(1000).map(x, lists.range(1000)).size()"
    found = with_cursor(
        "replicas: ${siz", RESOURCES.replace("${size(schema.spec.zones)}", f"${{size(string({costly}))}}")
    )
    check_hover(found, "evaluation stopped", preview=preview_of(found))


def titles(instance: str = INSTANCE, more: str = "") -> dict[str, str]:
    found = with_cursor("kind: Depl", RESOURCES + more)
    lines = found.content.split("\n")
    preview = preview_of(found, instance)
    shown = {}
    for lens in code_lenses(found.document):
        resolved = resolve(as_read(lens, types.CodeLens), preview)
        assert resolved.command is not None
        assert (resolved.command.command, resolved.command.arguments) == ("kro.preview", [lens.data])
        shown[lines[lens.range.start.line].strip()] = resolved.command.title
    return shown


def test_lenses_say_what_becomes_of_each_resource() -> None:
    assert titles() == {
        "apiVersion: kro.run/v1alpha1": "Preview with shop.yaml · ACTIVE",
        "- id: web": "1 object · ready",
        "- id: pods": "2 objects · ready",
        "- id: config": "left out: includeWhen is false",
    }


def test_the_lens_of_an_external_reference_does_not_say_that_an_object_is_made() -> None:
    external = "- id: token\n  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: token}}\n"
    assert titles(more=external)["- id: token"] == "1 external object · ready"


def test_lenses_of_a_refused_instance() -> None:
    shown = titles(INSTANCE.replace("[a, b]", "7"))
    assert shown["apiVersion: kro.run/v1alpha1"] == "Preview with shop.yaml · the API server refuses this instance"
    assert shown["- id: web"] == "Preview"


def test_the_texts_of_a_preview() -> None:
    found = with_cursor("kind: Depl")
    preview, text_of = preview_of(found), partial(preview_text, found.document)
    text = text_of(preview, "yaml")
    assert text.startswith(
        "# App default/shop (shop.yaml): ACTIVE\n"
        "# config is ignored: includeWhen is not true: schema.spec.extra\n---\n# web\n"
    )
    assert text.count("\n---\n") == 4
    assert text_of(preview, "yaml", "pods").count("kind: Pod") == 2
    assert "Deployment" not in text_of(preview, "yaml", "pods")
    everything = json.loads(text_of(preview, "json"))
    assert [each["id"] for each in everything["nodes"]] == ["web", "pods", "config"]
    assert [each["node"] for each in json.loads(text_of(preview, "json", "web"))["objects"]] == ["web"]
    table = text_of(preview, "table", "web").splitlines()
    assert [line.split() for line in table[2:]] == [
        ["NODE", "KIND", "STATE", "OBJECTS", "REASON"],
        ["web", "Deployment", "ready", "1"],
    ]
    refused = text_of(preview_of(with_cursor("kind: Depl"), INSTANCE.replace("[a, b]", "7")), "yaml")
    assert refused.startswith("# The API server would refuse this instance (shop.yaml):\n#   spec.zones")


DAMAGE = st.tuples(
    st.floats(0, 1),
    st.integers(0, 12),
    st.sampled_from(["", "x", "}", "${", "'", "\n", "  ", "[", "?", ".", "null", "1"]),
)


@given(st.lists(DAMAGE, max_size=3))
@FEW
def test_no_damage_to_the_definition_raises(damages: list[tuple[float, int, str]]) -> None:
    text = rgd(RESOURCES, spec=SPEC, status=STATUS)
    for place, length, instead in damages:
        start = int(place * len(text))
        text = text[:start] + instead + text[start + length :]
    document = fixture(text).document
    for definition in document.analysis.rgds:
        preview = make_preview(definition, find_instance(definition, URI, [(URI, INSTANCE)]))
        for offset in range(0, len(text), 5):
            hover_evaluation(Cursor(document, offset), preview)
        inlay_hints(document, ALL, InlayHintSettings(), [preview])
        assert all(resolve(as_read(lens, types.CodeLens), preview).command for lens in code_lenses(document))
        preview = judged(preview, document.diagnosis)
        assert all(preview_text(document, preview, output_format) for output_format in FORMATS["preview"])
        assert all(resolve(as_read(lens, types.CodeLens), preview).command for lens in code_lenses(document))


def test_the_other_texts() -> None:
    (definition,) = with_cursor("kind: Depl").document.analysis.rgds
    assert "  web --> pods" in graph_text(definition, "mermaid").splitlines()
    assert graph_text(definition, "dot").startswith("digraph kro {")
    assert json.loads(graph_text(definition, "json"))[0]["name"] == "app"
    crd = crd_text(definition, "json")
    assert crd is not None
    assert json.loads(crd)["spec"]["names"]["kind"] == "App"
    instance = instance_text(definition)
    assert instance is not None
    assert instance.startswith("apiVersion: kro.run/v1alpha1\nkind: App\nmetadata:\n  name: my-app\n")
