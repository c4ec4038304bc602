"""The own fields of an RGD: unknown, missing, of a wrong type, refused values."""

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


@pytest.mark.parametrize("key", ["idZz", "Id", "identifier"])
def test_misspelt_required_field_is_one_finding(key: str) -> None:
    source = f"""
resources:
  - {key}: config
#   {"^" * len(key)} unknown-field: unknown field "{key}": did you mean 'id' (which is required)?
{CONFIG}
"""
    fixed = check_fixed(source, "Change to 'id'")
    assert "- id: config" in fixed


def test_misspelt_template_is_one_finding() -> None:
    check_fixed(
        """
resources:
  - id: config
    templateZz:
#   ^^^^^^^^^^ unknown-field: did you mean 'template'?
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Change to 'template'",
    )


def test_misspelt_for_each_does_not_breed() -> None:
    check_fixed(
        """
resources:
  - id: configs
    forEech:
#   ^^^^^^^ unknown-field: did you mean 'forEach'?
      - name: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
""",
        "Change to 'forEach'",
    )


def test_unknown_field_with_advice() -> None:
    check_diagnostics(f"""
resources:
  - id: config
    dependsOn: [other]
#   ^^^^^^^^^ unknown-field: kro orders resources by the references
{CONFIG}
  - id: other
#       ^^^^^ unused-resource: nothing refers to
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      name: shared
#     ^^^^ unknown-field: known here are apiVersion, kind, metadata
      metadata: {{name: shared}}
""")


def test_unknown_fields_everywhere() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
  label: {a: b}
# ^^^^^ unknown-field: did you mean 'labels'?
spec:
  schema:
    apiVersion: v1alpha1
    kind: Example
    statuQ: {}
#   ^^^^^^ unknown-field: did you mean 'status'?
  resource: []
# ^^^^^^^^ unknown-field: did you mean 'resources'?
""")


def test_unknown_field_at_the_top() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
  schema:
    apiVersion: v1alpha1
    kind: Example
resources: []
^^^^^^^^^ unknown-field: unknown field "resources": known here are apiVersion, kind, metadata, spec, status
""")


def test_preserved_fields_take_anything() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec: {anything: Thing}
  types: {Thing: {name: string}}
  metadata:
    labels: {team: web}
""")


def test_missing_fields_of_the_schema() -> None:
    check_diagnostics("""
schema:
  group: example.com
# ^^^^^ missing-field: apiVersion: Required value
# ^^^^^ missing-field: kind: Required value
""")


def test_null_is_absent() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1alpha1
  kind:
# ^^^^ missing-field: kind: Required value
  status: null
  scope: null
resources:
  - id: ~
#   ^^ missing-field: id: Required value
    readyWhen:
{CONFIG}
""")


def test_missing_schema() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
^^^^ missing-field: schema: Required value
  resources: []
""")


def test_empty_schema() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
  schema:
# ^^^^^^ missing-field: schema: Required value
  resources: []
""")


def test_missing_spec_and_name() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
^^^^ missing-field: spec: Required value
^^^^ missing-field: metadata.name: Required value
""")


def test_missing_name() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
^^^^^^^^ missing-field: metadata.name: Required value: name or generateName is required
  labels: {team: web}
spec:
  schema: {apiVersion: v1, kind: Example}
""")


def test_misspelt_name() -> None:
    check_fixed(
        """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  nam: example
# ^^^ unknown-field: did you mean 'name'?
spec:
  schema: {apiVersion: v1, kind: Example}
""",
        "Change to 'name'",
    )


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


def test_missing_external_reference_fields() -> None:
    check_diagnostics("""
resources:
  - id: config
    externalRef:
#   ^^^^^^^^^^^ missing-field: metadata: Required value
      apiVersion: v1
      knd: ConfigMap
#     ^^^ unknown-field: did you mean 'kind' (which is required)?
""")


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
#              ^ wrong-type: must be of type string: "integer"; expected a string
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


def test_two_iterators_in_one_entry() -> None:
    fixed = check_fixed(
        """
resources:
  - id: configs
    forEach:
      - first: ${["a", "b"]}
        second: ${["c", "d"]}
#       ^^^^^^ invalid-value: Too many: 2: must have at most 1 item
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${first + second}
""",
        "Begin a new list entry",
    )
    assert "      - second: " in fixed


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
#       ^^^^^^ unused-resource: nothing refers to
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


def test_an_expression_that_yaml_splits() -> None:
    fixed = check_fixed(
        """
resources:
  - id: config
    includeWhen:
      - ${schema.kind == "a" ? true : false}
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrong-type: quote the expression
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Quote the expression",
    )
    assert """- '${schema.kind == "a" ? true : false}'""" in fixed


def test_a_second_iterator_under_a_distant_dash_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics("""
resources:
  - id: configs
    forEach:
      -   first: ${["a", "b"]}
          second: ${["c", "d"]}
#         ^^^^^^ invalid-value: Too many: 2
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${first + second}"}
""")
    assert diagnostic.fixes == ()


def test_misspelt_resources_do_not_breed() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    name: ${config.metadata.name}
resurces:
^^^^^^^^ unknown-field: did you mean 'resources'?
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""")


@pytest.mark.parametrize(("key", "meant"), [("speQ", "spec"), ("specs", "spec")])
def test_misspelt_spec_does_not_breed(key: str, meant: str) -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  {key}:
# {"^" * len(key)} unknown-field: did you mean '{meant}'?
    name: string
  status:
    name: ${{schema.spec.name}}
    other: ${{schema.spec.other}}
#                        ^^^^^ undefined-field: undefined field 'other'
""")


def test_misspelt_for_each_and_each() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEac:
#   ^^^^^^ unknown-field: did you mean 'forEach'?
      - name: ${["a", "b"]}
    readyWhen:
      - ${each.metadata.name != ""}
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
# ^^^^ unknown-field: known here are conditions
""")


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("[]", 'must be of type object: "array"'),
        ("{generateName: 5}", 'must be of type string: "integer"'),
        ("{name: 5}", 'must be of type string: "integer"'),
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


def test_an_empty_item_is_null() -> None:
    check_diagnostics(f"""
resources:
  - id: config
    includeWhen: [~, *unknown]
#                 ^ wrong-type: must be of type string: "null"
#                    ^^^^^^^^ yaml-syntax
{CONFIG}
""")


def test_fields_behind_aliases_are_marked_where_they_are_written() -> None:
    check_diagnostics("""
resources:
  - id: config
    includeWhen: &conditions
      - ${true}
    template: &template
      apiVersion: v1
#     ^^^^^^^^^^^^^^ wrong-type: must be of type string: "object"
      kind: ConfigMap
      metadata: {name: config}
  - <<: {id: other, includWhen: []}
#                   ^^^^^^^^^^ unknown-field: did you mean 'includeWhen'?
    template: *template
  - id: last
    includeWhen: [*template]
    readyWhen: *conditions
    template: *template
""")


def test_the_proposed_name_is_one() -> None:
    check_fixed(
        """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: -My..app-.Example_
#       ^^^^^^^^^^^^^^^^^^ invalid-value: a lowercase RFC 1123 subdomain must consist of
spec:
  schema: {apiVersion: v1, kind: Example}
""",
        "Change to 'my.app.example'",
    )
