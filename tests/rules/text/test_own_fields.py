"""The own fields of an RGD that are unknown or missing."""

import pytest

from kro_ls.rules.diagnostics import Severity
from tests.fixtures.diagnostics import check_diagnostics

CONFIG = """\
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
"""


def test_unknown_field_with_advice() -> None:
    check_diagnostics(f"""
resources:
  - id: config
    dependsOn: [other]
#   ^^^^^^^^^ unknown-field: kro orders resources by the references
{CONFIG}
  - id: other
#       ^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      name: shared
#     ^^^^ unknown-field: the fields here are 'apiVersion', 'kind' and 'metadata'
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
^^^^^^^^^ unknown-field: unknown field 'resources'; the fields here are 'apiVersion', 'kind', 'metadata', 'spec' and
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
# ^^^^^^ empty-field: 'status' is empty
  scope: null
resources:
  - id: ~
#   ^^ missing-field: id: Required value
    readyWhen:
#   ^^^^^^^^^ empty-field: 'readyWhen' is empty
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


def test_metadata_is_checked_as_that_of_any_object() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
  namespace: Dropped_By_The_Server
  labels:
    team: web shop
    #     ^^^^^^^^ invalid-value: Invalid value: "web shop": a valid label must be
    "a b": c
    ^^^^^ invalid-value: Invalid value: "a b": name part must consist of
    UP.com/c: ""
    ^^^^^^^^ invalid-value: Invalid value: "UP.com/c": prefix part
  annotations:
    a/b/c: d
    ^^^^^ invalid-value: Invalid value: "a/b/c": a valid label key
    UPPER.com/x: any text
  finalizers: [kro.run/x, "a b"]
  #                       ^^^^^ invalid-value: Invalid value: "a b": name part
  ownerReferences:
    - {apiVersion: v1, kind: "", name: a, uid: b, controller: true}
    #                        ^^ invalid-value: Invalid value: "": must not be empty
    - {apiVersion: a/b/c, kind: X, name: a, uid: b, controller: true}
    #              ^^^^^ invalid-value: Invalid value: "a/b/c": version must not be empty
    #                                               ^^^^^^^^^^ invalid-value: Invalid value: true: Only one
spec:
  schema: {apiVersion: v1, kind: App}
""")


@pytest.mark.parametrize(("length", "found"), [(63, 0), (64, 1), (253, 1)])
def test_a_name_that_no_label_can_have(length: int, found: int) -> None:
    diagnostics = check_diagnostics(f"""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: {"a" * length}
# {" " * 6}{"^" * length if found else ""} {"invalid-value: kro puts it into a label" if found else ""}
spec:
  schema: {{apiVersion: v1, kind: App}}
""")
    assert [each.severity for each in diagnostics] == [Severity.WARNING] * found


def test_an_empty_status_is_no_expectation_of_a_test() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
^^^^ missing-field: spec: Required value
metadata: {name: app}
status: {}
""")


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
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}
  - id: last
    includeWhen: [*template]
    readyWhen: *conditions
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: last}}
""")


def test_metadata_that_is_there_and_empty_is_filled_in_its_place() -> None:
    (found,) = check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
^^^^^^^^ missing-field: 'metadata' is empty; it needs 'name'
spec:
  schema: {apiVersion: v1, kind: Example}
""")
    (fix,) = found.fixes
    assert fix.title == "Add 'name'"
    assert [edit.text.strip() for edit in fix.replacements] == ["name: my-app"]


def test_a_number_for_a_version_is_changed_to_a_version() -> None:
    (found,) = check_diagnostics("""
schema:
  apiVersion: 1
#             ^ wrong-type: 'apiVersion' must be a string, not an integer
  kind: Example
""")
    assert [fix.title for fix in found.fixes] == ["Change to 'v1'"]


def test_template_that_is_not_a_mapping() -> None:
    check_diagnostics("""
resources:
  - id: first
    template: ${schema.spec}
#             ^^^^^^^^^^^^^^ wrong-type: must be of type object: "string"
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
# ~~~~~~~~~~ missing-field
  kind: WebApp
  scope: Cluster
#        ~~~~~~~ invalid-value
  metadata:
# ~~~~~~~~ unknown-field
    labels: {a: b}
resources:
  - id: config
    readyWhen: ["${has(config.metadata.labels)}"]
#              ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ wrong-type
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}", namespace: a}
""")
