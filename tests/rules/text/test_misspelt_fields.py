"""An RGD's own fields that are misspelt, or placed where YAML reads something else."""

import pytest

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
#   {"^" * len(key)} unknown-field: unknown field '{key}'; did you mean 'id' (which is required)?
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
      - ${has(each.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
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
