"""An object does not wait for the namespace that the definition makes for it."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

TEAM = """\
resources:
  - id: team
    template:
      apiVersion: v1
      kind: Namespace
      metadata: {name: "${schema.metadata.name}-team"}
"""


def config(metadata: str, mark: str = "", head: str = "") -> str:
    return f"""\
  - id: config
    {head or "# always"}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {metadata}
{mark}
"""


@pytest.mark.parametrize("namespace", ["${schema.metadata.name}-team", "a-${schema.metadata.name}"])
def test_the_same_text_without_a_reference(namespace: str) -> None:
    team = TEAM.replace("${schema.metadata.name}-team", namespace)
    mark = f"#{' ' * 41}{'^' * (len(namespace) + 2)} unordered-namespace: 'team', which makes"
    fixed = check_fixed(team + config(f'{{name: config, namespace: "{namespace}"}}', mark), "Refer to 'team'")
    assert 'namespace: "${team.metadata.name}"' in fixed


@pytest.mark.parametrize(
    "metadata",
    [
        '{name: config, namespace: "${team.metadata.name}"}',
        '{name: "${team.metadata.name}", namespace: "${schema.metadata.name}-team"}',
        '{name: config, namespace: "${schema.metadata.name}"}',
        "{name: config}",
    ],
)
def test_what_waits_or_is_elsewhere(metadata: str) -> None:
    check_diagnostics(TEAM + config(metadata))


def test_through_another_resource() -> None:
    check_diagnostics(
        TEAM
        + """\
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: first, namespace: "${team.metadata.name}"}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${first.metadata.name}-b
        namespace: ${schema.metadata.name}-team
#                  ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ unordered-namespace
"""
    )


def test_a_namespace_that_may_be_left_out() -> None:
    team = TEAM.replace("    template", '    includeWhen: ["${schema.metadata.name != \\"a\\"}"]\n    template')
    check_diagnostics(team + config('{name: config, namespace: "${schema.metadata.name}-team"}'))


def test_an_iterator_is_not_what_another_resource_means_by_it() -> None:
    head = 'forEach: [{team: \'${["a", "b"]}\'}]'
    check_diagnostics(
        "resources:\n"
        + config('{name: a, namespace: "${team}"}', head=head)
        + """\
  - id: teams
    forEach: [{team: '${["a", "b"]}'}]
    template:
      apiVersion: v1
      kind: Namespace
      metadata: {name: "${team}"}
"""
    )


def test_a_namespace_that_waits_for_its_own_object() -> None:
    check_diagnostics("""
resources:
  - id: team
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: team-a
        #     ^^^^^^ fixed-name
        annotations: {config: "${config.metadata.name}"}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config, namespace: team-a}
#                      ^^^^^^ fixed-name
#                                         ^^^^^^ unordered-namespace: neither is ever made
""")
