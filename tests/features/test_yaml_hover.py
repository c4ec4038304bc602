"""Hover on YAML keys, and on the kinds of objects."""

from __future__ import annotations

import pytest

from kro_ls.features.hover.yaml import hover_yaml
from kro_ls.yaml_positions.positions import Span
from tests.fixtures.definitions import rgd
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
def test_a_key_tells_its_type_and_description(key: str, parts: list[str]) -> None:
    text, about = hovered(rgd(TEMPLATE).replace(f"{key}:", f"$0{key}:", 1))
    assert about == key
    for part in parts:
        assert part in text


def test_own_fields_tell_default_and_enum() -> None:
    text, _ = hovered(rgd(TEMPLATE).replace("    kind: App", "    kind: App\n    sc$0ope: Cluster", 1))
    assert 'default: `"Namespaced"`' in text
    assert 'one of: `"Namespaced"`, `"Cluster"`' in text


@pytest.mark.parametrize("value", ["apps/v1", "Deployment"])
def test_a_kind_tells_where_it_comes_from(value: str) -> None:
    text, about = hovered(rgd(TEMPLATE).replace(value, f"{value[:2]}$0{value[2:]}", 1))
    assert about == value
    for part in ("**Deployment** (`apps/v1`)", "scope: Namespaced", "plural: `deployments`", "stability: stable"):
        assert part in text
    assert "schema: Kubernetes 1." in text


def test_a_deprecated_kind_says_so() -> None:
    text, _ = hovered(rgd("- id: a\n  template:\n    apiVersion: v1\n    kind: End$0points\n    metadata: {name: a}"))
    assert "Deprecated: This API is deprecated in v1.33+" in text


@pytest.mark.parametrize("line", ["replicas: $01", "unk$0nown: 1", "replicas: $0"])
def test_unknown_fields_and_plain_values_tell_nothing(line: str) -> None:
    assert hovered(rgd(TEMPLATE).replace("replicas: 1", line)) == ("", "")


def test_declared_fields_are_left_to_simple_schema() -> None:
    assert hovered(rgd(TEMPLATE).replace("{name: string}", "{na$0me: string}")) == ("", "")
