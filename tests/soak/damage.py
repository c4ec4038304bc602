"""Texts to begin with, and chance that damages them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.fixtures.definitions import rgd, rgd_of_config_maps
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from random import Random

PIECES = (
    *("", "x", " ", "  ", "\n", "\t", "\r", "\r\n", "\n\n", ":", ": ", "- ", "-", "#", "# c\n", '"', "'", "`", "\\"),
    *("{", "}", "[", "]", "(", ")", "|", ">", "|2-\n", "&a ", "*a", "<<: *a\n", "!!str ", "? ", "---\n", "...\n", "%"),
    *("${", "$${", "}", "schema.spec.", "a.b.", ".", "?.", "[?", "1", "0x", "1e999", "-9223372036854775809", "true"),
    *("é", "\u2028", "\ufeff", "\x00", "\ud800", "\U0001f600", "\x85", "~", "null", "kro-ls: ignore[", "]"),
    *("    - id: added\n", "      more: string | required=true\n", "      includeWhen:\n        - ${schema.spec.x}\n"),
    *(
        "  schema:\n",
        "  resources:\n",
        "      forEach:\n        - i: ${lists.range(3)}\n",
        "\t- id: a\n",
        "      k: v\n",
    ),
    *('" | enum="a,b"', "string", "[]string", "map[string]", "integer | default=1", ".map(x, x)", ".all(x, ", "? 1 : "),
)

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [region]
              x-kubernetes-validations: [{rule: "self.region != ''", message: no}]
              properties:
                region: {type: string, enum: [eu, us], default: eu, maxLength: 10}
                sizes: {type: array, items: {type: integer, minimum: 1}}
                labels: {type: object, additionalProperties: {type: string}}
                port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
"""

BUCKET = rgd(
    """
- id: bucket
  template:
    apiVersion: example.com/v1
    kind: Bucket
    metadata: {name: x}
    spec: {region: "${schema.spec.name}", sizes: [1], labels: {a: "${schema.spec.name}"}, port: 1}
- id: other
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${bucket.spec.region}"}
""",
    status="region: ${bucket.spec.region}",
)

SWAGGER = """\
{"swagger": "2.0", "info": {"version": "v1.30.0"}, "definitions": {"com.example.v1.Bucket": {"type": "object", \
"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}, \
"spec": {"$ref": "#/definitions/com.example.v1.Spec"}}, "x-kubernetes-group-version-kind": [{"group": "example.com", \
"version": "v1", "kind": "Bucket"}]}, "com.example.v1.Spec": {"type": "object", "properties": {"region": {"type": \
"string"}, "sizes": {"type": "array", "items": {"type": "integer", "format": "int32"}}, "labels": {"type": "object", \
"additionalProperties": {"type": "string"}}}}}, "paths": {"/apis/example.com/v1/namespaces/{namespace}/buckets": \
{"post": {"x-kubernetes-group-version-kind": {"group": "example.com", "version": "v1", "kind": "Bucket"}}}}}
"""

TEST_FILE = """\
definition: app.yaml
crds: [crds]
tests:
  - name: one
    instance: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a}, spec: {name: b}}
    observed: {config: {data: {a: b}}, gone: null}
    notReady: [config]
    expect:
      state: ACTIVE
      nodes: {config: ready, other: {state: pending, reason: x}}
      objects: {config: {metadata: {name: b}}}
      status: {a: 1}
      errors: [x]
"""


@cache
def definitions() -> tuple[str, ...]:
    """Return definitions that are sound."""
    examples = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))]
    small = [text for text in examples if len(text) < 4000]
    chain = rgd_of_config_maps(("a", "${schema.metadata.name}"), ("b", "${a.metadata.name}"), ("c", "${b.data.?x}"))
    return (*small, chain, BUCKET, chain.replace("\n", "\r\n"), f"{chain}---\n{chain}", f"{CRD}---\n{BUCKET}")


def an_edit(random: Random, text: str) -> tuple[int, int, str]:
    """Return the start and end of what is replaced, and by what."""
    start = random.randint(0, len(text))
    if random.random() < 0.35:
        start = text.rfind("\n", 0, start) + 1
    end = min(len(text), start + random.choice((0, 0, 0, 0, 1, 2, 8, 40)))
    chance = random.random()
    if chance < 0.1:
        end = text.find("\n", start) + 1 or len(text)
    new = random.choice(PIECES)
    if chance > 0.9 and len(text) > 20:
        copied = random.randint(0, len(text) - 10)
        new = text[copied : copied + random.randint(1, 200)]
    elif chance > 0.8:
        new = f"{new}{random.randint(0, 99)}"
    return start, end, new


def damaged(random: Random, text: str, most: int = 6) -> str:
    """Return a text after some edits."""
    for _ in range(random.randint(1, most)):
        start, end, new = an_edit(random, text)
        text = text[:start] + new + text[end:]
    return text
