"""Kinds, versions, ids, iterators: the names that an author chooses."""

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

CONFIG = """\
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
"""


@pytest.mark.parametrize(
    ("kind", "proposal"), [("webApp", "WebApp"), ("web-app", "WebApp"), ("web_app", "WebApp"), ("1App", "App")]
)
def test_kind_is_upper_camel_case(kind: str, proposal: str) -> None:
    check_fixed(
        f"""
schema:
  apiVersion: v1
  kind: {kind}
#       {"^" * len(kind)} invalid-kind: kind '{kind}' is not a valid KRO kind name: must be UpperCamelCase
""",
        f"Change to '{proposal}'",
    )


def test_kind_without_letters_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1
  kind: "-"
#       ^^^ invalid-kind: must be UpperCamelCase
""")
    assert diagnostic.fixes == ()


def test_kind_length() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: {"A" * 59}
""")
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: {"A" * 64}
#       {"^" * 64} invalid-kind: the kind has 64 characters
""")


@pytest.mark.parametrize(
    ("version", "proposal"),
    [
        ("alpha1", "v1alpha1"),
        ("1alpha1", "v1alpha1"),
        ("V1", "v1"),
        ("v1.0", "v1"),
        ("v1-beta1", "v1beta1"),
        ("kro.run/v1alpha1", "v1alpha1"),
    ],
)
def test_version(version: str, proposal: str) -> None:
    check_fixed(
        f"""
schema:
  apiVersion: {version}
#             {"^" * len(version)} invalid-version: should match '^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$'
  kind: Example
""",
        f"Change to '{proposal}'",
    )


def test_version_with_a_group() -> None:
    fixed = check_fixed(
        """
schema:
  apiVersion: example.com/v1
#             ^^^^^^^^^^^^^^ invalid-version: must be a version alone
  kind: Example
""",
        "Move the group to 'group: example.com'",
    )
    assert "    group: example.com\n    apiVersion: v1\n" in fixed


@pytest.mark.parametrize("version", ["vX", "latest"])
def test_version_without_a_proposal(version: str) -> None:
    (diagnostic,) = check_diagnostics(f"""
schema:
  apiVersion: {version}
#             {"^" * len(version)} invalid-version: is not a version; expected one such as 'v1'
  kind: Example
""")
    assert diagnostic.fixes == ()


def test_id_and_its_own_uses_are_renamed() -> None:
    fixed = check_fixed(
        """
resources:
  - id: My_config
#       ^^^^^^^^^ invalid-resource-id: id My_config is not a valid KRO resource id: must be lower camelCase
    readyWhen:
      - ${My_config.metadata.name != "" && My_config.data.size() > 0}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Rename to 'myConfig'",
    )
    assert '${myConfig.metadata.name != "" && myConfig.data.size() > 0}' in fixed


def test_an_unusable_id_does_not_breed() -> None:
    check_diagnostics(f"""
resources:
  - id: my-config
#       ^^^^^^^^^ invalid-resource-id: must be lower camelCase
{CONFIG}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: "${{myConfig.metadata.name}}"}}
      data:
        name: ${{shema.metadata.name}}
#               ^^^^^ unresolved-reference: did you mean 'schema'?
""")


def test_empty_id() -> None:
    check_diagnostics(f"""
resources:
  - id: ""
#       ^^ invalid-resource-id: must be lower camelCase
{CONFIG}
""")


@pytest.mark.parametrize("word", ["schema", "item", "in", "resourcegraphdefinition"])
def test_reserved_id(word: str) -> None:
    check_fixed(
        f"""
resources:
  - id: {word}
#       {"^" * len(word)} reserved-resource-id: id {word} is a reserved keyword in KRO
{CONFIG}
""",
        f"Change to '{word}Resource'",
    )


@pytest.mark.parametrize("name", ["schemas", "omit", "template", "data", "string"])
def test_names_that_are_not_reserved(name: str) -> None:
    check_diagnostics(f"resources:\n  - id: {name}\n{CONFIG}")


def test_duplicate_id() -> None:
    diagnostics = check_diagnostics(f"""
resources:
  - id: config
{CONFIG}
  - id: Config
#       ^^^^^^ invalid-resource-id: must be lower camelCase
{CONFIG}
  - id: config
#       ^^^^^^ duplicate-resource-id: found duplicate resource IDs config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: "${{config.metadata.name}}-copy"}}
""")
    (related,) = next(each.related for each in diagnostics if each.code == "duplicate-resource-id")
    assert related.span.start < diagnostics[0].span.start


@pytest.mark.parametrize(
    ("name", "reason", "proposal"),
    [
        ("Name", "is not valid: must be lowerCamelCase", "name"),
        ("the_name", "is not valid: must be lowerCamelCase", "theName"),
        ("item", "is a reserved keyword", "itemValue"),
        ("each", "is a reserved keyword", "eachValue"),
    ],
)
def test_iterator_name(name: str, reason: str, proposal: str) -> None:
    fixed = check_fixed(
        f"""
resources:
  - id: configs
    forEach:
      - {name}: ${{["a", "b"]}}
#       {"^" * len(name)} invalid-iterator-name: forEach iterator name "{name}" {reason}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config-${{{name}}}
""",
        f"Rename to '{proposal}'",
    )
    assert f"name: config-${{{proposal}}}" in fixed


def test_iterator_with_the_name_of_its_own_or_another_resource() -> None:
    check_diagnostics(f"""
resources:
  - id: configs
    forEach:
      - configs: ${{["a"]}}
#       ^^^^^^^ conflicting-iterator-name: forEach iterator name "configs" conflicts with resource ID
      - other: ${{["a"]}}
#       ^^^^^ conflicting-iterator-name: forEach iterator name "other" conflicts with resource ID
      - third: ${{["a"]}}
      - third: ${{["b"]}}
#       ^^^^^ conflicting-iterator-name: duplicate forEach iterator name "third"
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{third}}
  - id: other
{CONFIG}
""")


def test_the_same_iterator_in_two_resources_is_fine() -> None:
    resource = """
    forEach:
      - name: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
"""
    check_diagnostics(f"resources:\n  - id: first{resource}\n  - id: second{resource}")


def test_a_repeated_id_may_mean_either_resource() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    phase: ${thing.status.phase}
    data: ${thing.data.key}
resources:
  - id: thing
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
  - id: thing
#       ^^^^^ duplicate-resource-id: found duplicate resource IDs thing
    template:
      apiVersion: v1
      kind: Pod
      metadata: {name: pod}
""")
