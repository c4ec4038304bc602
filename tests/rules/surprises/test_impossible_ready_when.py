"""A readyWhen can never hold, so the resource never becomes ready."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics

SPEC = """
      spec:
        selector: {matchLabels: {app: it}}
        template:
          metadata: {labels: {app: it}}
          spec: {containers: [{name: it, image: nginx}]}
"""


def ready(conditions: str, kind: str = "Deployment", api_version: str = "apps/v1") -> str:
    return f"""\
resources:
  - id: it
    readyWhen:
{conditions}
    template:
      apiVersion: {api_version}
      kind: {kind}
      metadata: {{name: it}}{SPEC if kind == "Deployment" else ""}
"""


@pytest.mark.parametrize(
    "condition",
    [
        "it.status.availableReplicas > 0",
        "it.status.availableReplicas == it.spec.replicas && it.status.replicas == 1",
        "dyn(it.metadata.creationTimestamp) > timestamp('2020-01-01T00:00:00Z') || true",
        "it.?metadata != optional.none() && it.metadata.?namespace != optional.none()",
        "it.metadata.creationTimestamp in [it.metadata.deletionTimestamp]",
        "json.marshal(it.metadata.creationTimestamp) != ''",
        "it.metadata.namespace == 'a' || it.metadata.namespace == 'b'",
        "it.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
        "it.spec.strategy.?type.orValue('') == 'Recreate' || size(it.metadata.?annotations.orValue({})) >= 1",
        "true",
    ],
)
def test_conditions_that_can_hold(condition: str) -> None:
    check_diagnostics(ready(f'      - "${{{condition}}}"'))


@pytest.mark.parametrize(
    ("condition", "part", "message"),
    [
        ("false", "false", "this is always false, so the resource is never ready"),
        (
            "size(it.metadata.name) < 0",
            "0",
            "this is always false, so the resource is never ready; size() is at least 0",
        ),
        ("it.kind == 'Pod'", "it.kind == 'Pod'", "the resource is never ready; 'kind' is always 'Deployment'"),
        ("!has(it.metadata.uid)", "!has(it.metadata.uid)", "'metadata.uid' is set as soon as the object exists"),
        ("it.spec.paused && size(it.metadata.name) < 0", "0", "this is always false, so the resource is never ready"),
        ("it.spec.replicas == 1 && it.spec.replicas == 2", "2", "contradicts a comparison of the same field before"),
        ("it.metadata.creationTimestamp.getFullYear() > 2020", "it.metadata.creationTimestamp", "not a timestamp"),
        ("timestamp('2020-01-01T00:00:00Z') < it.metadata.creationTimestamp", "it.metadata.creationTimestamp", "not a"),
        ("string(it.metadata.creationTimestamp) != ''", "it.metadata.creationTimestamp", "not a timestamp"),
    ],
)
def test_conditions_that_never_hold(condition: str, part: str, message: str) -> None:
    carets = " " * (len('    - "${') + condition.rindex(part) + 1) + "^" * len(part)
    check_diagnostics(ready(f'      - "${{{condition}}}"\n#{carets} impossible-ready-when: {message}'))


def test_bytes_of_a_collection() -> None:
    check_diagnostics("""
resources:
  - id: secrets
    forEach:
      - name: ${["a", "b"]}
    readyWhen:
      - ${string(each.data.key) == "abc"}
#                ^^^^^^^^^^^^^ impossible-ready-when: in readyWhen this is text, not bytes
      - ${string(each.data["key"]) == "abc"}
#                ^^^^^^^^^^^^^^^^ impossible-ready-when: in readyWhen this is text, not bytes
      - ${string(base64.decode(dyn(each.data.key))) == "abc"}
      - ${each.immutable == true}
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: "${name}"}
""")


def test_escaped_names() -> None:
    field = "x__dash__kubernetes__dash__preserve__dash__unknown__dash__fields"
    check_diagnostics(f"""
resources:
  - id: it
    readyWhen:
      - ${{it.spec.versions[0].schema.openAPIV3Schema.{field}}}
#                                                    {"^" * len(field)} impossible-ready-when: no field 'x__dash__
    externalRef:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {{name: it}}
""")


def test_ready_when_of_an_external_collection_never_holds() -> None:
    check_diagnostics("""
resources:
  - id: secrets
    readyWhen:
      - ${size(secrets) > 0}
#              ^^^^^^^ impossible-ready-when: so the collection is never ready
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata: {selector: {}}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
    readyWhen:
      - ${size(configs.data) > 0}
#         ~~~~~~~~~~~~~~~~~~~~~~ impossible-ready-when
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        name: ${configs.metadata.name}
""")
