"""An expression names something that is not declared."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.references import in_template

READER = """\
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${service.metadata.name}"}
"""


def test_misspelt_macro() -> None:
    source = in_template(
        'shared.data.mapp(key, key + key).join(",")',
        "              ^^^^ unresolved-reference: unknown macro 'mapp'; did you mean 'map'?",
    )
    assert "shared.data.map(key, key + key)" in check_fixed(source.replace("\n\n", "\n"), "Change to 'map'")


def test_macro_with_a_missing_argument() -> None:
    source = in_template(
        'shared.data.map(key).join(",")',
        "              ^^^ unresolved-reference: 'map' does not take 1 argument; expected",
    )
    check_diagnostics(source.replace("\n\n", "\n"))


def test_fix_of_a_name() -> None:
    source = in_template("share.metadata.name", "  ^^^^^ unresolved-reference: did you mean 'shared'?")
    assert "${shared.metadata.name}" in check_fixed(source.replace("\n\n", "\n"), "Change to 'shared'")


def test_a_string_with_text_around_its_expressions() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        name: "a\\tb-${shema.metadata.name}-${schema.kind}-${other.kind}"
#                     ^^^^^ unresolved-reference: did you mean 'schema'?
#                                                           ^^^^^ unresolved-reference: [other]
""")


def test_severity_can_be_set() -> None:
    source = in_template("wholly.different", "  ^^^^^^ unresolved-reference: no resource").replace("\n\n", "\n")
    milder = Settings(severities=(("unresolved-reference", Severity.HINT),))
    assert [each.severity for each in check_diagnostics(source, milder)] == [Severity.HINT]


def test_all_unknown_names_of_an_expression_are_in_the_message_where_kro_lists_them() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    sum: ${string(zoo.a) + string(bar.b)}
    #             ^^^ unresolved-reference: unknown name 'zoo'; no resource
    #                             ^^^ unresolved-reference: unknown identifiers: [zoo bar]
    called: ${one(1) + two(schema.metadata.name) + one(2)}
    #         ^^^ unknown-function: unknown function 'one'; no CEL library
    #                  ^^^ unknown-function: uses unknown functions: [{one} {two} {one}]
    #                                              ^^^ unknown-function: [{one} {two} {one}]
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
"""
    )


def test_a_status_of_resources_that_are_not_written_yet_is_one_error() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: unknown names 'service' and 'deployment'; no resources
    replicas: ${deployment.status.replicas + size(service.spec.ports)}
""")
    assert [related.message for related in diagnostic.related] == [
        "'deployment' is used here",
        "'service' is used here",
    ]


def test_a_status_of_resources_of_which_the_last_is_not_finished() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: unknown names 'service' and 'deployment'; no resources
    replicas: ${deployment.status.replicas}
    name: ${confik.metadata.name}
#           ^^^^^^ unresolved-reference: did you mean 'config'
resources:
  - id: config
#       ^^^^^^ resource-form: neither 'template' nor 'externalRef' is given
""")


def test_a_status_beside_resources_that_are_all_written_is_wrong_at_each_name() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: [service]
    replicas: ${deployment.status.replicas}
#               ^^^^^^^^^^ unresolved-reference: [deployment]
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
""")


@pytest.mark.parametrize(
    "resources",
    [
        f"    resources:\n      - id: service\n        template: {{}}\n  resources:\n{READER}",
        f"  service:\n    id: service\n    template: {{}}\n  resources:\n{READER}",
        f"  resources:\n{READER}  - id: service\n    template: {{}}\n",
        f"  resources:\n{READER}      - id: service\n        template: {{}}\n",
        f"  resources:\n{READER}        - id: service\n          template: {{}}\n",
        f"  resources:\n{READER}- id: service\n  template: {{}}\n",
        f"  resources:\n{READER}resources:\n  - id: service\n    externalRef: {{}}\n",
    ],
    ids=["in the schema", "in spec", "before its list", "in a resource", "in a template", "at the root", "root list"],
)
def test_a_misplaced_resource_is_not_missed_as_well(resources: str) -> None:
    text = f"{rgd(spec='{name: string}')}{resources}"
    found = diagnose_text(Text(text)).diagnostics
    errors = {each.code for each in found if each.severity is Severity.ERROR}
    assert errors & {"yaml-syntax", "unknown-field"}
    assert "unresolved-reference" not in errors


def test_a_list_of_ids_in_a_template_is_no_misplaced_resource() -> None:
    text = rgd(READER + "        data: {list: [{id: service, template: a}]}\n")
    assert "unresolved-reference" in {each.code for each in diagnose_text(Text(text)).diagnostics}


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${["a"].map(shema, shema).join(schema.metadata.name)}
#                         ~~~~~ unresolved-reference
""")


def test_names_of_typekro() -> None:
    source = in_template(
        "self.metadata.name",
        "  ^^^^ unresolved-reference: unknown name 'self'; the instance is 'schema'",
    )
    assert "${schema.metadata.name}" in check_fixed(source.replace("\n\n", "\n"), "Change to 'schema'")
    for name in ("resources", "external"):
        source = in_template(
            f"{name}.shared.data.key",
            f"  {'^' * len(name)}^^^^^^^ unresolved-reference: unknown name '{name}'; kro names a resource",
        )
        assert "${shared.data.key}" in check_fixed(source.replace("\n\n", "\n"), "Change to 'shared'")


def test_names_like_those_of_typekro() -> None:
    expected = "  ^^^^^^^^^ unresolved-reference: unknown name 'resources'; no resource"
    check_diagnostics(in_template("resources.other.data", expected))
