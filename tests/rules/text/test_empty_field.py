"""A field has no value, which server-side apply refuses."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def test_empty_fields_of_a_resource() -> None:
    fixed = check_fixed(
        """
resources:
  - id: config
    readyWhen:
    ^^^^^^^^^ empty-field: spec.resources[*].readyWhen in body must be of type array: "null"
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
#     ~~~~ empty-field
""",
        "Remove 'readyWhen'",
    )
    assert "readyWhen" not in fixed


def test_empty_fields_of_the_schema() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  scope:
  status:
  ^^^^^^ empty-field: spec.schema.status in body must be of type object: "null"
  types: null
  ^^^^^ empty-field: is empty
resources: []
""")


def test_an_empty_field_below_many_others() -> None:
    fields = "".join(f"    field{number}: string\n" for number in range(50))
    check_diagnostics(f"""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
{fields}  metadata:
# ^^^^^^^^ empty-field: 'metadata' is empty; a server-side apply, as of Flux and Argo CD, is refused
""")
