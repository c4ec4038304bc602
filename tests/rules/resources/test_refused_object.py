"""The API server refuses the object of a template."""

from __future__ import annotations

from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics


def test_values_that_the_api_server_refuses() -> None:
    check_diagnostics("""
resources:
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}_web
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ refused-object: is not a valid name
      spec:
        replicas: -1
        #         ^^ refused-object: spec.replicas: Invalid value: -1: must be greater than or equal to 0
        selector:
          matchLabels: {app: web}
        template:
          metadata:
            labels: {app: shop}
#                   ^^^^^^^^^^^ refused-object: `selector` does not match template `labels`
          spec:
            containers:
              - name: web
                ^^^^^^^^^ refused-object: 'image' is missing
                ports:
                  - containerPort: 80
                    name: HTTP
#                         ^^^^ refused-object: must contain only alpha-numeric characters
                resources:
                  limits: {memory: 128Mib}
#                                  ^^^^^^ refused-object: must be a quantity
                livenessProbe:
                ^^^^^^^^^^^^^ refused-object: must specify a handler type
                  periodSeconds: 5
              - {name: web, image: nginx}
#               ^^^^^^^^^^^^^^^^^^^^^^^^^ refused-object: duplicate entries for key [name="web"]
""")


def test_a_misspelt_value_can_be_mended() -> None:
    (found,) = check_diagnostics("""
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        type: "Loadbalancer"
#             ^^^^^^^^^^^^^^ refused-object
        ports: [{port: 80}]
""")
    (fix,) = found.fixes
    assert [(each.text, fix.title) for each in fix.replacements] == [("LoadBalancer", "Change to 'LoadBalancer'")]


def test_what_expressions_give_is_not_judged() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  spec:
    app: string | required=true
    least: integer | default=1
resources:
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.spec.app}
      spec:
        selector:
          matchLabels: {app: "${schema.spec.app}"}
        template:
          metadata:
            labels: {app: web}
          spec:
            containers:
              - name: ${schema.spec.app}
                image: nginx:${schema.spec.app}
                volumeMounts: [{name: "${schema.spec.app}", mountPath: /a}]
              - {name: web, image: nginx}
            volumes: [{name: "${schema.spec.app}", emptyDir: {}}]
  - id: scaler
    template:
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata:
        name: ${schema.spec.app}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: "${web.metadata.name}"}
        minReplicas: ${schema.spec.least}
        maxReplicas: 2
#                    ~ refused-object
""")


def test_a_field_that_may_be_left_out_is_not_there_for_certain() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1
  kind: Example
  spec:
    most: integer | default=0
resources:
  - id: budget
    template:
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector: {matchLabels: {app: web}}
        minAvailable: 1
        maxUnavailable: "${schema.spec.most > 0 ? schema.spec.most : omit()}"
""",
        Settings(feature_gates=frozenset({"CELOmitFunction"})),
    )


def test_a_fault_that_kro_finds_comes_first() -> None:
    check_diagnostics("""
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata:
        nam: web
#       ^^^ unknown-template-field: did you mean 'name'?
      spec:
        type: Loadbalancer
        #     ^^^^^^^^^^^^ refused-object: 'Loadbalancer' is not allowed for 'type'; expected 'ClusterIP'
""")


def test_values_and_rules_of_custom_kinds() -> None:
    check_diagnostics("""
//- rgd.yaml
resources:
  - id: box
    template:
      apiVersion: example.com/v1
      kind: Box
      metadata:
        name: ${schema.metadata.name}
      spec:
      ^^^^ refused-object: low is above high
        name: ${schema.metadata.name}
        low: 5
        high: 2
  - id: empty
    template:
      apiVersion: example.com/v1
      kind: Box
      metadata:
        name: ${schema.metadata.name}-empty
      spec:
      ^^^^ refused-object: 'low' is missing
        size: huge
        #     ^^^^ refused-object: expected 'small' or 'big'
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
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
              required: [low]
              x-kubernetes-validations: [{rule: "self.low <= self.high", message: low is above high}]
              properties:
                name: {type: string}
                low: {type: integer}
                high: {type: integer}
                size: {type: string, enum: [small, big]}
""")


def test_metadata_that_the_kind_needs() -> None:
    check_diagnostics("""
resources:
  - id: token
    template:
      apiVersion: v1
      kind: Secret
      metadata:
      ^^^^^^^^ refused-object: 'kubernetes.io/service-account.name' is missing
        name: ${schema.metadata.name}
      type: kubernetes.io/service-account-token
  - id: other
    template:
      apiVersion: v1
      kind: Secret
      metadata:
        name: ${schema.metadata.name}-other
        annotations:
        ^^^^^^^^^^^ refused-object: 'kubernetes.io/service-account.name' is missing
          a: b
      type: kubernetes.io/service-account-token
  - id: third
    template:
      apiVersion: v1
      kind: Secret
      metadata:
        name: ${schema.metadata.name}-third
        annotations: {kubernetes.io/service-account.name: "${schema.metadata.name}"}
      type: kubernetes.io/service-account-token
""")
