"""Resources cannot do without a field that the schema does not require."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("string", "string | required=true"),
        ("string | minLength=1", "string | minLength=1 required=true"),
        ("'string'", "'string | required=true'"),
    ],
)
def test_a_field_that_is_always_read_is_implicitly_required(written: str, fixed: str) -> None:
    result = check_fixed(
        f"""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: {written}
#   ^^^^^ implicitly-required-field: 'title' is optional, but 2 resources need it
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{schema.spec.title}}
      data:
        again: ${{schema.spec.title}}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{schema.spec.title}}-2
""",
        "Mark as required",
    )
    assert f"title: {fixed}\n" in result


def test_the_name_of_a_field_may_be_a_reserved_word_of_cel() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    namespace: string
#   ^^^^^^^^^ implicitly-required-field: 'namespace' is optional, but a resource needs it
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        namespace: ${schema.spec.namespace}
"""
    )


def test_a_mapping_has_no_marker() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    place:
#   ^^^^^ implicitly-required-field: 'place' is optional, but a resource needs it
      city: string
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.place.city}
""")
    assert diagnostic.fixes == ()


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
#   ~~~~ implicitly-required-field
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
""")
