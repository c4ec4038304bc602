"""A readyWhen is true as soon as the object exists."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

TEMPLATE = """\
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}"}
      spec:
        paused: false
        replicas: ${schema.metadata.name.size()}
        selector: {matchLabels: {app: "${schema.metadata.name}-app", whole: "${schema.metadata.name}"}}
        template: {spec: {containers: [{name: main, image: nginx}]}}
"""


def resource(condition: str, mark: str = "") -> str:
    line = f"      - ${{{condition}}}\n"
    carets = f"#         {'^' * len(condition)} needless-ready-when: {mark}\n" if mark else ""
    return f"resources:\n  - id: it\n    readyWhen:\n{line}{carets}{TEMPLATE}"


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ('it.metadata.name != ""', "'metadata.name' is set as soon as the object exists"),
        ('"" != it.metadata.name', "'metadata.name' is set as soon as the object exists"),
        ('it.metadata.?name.orValue("") != ""', "'metadata.name' is set as soon as the object exists"),
        ('!(it.metadata.name == "")', "'metadata.name' is set as soon as the object exists"),
        ("size(it.metadata.name) > 0", "'metadata.name' is set as soon as the object exists"),
        ("0 < it.metadata.name.size()", "'metadata.name' is set as soon as the object exists"),
        ("has(it.metadata.name) && has(it.metadata.uid)", "'metadata.name' is set as soon as the object exists"),
        ("has(it.status) || has(it.metadata)", "'metadata' is set as soon as the object exists"),
        ("it.metadata.?uid.hasValue()", "'metadata.uid' is set as soon as the object exists"),
        ("it.metadata.creationTimestamp != null", "'metadata.creationTimestamp' is set"),
        ('it.metadata.namespace != ""', "'metadata.namespace' is set as soon as the object exists"),
        ('it.kind == "Deployment"', "'kind' is always 'Deployment'"),
        ('it.apiVersion != "v1"', "'apiVersion' is always 'apps/v1'"),
        ("has(it.spec.selector.matchLabels)", "'spec.selector.matchLabels' is set as soon as the object exists"),
        (
            "has(it.spec.selector.matchLabels.app)",
            "'spec.selector.matchLabels.app' is set",
        ),
    ],
)
def test_what_is_so_from_the_start(condition: str, reason: str) -> None:
    check_diagnostics(resource(condition, f"this is always true, so it waits for nothing; {reason}"))


@pytest.mark.parametrize(
    "condition",
    [
        'it.metadata.name == "a"',
        "has(it.metadata.labels)",
        "has(it.status)",
        "has(it.spec.paused)",  # Kubernetes omits a false value
        "has(it.spec.replicas)",  # an expression may give nothing
        "has(it.spec.selector.matchLabels.whole)",
        "it.spec.selector.matchLabels.app == 'a-app'",
        "has(it.spec.template.metadata)",
        'it.metadata.name != "" && it.status.availableReplicas > 0',
        "size(it.metadata.name) > 1",
        "size(it.spec.template.spec.volumes) > 0",
        "true",
    ],
)
def test_what_may_change(condition: str) -> None:
    check_diagnostics(resource(condition))


def test_each_object_of_a_collection() -> None:
    check_diagnostics("""
resources:
  - id: them
    forEach:
      - name: ${["a", "b"]}
    readyWhen:
      - ${each.metadata.name != ""}
#         ^^^^^^^^^^^^^^^^^^^^^^^^ needless-ready-when
      - ${each.data.name != ""}
#         ~~~~~~~~~~~~~~~~~~~~ needless-ready-when
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
      data: {name: "${name}"}
""")


def test_of_an_external_object_its_identity_is_known() -> None:
    check_diagnostics("""
resources:
  - id: shared
    readyWhen:
      - ${shared.metadata.namespace == "one"}
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-ready-when: 'metadata.namespace' is always 'one'
      - ${has(shared.data)}
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shared, namespace: one}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${shared.metadata.name}-copy"}
""")


def test_what_belongs_to_no_namespace() -> None:
    check_diagnostics("""
resources:
  - id: team
    readyWhen:
      - ${team.metadata.namespace != ""}
    template:
      apiVersion: v1
      kind: Namespace
      metadata: {name: "${schema.metadata.name}"}
""")


def test_the_fix_waits_for_what_the_kind_says() -> None:
    fixed = check_fixed(resource('it.metadata.name != ""', "this"), "Wait until the Deployment is available")
    assert '      - "${it.status.availableReplicas == it.spec.replicas}"\n' in fixed


def test_the_fix_for_a_kind_that_is_ready_when_it_exists() -> None:
    config = """\
resources:
  - id: config
    readyWhen:
      - ${config.metadata.name != ""}
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-ready-when
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
"""
    assert "readyWhen" not in check_fixed(config, "Remove the readyWhen")
