"""The values of an RGD's own fields: of a wrong type, or refused."""

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_diagnostics, check_fixed

CONFIG = """\
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
"""


def test_name_is_a_subdomain() -> None:
    check_fixed(
        """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: My_Example
#       ^^^^^^^^^^ invalid-value: a lowercase RFC 1123 subdomain must consist of
spec:
  schema: {apiVersion: v1, kind: Example}
""",
        "Change to 'my-example'",
    )


def test_api_version_of_the_rgd() -> None:
    check_fixed(
        """
apiVersion: kro.run/v1
#           ^^^^^^^^^^ invalid-value: no matches for kind "ResourceGraphDefinition" in version "kro.run/v1"
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
  schema: {apiVersion: v1, kind: Example}
""",
        "Change to 'kro.run/v1alpha1'",
    )


def test_wrong_types() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: 1
#             ^ wrong-type: must be of type string: "integer"
  kind: yes
#       ^^^ wrong-type: must be of type string: "boolean"
  spec: string
#       ^^^^^^ wrong-type: must be of type object: "string"
  status: []
#         ^^ wrong-type: must be of type object: "array"
  additionalPrinterColumns:
    - name: Age
      type: date
      jsonPath: .metadata.creationTimestamp
      priority: high
#               ^^^^ wrong-type: must be of type integer: "string"
resources:
  - id: 5
#       ^ wrong-type: must be of type string: "integer"
    readyWhen: [true]
#               ^^^^ wrong-type: must be of type string: "boolean"
{CONFIG}
  - text
#   ^^^^ wrong-type: must be of type object: "string"
""")


def test_quote_a_number() -> None:
    fixed = check_fixed(
        """
schema:
  apiVersion: v1
  kind: Example
  metadata:
    labels:
      version: 1
#              ^ wrong-type: must be a string, not an integer
""",
        'Change to "1"',
    )
    assert 'version: "1"' in fixed


def test_condition_that_is_not_a_list() -> None:
    fixed = check_fixed(
        """
resources:
  - id: config
    includeWhen: ${schema.metadata.name != "it's"}
#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrong-type: must be of type array: "string"
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        """Change to ['${schema.metadata.name != "it''s"}']""",
    )
    assert """includeWhen: ['${schema.metadata.name != "it''s"}']""" in fixed


def test_resources_that_are_not_a_list() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
  schema: {apiVersion: v1, kind: Example}
  resources: {config: {}}
#            ^^^^^^^^^^^^ wrong-type: must be of type array: "object"
""")


def test_spec_that_is_not_a_mapping() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: example}
spec: text
#     ^^^^ wrong-type: must be of type object: "string"
""")


def test_scope() -> None:
    check_fixed(
        """
schema:
  apiVersion: v1
  kind: Example
  scope: Namespace
#        ^^^^^^^^^ invalid-value: Unsupported value: "Namespace": supported values: "Namespaced", "Cluster"
""",
        "Change to 'Namespaced'",
    )


def test_short_names() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  shortNames: [ex, Ex, ex]
#                  ^^ invalid-value: should match '^[a-z]([-a-z0-9]*[a-z0-9])?$'
#                      ^^ invalid-value: Duplicate value: "ex"
  categories: [{"a" * 64}]
#              {"^" * 64} invalid-value: Too long: may not be more than 63 bytes
""")


def test_too_many_short_names() -> None:
    names = ", ".join(f"n{number}" for number in range(10, 43))
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  shortNames: [{names}]
#              {" " * 160}^^^ invalid-value: Too many: 33: must have at most 32 items
""")


def test_printer_column_fields() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  additionalPrinterColumns:
    - name: Age
#     ^^^^ missing-field: jsonPath: Required value
      typ: date
#     ^^^ unknown-field: did you mean 'type' (which is required)?
""")


def test_empty_iterator_and_empty_name() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - {}
#       ^^ invalid-value: should have at least 1 properties
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: configs}
  - id: shared
#       ^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ""
#             ^^ invalid-value: should be at least 1 chars long
""")


def test_iterators_of_a_for_each_that_is_not_a_list() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      name: ${["a", "b"]}
#     ^^^^^^^^^^^^^^^^^^^ wrong-type: must be of type array: "object"
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")


def test_the_frame_is_checked_too() -> None:
    check_diagnostics("""
apiVersion: [kro.run/v1alpha1]
#           ^^^^^^^^^^^^^^^^^^ wrong-type: must be of type string: "array"
kind: ResourceGraphDefinition
metadata:
  name: ""
#       ^^ missing-field: metadata.name: Required value: name or generateName is required
  labels:
    team: 1
#         ^ wrong-type: must be of type string: "integer"
  finalizers: [a/b, a/b]
  creationTimestamp: today
#                    ^^^^^ invalid-value: must be of type date-time: "today"
  ownerReferences:
    - name: a
#     ^^^^ missing-field: metadata.ownerReferences[0].uid: Required value
      kind: A
      apiVersion: v1
spec:
  schema: {apiVersion: v1, kind: Example}
status:
  state: 5
  sate: Active
# ^^^^ unknown-field: the fields here are 'conditions'
""")


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("[]", "must be a mapping, not a list"),
        ("{generateName: 5}", "must be a string, not an integer"),
        ("{name: 5}", "must be a string, not an integer"),
    ],
)
def test_of_metadata_of_a_wrong_type_nothing_else_is_said(metadata: str, message: str) -> None:
    (diagnostic,) = diagnose_text(
        Text(
            "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\n"
            f"metadata: {metadata}\nspec: {{schema: {{apiVersion: v1, kind: Example}}}}\n"
        )
    ).diagnostics
    assert diagnostic.code == "wrong-type"
    assert message in diagnostic.message


def test_a_generated_name() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {generateName: example-}
spec:
  schema: {apiVersion: v1, kind: Example}
""")
