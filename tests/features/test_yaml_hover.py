"""Hover on YAML keys, and on the kinds of objects."""

from __future__ import annotations

import pytest

from kro_ls.features.documentation.kinds import describe_kind
from kro_ls.features.hover.hover import hover_yaml
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.yaml_positions.positions import Span
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_hover
from tests.fixtures.language import fixture

TEMPLATE = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: 1
      selector: {}
      template:
        spec:
          serviceAccount: a
          containers:
            - name: x
              livenessProbe: {httpGet: {port: 1}}
"""


def hovered(source: str) -> tuple[str, str]:
    """Return the Markdown at the cursor and the text that it is about."""
    found = fixture(source)
    text, span = hover_yaml(found.cursor) or ("", Span(0, 0))
    return text, found.content[span.start : span.end]


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("replicas", ["**replicas**: `integer`", "Number of desired pods", "format: `int32`", "apps/v1 Deployment"]),
        ("selector", ["**selector**: `object`, required", "Label selector"]),
        ("serviceAccount", ["`string`, deprecated"]),
        ("containers", ["`[]object`, required"]),
        ("port", ["`integer or string`, required"]),
        ("metadata", ["**metadata**: `object`, required"]),
        ("template", ["The Kubernetes object to create"]),
        ("id", ["**id**: `string`, required", "lowerCamelCase"]),
        ("resources", ["`[]object`", "The resources of an instance"]),
    ],
)
def test_a_key_shows_its_type_and_description(key: str, parts: list[str]) -> None:
    text, about = hovered(rgd(TEMPLATE).replace(f"{key}:", f"$0{key}:", 1))
    assert about == key
    for part in parts:
        assert part in text


def test_own_fields_show_default_and_enum() -> None:
    text, _ = hovered(rgd(TEMPLATE).replace("    kind: App", "    kind: App\n    sc$0ope: Cluster", 1))
    assert 'default: `"Namespaced"`' in text
    assert 'one of: `"Namespaced"`, `"Cluster"`' in text


@pytest.mark.parametrize("value", ["apps/v1", "Deployment"])
def test_a_kind_says_where_it_comes_from(value: str) -> None:
    text, about = hovered(rgd(TEMPLATE).replace(value, f"{value[:2]}$0{value[2:]}", 1))
    assert about == value
    for part in ("**Deployment** (`apps/v1`)", "scope: Namespaced", "plural: `deployments`", "stability: stable"):
        assert part in text
    assert "schema: Kubernetes 1." in text


def test_a_deprecated_kind_says_so() -> None:
    text, _ = hovered(rgd("- id: a\n  template:\n    apiVersion: v1\n    kind: End$0points\n    metadata: {name: a}"))
    assert "Deprecated: This API is deprecated in v1.33+" in text


@pytest.mark.parametrize(
    ("line", "value", "part"),
    [
        ("replicas: $01", "1", "**replicas**: `integer`"),
        ("strategy: {type: Recr$0eate}", "Recreate", 'Can be "Recreate"'),
    ],
)
def test_a_value_says_what_its_field_takes(line: str, value: str, part: str) -> None:
    text, about = hovered(rgd(TEMPLATE).replace("replicas: 1", line))
    assert about == value
    assert part in text


@pytest.mark.parametrize(("value", "more"), [("Clu$0ster", ""), ("Glo$0bal", "`Global` is not one of these.")])
def test_a_value_of_an_enum_shows_the_others(value: str, more: str) -> None:
    text, _ = hovered(rgd(TEMPLATE).replace("    kind: App", f"    kind: App\n    scope: {value}", 1))
    assert 'one of: `"Namespaced"`, `"Cluster"`' in text
    assert text.endswith(more)


@pytest.mark.parametrize(
    ("api_version", "kind", "parts"),
    [
        (
            "example.com/v1",
            "Buc$0ket",
            ["**Bucket** (`example.com/v1`)", "Its schema is unknown. Add its CustomResourceDefinition"],
        ),
        ("example.com/$0v1", "Bucket", ["No kind of this group and version is known"]),
        ("apps/v1", "Depl$0oyments", ["Kubernetes has no such kind", "`Deployment` (`apps/v1`)"]),
        ("apps$0/v1", "Deployments", ["Kinds: `ControllerRevision`", "`StatefulSet`"]),
    ],
)
def test_an_unknown_kind_says_what_to_do(api_version: str, kind: str, parts: list[str]) -> None:
    text, _ = hovered(rgd(f"- id: a\n  template:\n    apiVersion: {api_version}\n    kind: {kind}"))
    for part in parts:
        assert part in text


def test_a_key_of_the_status_shows_the_type_of_its_expression() -> None:
    found = fixture(rgd(TEMPLATE, status="na$0me: ${schema.metadata.name + 'x'}"))
    check_hover(found, "**name**: `string`, field of the status", "schema.metadata.name + 'x'", about="name")


@pytest.mark.parametrize(
    ("field", "reported"),
    [
        ("selec$0tor: {}", "Cannot be changed after creation.\n\n"),
        ("selector: {match$0Labels: {}}", "Cannot be changed after creation, as all of `spec.selector`."),
    ],
)
def test_a_field_that_the_api_server_keeps_as_it_is(field: str, reported: str) -> None:
    text, _ = hovered(rgd(TEMPLATE).replace("selector: {}", field))
    assert reported in text


@pytest.mark.parametrize("line", ["unk$0nown: 1", "unknown: $01", "replicas: $0"])
def test_unknown_fields_have_no_hover(line: str) -> None:
    assert hovered(rgd(TEMPLATE).replace("replicas: 1", line)) == ("", "")


def test_declared_fields_are_left_to_simple_schema() -> None:
    assert hovered(rgd(TEMPLATE).replace("{name: string}", "{na$0me: string}")) == ("", "")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("/home/me/platform/crds/dbinstance.yaml", "crds/dbinstance.yaml"),
        ("crd.yaml", "crd.yaml"),
        ("Kubernetes 1.34", "Kubernetes 1.34"),
    ],
)
def test_where_a_schema_comes_from_is_shown_without_the_path_of_the_machine(source: str, shown: str) -> None:
    kind = KindSchema(GroupVersionKind("example.com", "v1", "Widget"), "widgets", True, (), source, dict)
    assert f"schema: {shown}" in describe_kind(kind, None)
