"""What kro accepts and what then never holds, always fails, or has no effect."""

from __future__ import annotations

import pytest

from kro_ls.rules.settings import Settings
from tests.fixtures.definitions import rgd
from tests.fixtures.diagnostics import check_diagnostics, check_fixed

SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
    sizes: '[]string | default=["a"]'
    level: integer | default=3 enum="1,2,3"
    replicas: integer | default=1 minimum=1 maximum=5
    labels: map[string]string | default={}
    place:
      city: string | default=Ulm
    token: string | default="MTIz"
"""
EXTERNAL = """\
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata: {name: secret}
  - id: all
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: all}
      data: {all: "${json.marshal(dyn(schema.spec))}${string(size(secret.data))}"}
"""


def template(expression: str, expectation: str = "") -> str:
    """Return an RGD with an expression in a template; the carets of the expectation count from the expression."""
    below = f"\n#             {expectation}" if expectation else ""
    return f"""\
{SCHEMA}resources:
{EXTERNAL}  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
      data:
        val: |-
            ${{{expression}}}{below}
"""


def status(expression: str, expectation: str = "") -> str:
    """Return an RGD with an expression in its status."""
    below = f"\n#         {expectation}" if expectation else ""
    return f"""\
{SCHEMA}  status:
    field: >-
        ${{{expression}}}{below}
resources:
{EXTERNAL}"""


def marked(expression: str, part: str) -> str:
    """Return carets below a part of an expression."""
    return " " * expression.index(part) + "^" * len(part)


@pytest.mark.parametrize(
    "expression",
    [
        'schema.spec.size == "large"',
        'schema.spec.size != "small"',
        'schema.spec.size in ["small", "large"]',
        "schema.spec.level > 2",
        "schema.spec.level == 3",
        "schema.spec.replicas > 1",
        "schema.spec.replicas >= 5",
        "schema.spec.replicas == 5",
        "size(schema.spec.labels) > 0",
        "schema.spec.sizes.size() == 0",
        'schema.spec.token.indexOf("x") == -1',
        'schema.spec.token.indexOf("x") >= 0',
        'secret.?type.orValue("") == ""',
        "dyn(schema.spec.size) == null",
        'schema.spec.token == "anything"',
        "has(schema.spec.place)",
        '1 == 1 && "a" != "b"',
    ],
)
def test_comparisons_that_depend_on_values(expression: str) -> None:
    check_diagnostics(template(f"string({expression})"))


@pytest.mark.parametrize(
    ("expression", "part", "message"),
    [
        ('schema.spec.size == "medium"', '"medium"', "always false; 'size' can only be 'large' or 'small'"),
        ('"medium" != schema.spec.size', '"medium"', "always true"),
        ('schema.spec.?size.orValue("") == "medium"', '"medium"', "always false"),
        ('schema.spec.size in ["medium", "big"]', '["medium", "big"]', "always false"),
        ('schema.spec.size in ["small", "medium"]', '"medium"', "the value is never this one"),
        ("schema.spec.level == 4", "4", "always false; 'level' can only be '1', '2' or '3'"),
        ("schema.spec.level <= 3", "3", "always true"),
        ("schema.spec.replicas == 0", "0", "always false; 'replicas' is at least 1 and at most 5"),
        ("schema.spec.replicas < 1", "1", "always false"),
        ("1 > schema.spec.replicas", "1", "always false"),
        ("schema.spec.replicas <= 5", "5", "always true"),
        ("size(schema.spec.labels) >= 0", "0", "always true; size() is at least 0"),
        ("schema.spec.sizes.size() < 0", "0", "always false"),
        ('schema.spec.token.indexOf("x") == -2', "-2", "always false"),
        ("schema.spec.place != null", "null", "always true; a field that is null counts as missing"),
        ("secret.metadata.creationTimestamp == null", "null", "always false"),
        ("schema.spec.?token == null", "null", "always false; an optional is never null"),
    ],
)
def test_comparisons_with_one_answer(expression: str, part: str, message: str) -> None:
    whole = f"string({expression})"
    carets = " " * (whole.rindex(part)) + "^" * len(part)
    check_diagnostics(template(whole, f"{carets} constant-comparison: {message}"))


def test_fix_of_an_enum_value() -> None:
    expression = 'schema.spec.size == "lage" ? "a" : "b"'
    source = template(expression, f"{marked(expression, chr(34) + 'lage' + chr(34))} constant-comparison: always false")
    assert 'size == "large"' in check_fixed(source, "Change to 'large'")


def ready(conditions: str, kind: str = "Deployment", api_version: str = "apps/v1") -> str:
    return f"""\
resources:
  - id: it
    readyWhen:
{conditions}
    template:
      apiVersion: {api_version}
      kind: {kind}
      metadata: {{name: it}}
