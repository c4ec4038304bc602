"""The owner of an object is not where the garbage collector looks for it."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

INSTANCE = "${schema.metadata.uid}"


def owned(namespace: str, mark: str = "", uid: str = INSTANCE, kind: str = "ConfigMap", scope: str = "") -> str:
    api_version = "v1" if kind == "ConfigMap" else "rbac.authorization.k8s.io/v1"
    return f"""
schema:
  apiVersion: v1alpha1
  kind: Example
  {scope or "# as usual"}
resources:
  - id: it
    template:
      apiVersion: {api_version}
      kind: {kind}
      metadata:
        name: ${{schema.metadata.name}}
        {namespace}
        ownerReferences:
          - apiVersion: kro.run/v1alpha1
            kind: Example
            name: ${{schema.metadata.name}}
            uid: {uid}
{"#                " + "^" * len(uid) + f" foreign-owner: {mark}" if mark else ""}
"""


def test_another_namespace() -> None:
    fixed = check_fixed(
        owned("namespace: shared", "in its own namespace only"),
        "Remove the owner; kro deletes what it made for an instance with it",
    )
    assert "ownerReferences" not in fixed


def test_what_is_marked() -> None:
    check_diagnostics("""
resources:
  - id: here
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        ownerReferences:
          - uid: "${schema.metadata.uid}"
#                ~~~~~~~~~~~~~~~~~~~~~~~~ foreign-owner
            name: "${schema.metadata.name}"
            apiVersion: kro.run/v1alpha1
            kind: Example
  - id: shared
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: shared
        ownerReferences:
          - uid: "${schema.metadata.uid}"
#                ^^^^^^^^^^^^^^^^^^^^^^^^ foreign-owner
            name: "${schema.metadata.name}"
            apiVersion: kro.run/v1alpha1
            kind: Example
""")


def test_an_object_without_a_namespace() -> None:
    check_diagnostics(owned("", "an object without a namespace cannot", kind="ClusterRole"))


def test_a_namespace_that_may_be_that_of_the_instance() -> None:
    (found,) = check_diagnostics(owned("namespace: ${schema.metadata.name}", "in its own namespace only"))
    assert found.severity == "hint"


def test_an_object_of_one_cluster() -> None:
    uid = "5f3cbd1b-2c1b-4c3e-9b1a-2b8f2f7c2a10"
    (found,) = check_diagnostics(owned("", "no other cluster has an object with this uid", uid=uid))
    assert found.severity == "hint"


@pytest.mark.parametrize("namespace", ["", "namespace: ${schema.metadata.namespace}"])
def test_an_object_beside_the_instance(namespace: str) -> None:
    check_diagnostics(owned(namespace))


def test_an_instance_without_a_namespace_owns_everything() -> None:
    check_diagnostics(owned("namespace: shared", scope="scope: Cluster"))
    check_diagnostics(owned("", kind="ClusterRole", scope="scope: Cluster"))
