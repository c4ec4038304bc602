"""What a resource is: its form, its object, its iterators."""

import pytest

from kro_ls.kro.limits import MOST_DIMENSIONS
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def test_neither_template_nor_reference() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
#   ^^^^^^^^ resource-form: this is empty; expected an object
  - id: other
#       ^^^^^ resource-form: neither 'template' nor 'externalRef' is given
""")


def test_empty_entry() -> None:
    check_diagnostics("""
resources:
  - {}
#   ^^ missing-field: id: Required value
#   ^^ resource-form: exactly one of template or externalRef must be provided
""")


def test_both_template_and_reference() -> None:
    check_diagnostics("""
resources:
  - id: config
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: config}}
#   ^^^^^^^^ resource-form: both 'template' and 'externalRef' are given; remove one of the two
""")


def test_reference_with_for_each() -> None:
    check_diagnostics("""
resources:
  - id: config
#       ^^^^^^ unused-resource: is never referenced
    forEach:
#   ^^^^^^^ resource-form: cannot use externalRef with forEach
      - name: ${["a"]}
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
  - id: second
#       ^^^^^^ unused-resource: is never referenced
    forEach: []
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""")


def test_name_or_selector() -> None:
    check_diagnostics("""
resources:
  - id: neither
#       ^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
#     ^^^^^^^^ resource-form: neither 'name' nor 'selector' is given
        namespace: default
  - id: both
#       ^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
        name: config
#       ^^^^ resource-form: both 'name' and 'selector' are given; remove one of the two
  - id: misspelt
#       ^^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selektor: {}
#       ^^^^^^^^ unknown-field: did you mean 'selector'?
  - id: everything
#       ^^^^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
""")


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


def test_template_that_is_not_a_mapping() -> None:
    check_diagnostics("""
resources:
  - id: first
    template: ${schema.spec}
#             ^^^^^^^^^^^^^^ wrong-type: must be of type object: "string"
""")


def test_group_version() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: a/b/c
#                 ^^^^^ invalid-api-version: unexpected GroupVersion string: a/b/c
      kind: Config
      metadata: {name: config}
  - id: second
    externalRef:
      apiVersion: ${schema.apiVersion}
#                 ^^^^^^^^^^^^^^^^^^^^ invalid-api-version: 'apiVersion' cannot hold an expression
      kind: ${schema.kind}
#           ^^^^^^^^^^^^^^ invalid-template-kind: 'kind' cannot hold an expression
      metadata: {name: config}
""")


def test_template_kind() -> None:
    check_fixed(
        """
resources:
  - id: first
    template:
      apiVersion: v1
      kind: "ConfigMap "
#           ^^^^^^^^^^^^ invalid-template-kind: must be a valid DNS-1035 label when lowercased
      metadata: {name: config}
""",
        "Change to 'ConfigMap'",
    )


def test_reserved_labels_and_annotations() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        labels:
          kro.run/a: b
#         ^^^^^^^^^ reserved-label: labels with prefix "kro.run/" are reserved for internal use
          app.kro.run/a: b
        annotations:
          internal.kro.run/a: b
#         ^^^^^^^^^^^^^^^^^^ reserved-label: annotations with prefix "internal.kro.run/" are reserved for internal use
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        labels: ${schema.metadata.labels}
""")


def test_expression_in_crd() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: "${schema.metadata.name}"}
      spec:
        names: {kind: "${schema.kind}"}
#                     ^^^^^^^^^^^^^^^^ expression-in-crd: found in path "spec.names.kind"
""")


def test_number_of_dimensions() -> None:
    names = "abcdefghijk"
    iterators = "\n".join(f"      - {name}: ${{['x']}}" for name in names)
    check_diagnostics(f"""
resources:
  - id: configs
    forEach:
{iterators}
#       ^ too-many-dimensions: forEach cannot have more than {MOST_DIMENSIONS} dimensions, got 11
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{{"+".join(names)}}}
""")


@pytest.mark.parametrize("name", ["config", '"config"', "'config'", "${schema.metadata.name}"])
def test_iterator_without_use_in_the_name(name: str) -> None:
    fixed = check_fixed(
        f"""
resources:
  - id: configs
    forEach:
      - suffix: ${{["a", "b"]}}
#       ^^^^^^ unused-iterator: must be used to produce a unique resource identity, missing: [suffix]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {name}
      data: {{suffix: "${{suffix}}"}}
""",
        "Add '-${suffix}' to metadata.name",
    )
    assert "-${suffix}" in fixed


def test_namespace_is_part_of_the_identity() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - space: ${["a", "b"]}
      - name: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
        namespace: ${space}
""")


@pytest.mark.parametrize("value", ["schema.spec.names", "${schema.spec.names", "$(names)", "x-${schema.spec.names}"])
def test_iterator_without_an_expression_is_not_unused_as_well(value: str) -> None:
    content = f"""
resources:
  - id: configs
    forEach:
      - suffix: {value}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
"""
    found = diagnose_text(Text(rgd_around(content))).diagnostics
    assert [each.code for each in found if each.severity is Severity.ERROR] == ["not-standalone-expression"]


def test_iterator_with_a_damaged_identity_is_not_reported() -> None:
    check_diagnostics("""
resources:
  - id: first
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${sufix}
#               ^^^^^ unresolved-reference: did you mean 'suffix'?
  - id: second
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${suffix +}
#                       ^ cel-syntax: mismatched input '<EOF>'
  - id: third
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${"a" + ${suffix}}
#                     ^^ nested-expression: nested expressions are not allowed
""")


def test_misspelt_name_of_a_collection() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        nam: ${suffix}
#       ^^^ unknown-template-field: did you mean 'name'?
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


def test_an_unclosed_expression_names_no_version() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: apps/v${1
#                       ^^ unterminated-expression: never closed
      kind: ConfigMap
#           ^^^^^^^^^ unknown-kubernetes-kind: cannot resolve group version kind "apps/v${1, Kind=ConfigMap"
      metadata: {name: config}
""")


def test_metadata_that_no_object_can_have() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: Names_Depend_On_The_Kind
        namespace: a.b
        #          ^^^ invalid-metadata: 'a.b' is not allowed; it must not contain dots
        labels:
          a: ${schema.metadata.name} x
          b: web shop
          #  ^^^^^^^^ invalid-metadata: 'web shop' is not a valid
          c/d/e: x
          ^^^^^ invalid-metadata: Invalid value: "c/d/e"
        annotations:
          UPPER.com/a: any text
          b c: any text
          ^^^ invalid-metadata: Invalid value: "b c"
        finalizers: [example.com/a, a b]
        #                           ^^^ invalid-metadata: Invalid value: "a b"
""")


def test_selector() -> None:
    check_diagnostics("""
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector:
          matchLabels:
            team: web apps
#                 ^^^^^^^^ invalid-selector: 'web apps' is not a valid label value
          matchExpressions:
            - {key: team, operator: Is, values: [web]}
#                                   ^^ invalid-selector: 'Is' is not an operator of selectors
            - {key: team, operator: In, values: [web]}
            - {key: team, operator: Exists}
  - id: summary
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a}
      data: {count: "${string(size(configs))}"}
""")