"""


@pytest.mark.parametrize(
    "condition",
    [
        "it.status.availableReplicas > 0",
        "it.status.availableReplicas == it.spec.replicas && it.status.replicas == 1",
        "it.metadata.creationTimestamp != null",
        "has(it.metadata.creationTimestamp)",
        "dyn(it.metadata.creationTimestamp) > timestamp('2020-01-01T00:00:00Z') || true",
        "it.?metadata != optional.none() && it.metadata.?namespace != optional.none()",
        "it.metadata.creationTimestamp in [it.metadata.deletionTimestamp]",
        "json.marshal(it.metadata.creationTimestamp) != ''",
        "it.metadata.namespace == 'a' || it.metadata.namespace == 'b'",
        "it.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
        "it.spec.strategy.?type.orValue('') == 'Recreate' || size(it.spec.selector.matchLabels) >= 1",
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


@pytest.mark.parametrize(
    ("expression", "part", "message"),
    [
        ('string(quantity("lots").asInteger())', 'quantity("lots")', "quantities must match the regular expression"),
        ('string(int("a"))', 'int("a")', "type conversion error from 'string' to 'int'"),
        ('string(timestamp("no"))', 'timestamp("no")', 'invalid RFC 3339 timestamp "no"'),
        ('string(ip("x"))', 'ip("x")', "parse error during conversion"),
        ("string(1 / 0)", "1 / 0", "division by zero"),
        ("string(schema.spec.replicas / 0)", "0", "division by zero"),
        ("string(schema.spec.replicas % 0)", "0", "modulus by zero"),
        ("[1, 2].map(n, string(n / 0))[0]", "n / 0", "division by zero"),
        ('["a", "b"][2]', '["a", "b"][2]', "index out of bounds: 2"),
        ("schema.spec.sizes[-1]", "-1", "index out of bounds: -1"),
        ('{"a": "b"}["c"]', '{"a": "b"}["c"]', "no such key: c"),
        ('[1, "a"].sort()[0]', '[1, "a"].sort()', "list elements must have the same type"),
        ('[1, "a"].join(",")', '[1, "a"].join(",")', "no such overload"),
        ('string(schema.spec.token.matches("("))', '"("', "error parsing regexp: missing closing )"),
        ("string(18446744073709551615u + 1u)", "18446744073709551615u + 1u", "unsigned integer overflow"),
        ('json.unmarshal("{")', 'json.unmarshal("{")', "json.unmarshal failed to parse JSON"),
        ('string(schema.spec.size == "large" && int("a") > 0)', 'int("a")', "type conversion error"),
    ],
)
def test_what_always_fails(expression: str, part: str, message: str) -> None:
    check_diagnostics(template(expression, f"{marked(expression, part)} evaluation-failure: {message}"))


@pytest.mark.parametrize(
    "expression",
    [
        "string(1.0 / 0.0)",
        "string(true || 1 / 0 > 0)",
        'string(isQuantity("lots"))',
        "string(schema.spec.replicas / schema.spec.level)",
        "schema.spec.sizes[0]",
        'schema.spec.labels["-1"]',
        'schema.spec.token.matches("^a+$") ? "a" : "b"',
        'optional.of("a").orValue("b")',
        'random.seededString(8, "seed")',
        "string(lists.range(1000000).map(n, n * 2).filter(n, n > 3).map(n, n + 1).size())",
    ],
)
def test_what_does_not_fail(expression: str) -> None:
    check_diagnostics(template(expression))


def test_omit_is_not_a_value() -> None:
    check_diagnostics(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        text: a-${omit()}
#                 ^^^^^^ evaluation-failure: no such overload
        compared: '${schema.metadata.name == omit() ? "a" : "b"}'
#                                            ^^^^^^ evaluation-failure: no such overload
        chosen: '${schema.metadata.name == "a" ? "a" : omit()}'
""",
        Settings(feature_gates=frozenset({"CELOmitFunction"})),
    )


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


def test_plain_text() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
  labels:
    app: ${schema.metadata.name}
#        ^^^^^^^^^^^^^^^^^^^^^^^ invalid-value: a valid label
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"a":"${schema.spec.x}"}'
spec:
  schema:
    apiVersion: v1alpha1
    kind: Example
    metadata:
      annotations:
        note: for ${schema.metadata.name}
#                 ^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: the same for all instances
    additionalPrinterColumns:
      - name: ${schema.spec.size}
#             ^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: gets its value from its jsonPath
        type: string
        jsonPath: .spec.size
    types:
      Name: string | default="${schema.metadata.name}"
#                            ^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: a default is constant
    spec:
      name: Name
      size: string | description="such as ${schema.metadata.name}"
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: a description
      price: string | description="in $, or ${" pattern="^a${1}"
""")


@pytest.mark.parametrize(
    ("expression", "type_"),
    [("schema.spec.port", "int"), ("schema.spec.owner", "object"), ("type(1)", "type(int)"), ("b'a'", "bytes")],
)
def test_an_iterator_over_something_else_than_a_list_is_one_mistake(expression: str, type_: str) -> None:
    spec = "{team: string | required=true, port: integer, owner: {name: string | required=true}}"
    check_diagnostics(
        rgd(
            f"""\
- id: configs
  forEach:
    - name: ${{{expression}}}
#             {"^" * len(expression)} for-each-type: needs a list, but this gives {type_}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {{name: '${{name + schema.spec.team}}'}}
    data:
      uses: ${{string(schema.spec.?port.hasValue() || schema.spec.?owner.hasValue())}}
""",
            spec=spec,
        )
    )
