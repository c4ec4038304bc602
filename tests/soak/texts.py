"""Valid texts of every kind, with which attacks begin."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tests.conformance.own_definitions import SETS
from tests.conformance.own_definitions import definitions as recorded
from tests.fixtures.definitions import rgd, rgd_of_config_maps
from tests.rules.graphs import ACCEPTED, graph

if TYPE_CHECKING:
    from random import Random

_SMALL = 900
_LARGE_SHARE = 0.04

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


OTHER_CRD = CRD.replace("[region]", "[zone]").replace("region: {", "zone: {").replace("self.region", "self.zone")

_CHAIN = rgd_of_config_maps(("a", "${schema.metadata.name}"), ("b", "${a.metadata.name}"), ("c", "${b.data.?x}"))
_STARS = """
- id: each
  forEach: [{i: "${lists.range(schema.spec.count)}"}, {w: "${['x', 'y']}"}]
  includeWhen: ["${schema.spec.count > 0}"]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-${i}-${w}"}}
- id: after
  readyWhen: ["${after.metadata.?uid.hasValue()}"]
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${each.map(e, e.metadata.name).join(',')}", annotations: &a {x: y}, labels: *a}
- id: found
  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: "${after.data.?name.orValue('')}"}}
"""


@cache
def _definitions() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return small definitions and large ones."""
    known = [each.text for name in SETS for each in recorded(name)]
    stars = rgd(_STARS, spec="{name: string, count: integer | default=2}", status="uid: ${after.metadata.uid}")
    two = f"{_CHAIN}---\n{_CHAIN.replace('App', 'Other')}"
    known += [*map(graph, ACCEPTED.values()), *[_CHAIN, stars, BUCKET] * 30, _CHAIN.replace("\n", "\r\n"), two]
    known += [f"{CRD}---\n{BUCKET}"]
    return tuple(text for text in known if len(text) <= _SMALL), tuple(text for text in known if len(text) > _SMALL)


def a_definition(random: Random) -> str:
    """Return a definition, mostly a small one."""
    small, large = _definitions()
    return random.choice(large if random.random() < _LARGE_SHARE else small)


@cache
def expressions() -> tuple[str, ...]:
    """Return the expressions of all definitions, each once."""
    texts = "\n".join(text for texts in _definitions() for text in texts)
    return tuple(dict.fromkeys(re.findall(r"(?<!\$)\$\{([^${}\n]{3,200})\}", texts)))
