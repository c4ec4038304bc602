"""The result of an expression cannot be written into an object."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.surprises.definitions import EXTERNAL, SCHEMA, marked


def status(expression: str, expectation: str = "") -> str:
    """Return an RGD with an expression in its status."""
    below = f"\n#         {expectation}" if expectation else ""
    return f"""\
{SCHEMA}  status:
    field: >-
        ${{{expression}}}{below}
resources:
{EXTERNAL}"""


@pytest.mark.parametrize(
    ("expression", "part", "message"),
    [
        ("secret.data.user", "secret.data.user", "bytes value cannot be used directly"),
        ("secret.?data.user", "secret.?data.user", "bytes value cannot be used directly"),
        ("[secret.data.user]", "secret.data.user", "bytes value cannot be used directly"),
        ('{"a": {"user": secret.data.user}}', "secret.data.user", "bytes value cannot be used directly"),
        ("secret.data.map(k, secret.data[k])", "secret.data.map(k, secret.data[k])", "bytes value"),
        ("hash.sha256(schema.spec.size)", "hash.sha256(schema.spec.size)", "bytes value"),
        ("quantity(schema.spec.token)", "quantity(schema.spec.token)", "unsupported type: kubernetes.Quantity"),
        (
            "ip(schema.spec.token)",
            "ip(schema.spec.token)",
            "net.IP cannot be written into an object; convert it with 'string(...)'",
        ),
        ("{1: schema.spec.token}", "1", "map key must be string, got int"),
        ("[uint(schema.spec.level), 18446744073709551615u]", "18446744073709551615u", "is too large"),
        ('{true: "a", "b": schema.spec.size}', "true", "map key must be string, got bool"),
        ("schema.spec.labels.transformMap(k, v, quantity(v))", "schema.spec.labels", "unsupported type"),
        ("type(schema.spec.size)", "type(schema.spec.size)", "a type cannot be written"),
    ],
)
def test_results_that_cannot_be_written(expression: str, part: str, message: str) -> None:
    part = expression if part == "schema.spec.labels" else part
    check_diagnostics(status(expression, f"{marked(expression, part)} unsupported-result: {message}"))


@pytest.mark.parametrize(
    "expression",
    [
        "secret.data",
        "string(secret.data.user)",
        "base64.encode(secret.data.user)",
        "secret.metadata",
        "secret.metadata.creationTimestamp",
        "duration(schema.spec.token)",
        "string(ip(schema.spec.token))",
        "[uint(schema.spec.level), 9223372036854775807u]",
        "schema.spec.labels.transformMap(k, v, size(v))",
        '{"a": 1, "b": schema.spec.token}',
    ],
)
def test_results_that_can_be_written(expression: str) -> None:
    check_diagnostics(status(expression))


@pytest.mark.parametrize("function", ["base64.encode", "string"])
def test_fix_of_bytes(function: str) -> None:
    source = status("secret.data.user", f"{'^' * 16} unsupported-result: bytes value")
    assert f"${{{function}(secret.data.user)}}" in check_fixed(source, f"Convert with {function}()")


def test_bytes_in_another_secret() -> None:
    (diagnostic,) = check_diagnostics("""
resources:
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata: {name: secret}
  - id: copy
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: copy}
      data:
        user: ${secret.data.user}
#               ^^^^^^^^^^^^^^^^ unsupported-result: such as 'stringData' of a Secret
  - id: whole
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: whole}
      data: ${secret.data}
""")
    assert diagnostic.fixes == ()


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    user: ${string(secret.data.username)}
#           ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ unsupported-result
resources:
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata:
        name: login
""")
