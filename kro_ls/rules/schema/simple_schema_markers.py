"""The rules about markers in SimpleSchema."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.schema.simple_schema_findings import check_of

RULES = (
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="marker-syntax",
        severity=Severity.ERROR,
        summary="The markers of a field cannot be read.",
        explanation="""\
After the `|` stand markers `name=value`, separated by blanks only. A value with blanks is put in double quotes, and a
double quote inside of it is written `\\"`.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true
""",
        repairs=(Repair.CLOSED_TEXT,),
        kro_messages=(
            "marker key '{key}' without a value",
            "empty marker key",
            "invalid marker key {key}: unknown marker: {name}",
            "unclosed quote",
            "unclosed bracket/brace",
            "unmatched closing bracket/brace",
        ),
    ),
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="unknown-marker",
        severity=Severity.ERROR,
        summary="A field has a marker that does not exist.",
        explanation="""\
The markers are `required`, `default`, `description`, `minimum`, `maximum`, `validation`, `immutable`, `enum`,
`pattern`, `minLength`, `maxLength`, `uniqueItems`, `minItems`, `maxItems`, `listType` and `listMapKey`.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | min=1
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1
""",
        kro_messages=("invalid marker key {key}: unknown marker: {name}",),
    ),
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="marker-not-applicable",
        severity=Severity.ERROR,
        summary="A marker stands on a type that it is not for.",
        explanation="""\
`pattern`, `minLength` and `maxLength` are for strings, `minItems`, `maxItems`, `uniqueItems`, `listType` and
`listMapKey` for lists, `enum` for strings and integers.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxLength=5'
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxItems=5'
""",
        kro_messages=(
            "enum values only supported for string and integer types, got type: {type}",
            "{marker} marker is only valid for {kind} types, got type: {type}",
            "{marker} marker only applies to array types",
        ),
    ),
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="invalid-marker-value",
        severity=Severity.ERROR,
        summary="The value of a marker is not what the marker takes.",
        explanation="""\
`required`, `immutable` and `uniqueItems` take `true` or `false`, bounds take numbers, `enum` takes a list such as
`enum="a,b"`, `pattern` a regular expression in the syntax of RE2 and `listType` one of `atomic`, `set` and `map`.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=yes
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true
""",
        kro_messages=(
            "failed to parse {marker} marker value: {problem}",
            "failed to parse {marker} value: {problem}",
            "failed to parse {marker} enum value: {problem}",
            "empty enum values are not allowed",
            "failed to parse integer enum value: {problem}",
            "pattern marker value cannot be empty",
            "invalid pattern regex: {problem}",
            "unsupported value for listType {value}, needs to be one of atomic, set, or map",
            "validation failed",
        ),
    ),
    # Source: kro `pkg/simpleschema/markers.go`: defaults are written as they stand, and decoded by the API server.
    Rule(
        code="unusable-marker-value",
        severity=Severity.WARNING,
        summary="A marker's value makes the CRD invalid.",
        explanation="""\
kro copies the values of `default` and `enum` into the CRD as JSON. What is not JSON, and bounds that are not finite
numbers, are accepted at first; then the CRD cannot be created.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | default=a,b'
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | default=["a","b"]'
""",
    ),
    Rule(
        code="marker-without-effect",
        severity=Severity.WARNING,
        summary="A marker does nothing on a field of this type.",
        explanation="""\
`minimum` and `maximum` bound numbers. On any other type kro and Kubernetes accept and ignore them. Of a marker
that is given twice, such as `default`, the last one counts.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minimum=3
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minLength=3
""",
    ),
    # Source: kro `pkg/simpleschema/markers.go`.
    Rule(
        code="conflicting-markers",
        severity=Severity.ERROR,
        summary="Two markers of a field exclude each other.",
        explanation="""\
A list has one list type: `uniqueItems=true` makes it a `set`. `listMapKey` needs `listType=map`, and names
each key once.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true listType=atomic'
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true'
""",
        kro_messages=(
            "listMapKey set while listType is {state}, listType must be set to map",
            "cannot set unique when listType is set to {type}",
            "listType attempting to overwrite set type of {type}",
            "duplicate listMapKey marker, value {value}",
        ),
    ),
    Rule(
        code="contradicting-markers",
        severity=Severity.WARNING,
        summary="No value can meet the bounds of a field.",
        explanation="""\
A lower bound above the upper one is accepted by kro and Kubernetes alike, and then every value is refused.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=5 maximum=1
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1 maximum=5
""",
    ),
    # Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
    Rule(
        code="invalid-list-markers",
        severity=Severity.WARNING,
        summary="Kubernetes refuses the list type for these items.",
        explanation="""\
The items of a list with `listType=map` are objects, and each `listMapKey` is one of their scalar fields, required or
with a default. The items of a set are scalars or atomic lists.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      name: string
  spec:
    ports: '[]Port | listType=map listMapKey=name'
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      name: string | required=true
  spec:
    ports: '[]Port | listType=map listMapKey=name'
""",
    ),
)

CHECK = check_of(RULES)
