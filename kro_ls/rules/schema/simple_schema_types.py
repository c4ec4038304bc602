"""The rules about types and defaults in SimpleSchema."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, InTemplates, Repair, Rule
from kro_ls.rules.schema.simple_schema_findings import check_of

RULES = (
    # Source: kro `pkg/simpleschema/transform.go` (unknown type), `pkg/graph/dag` (node does not exist).
    Rule(
        code="unknown-type",
        severity=Severity.ERROR,
        summary="A field has a type that is not declared.",
        explanation="""\
The built-in types are `string`, `integer`, `boolean`, `float` and `object`; `spec.schema.types` declares further
ones. Upper and lower case are different.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: int
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer
""",
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        kro_messages=(
            "unknown type: {name}",
            "node {name} does not exist",
        ),
    ),
    # Source: kro `pkg/graph/dag` (cyclic dependency, self references are not allowed).
    Rule(
        code="recursive-type",
        severity=Severity.ERROR,
        summary="A custom type holds itself.",
        explanation="""\
kro writes out every custom type where it is used, so none can hold itself, be it through other types, a list or a map.
Use `object` for a part of any depth.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Tree:
      children: '[]Tree'
  spec:
    root: Tree
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Tree:
      children: '[]object'
  spec:
    root: Tree
""",
        kro_messages=(
            "self references are not allowed",
            "cyclic dependency in type {name}: graph contains a cycle: {cycle}",
        ),
    ),
    Rule(
        code="unreachable-type",
        severity=Severity.WARNING,
        summary="No field can use a custom type of this name.",
        explanation="""\
The name of a custom type that is a built-in type, or has blanks, `|`, `[]` or `map[` in it, is read as something else
wherever it is used.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    string:
      length: integer
  spec:
    name: string
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Text:
      length: integer
  spec:
    name: Text
""",
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    ),
    # Source: kro `pkg/simpleschema/parse.go`.
    Rule(
        code="invalid-type-expression",
        severity=Severity.ERROR,
        summary="The type of a field cannot be read.",
        explanation="""\
A type is `string`, `integer`, `boolean`, `float`, `object` or the name of a custom type, with any number of `[]`
(list) and `map[string]` (free keys) before it. The keys of a map are always strings.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    weights: map[integer]string
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    weights: map[string]string
""",
        kro_messages=(
            "empty slice element type",
            "map key must be string",
            "map value type is required",
            "type nesting too deep (max {most}): {type}",
        ),
    ),
    # Source: kro `pkg/simpleschema/transform.go` (unexpected type).
    Rule(
        code="invalid-schema-field",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.BEFORE,
        summary="A field of the instance is neither a type nor a mapping of fields.",
        explanation="""\
Under `spec.schema.spec` and `spec.schema.types` a field is text that begins with a type (`string`, `[]Port`,
`integer | default=3`) or a mapping of further fields. Anything else, an empty value included, is refused.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    debug: true
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    debug: boolean | default=true
""",
        repairs=(Repair.WRONG_VALUE,),
        kro_messages=(
            "unexpected type: {type}",
            "json: cannot unmarshal into Go value of type map[string]interface {{}}",
        ),
    ),
    Rule(
        code="schema-too-large",
        severity=Severity.WARNING,
        summary="The schema of the instance is too large.",
        explanation="""\
kro writes out every custom type wherever it is used, so that a few lines can stand for millions of fields. kro itself
has no limit, but a CRD of such a size cannot be stored.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    T1: {a: T2, b: T2}
    T2: {a: T3, b: T3}
    T3: {a: T4, b: T4}
    T4: {a: T5, b: T5}
    T5: {a: T6, b: T6}
    T6: {a: T7, b: T7}
    T7: {a: T8, b: T8}
    T8: {a: T9, b: T9}
    T9: {a: T10, b: T10}
    T10: {a: T11, b: T11}
    T11: {a: T12, b: T12}
    T12: {a: T13, b: T13}
    T13: {a: T14, b: T14}
    T14: {a: T15, b: T15}
    T15: {a: T16, b: T16}
    T16: {a: T17, b: T17}
    T17: {a: string, b: string}
  spec:
    root: T1
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Endpoint: {host: string, port: integer}
  spec:
    root: Endpoint
""",
    ),
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="invalid-default",
        severity=Severity.ERROR,
        summary="The default of a field is not of its type.",
        explanation="""\
The default of an integer, float or boolean must be one. Lists, maps and objects take JSON.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=many
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=3
""",
        repairs=(Repair.WRONG_DEFAULT,),
        kro_messages=("default value must be a valid {type}, got: {value}",),
    ),
    # Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/defaulting.
    Rule(
        code="refused-default",
        severity=Severity.WARNING,
        summary="The other markers of a field forbid its default.",
        explanation="""\
Kubernetes checks every default against its schema. kro accepts one that is not allowed, and then the CRD cannot be
created.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=medium
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=small
""",
    ),
)

CHECK = check_of(RULES)
