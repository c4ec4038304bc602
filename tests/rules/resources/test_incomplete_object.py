"""A template lacks apiVersion, kind or metadata."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize(
    ("key", "meant"), [("knd", "kind"), ("metdata", "metadata"), ("apiversion", "apiVersion"), ("Kind", "kind")]
)
def test_misspelt_object_field(key: str, meant: str) -> None:
    lines = {"apiVersion": "apiVersion: v1", "kind": "kind: ConfigMap", "metadata": "metadata: {name: config}"}
    lines[meant] = lines[meant].replace(meant, key)
    lines[meant] += f"\n#     {'^' * len(key)} incomplete-object: did you mean '{meant}' (which is required)?"
    body = "\n".join(f"      {line}" for line in lines.values()).replace("\n      #", "\n#")
    body = body.replace(f"\n#     {'^' * len(key)}", f"\n  #   {'^' * len(key)}")
    source = "resources:\n  - id: config\n    template:\n" + body
    check_fixed(source, f"Change to '{meant}'")


def test_missing_object_fields() -> None:
    check_diagnostics("""
resources:
  - id: first
    template: {}
#   ^^^^^^^^ incomplete-object: 'apiVersion', 'kind' and 'metadata' are missing
  - id: second
    template:
#   ^^^^^^^^ incomplete-object: resource second is not a valid Kubernetes object: metadata field not found
      apiVersion: v1
      kind: ConfigMap
      data: {}
""")


def test_object_fields_of_a_wrong_type() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: 1
#                 ^ incomplete-object: apiVersion field is not a string
      kind: [ConfigMap]
#           ^^^^^^^^^^^ incomplete-object: kind field is not a string
      metadata: ${schema.metadata}
#               ^^^^^^^^^^^^^^^^^^ incomplete-object: metadata field is not a map
  - id: second
    template:
      apiVersion: v1
      kind:
#     ^^^^ incomplete-object: kind field is not a string
      metadata:
#     ^^^^^^^^ incomplete-object: metadata field is not a map
""")


def test_misspelt_metadata_of_a_crd() -> None:
    check_diagnostics("""
resources:
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metdata: {name: "${schema.metadata.name}"}
#     ^^^^^^^ incomplete-object: field 'metdata'; did you mean 'metadata' (which is required)?
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
#   ~~~~~~~~ incomplete-object
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}"}
      apiVersion: v1
""")
