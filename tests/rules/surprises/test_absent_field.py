"""An expression reads a field that the object never has."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics


def deployment(condition: str, replicas: str = "1", kind: str = "Deployment") -> str:
    return f"""\
resources:
  - id: web
    readyWhen:
      - ${{{condition}}}
    template:
      apiVersion: apps/v1
      kind: {kind}
      metadata:
        name: ${{schema.metadata.name}}
      spec:
        {"serviceName: web" if kind == "StatefulSet" else "paused: false"}
        replicas: {replicas}
        selector: {{matchLabels: {{app: web}}}}
        template:
          metadata: {{labels: {{app: web}}}}
          spec: {{containers: [{{name: web, image: nginx}}]}}
"""


def with_mark(source: str, word: str, expected: str) -> str:
    line = next(each for each in source.splitlines() if word in each)
    mark = f"#{' ' * (line.index(word) - 1)}{'^' * len(word)} {expected}"
    return source.replace(f"{line}\n", f"{line}\n{mark}\n")


def test_fields_of_services_and_secrets() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  spec:
    kind: string | default=ClusterIP
  status:
    host: ${inside.status.loadBalancer.ingress[0].hostname}
    #                                  ^^^^^^^ absent-field: this is a ClusterIP, so this never has a value
    other: ${outside.status.loadBalancer.ingress[0].hostname}
    unknown: ${chosen.status.loadBalancer.ingress[0].hostname}
    perhaps: ${inside.status.loadBalancer.?ingress.orValue([]).size()}
resources:
  - id: inside
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: inside}
      spec:
        ports: [{port: 80}]
  - id: outside
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: outside}
      spec:
        type: LoadBalancer
        ports: [{port: 80}]
  - id: chosen
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: chosen}
      spec:
        type: ${schema.spec.kind}
        ports: [{port: 80}]
  - id: secret
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: secret}
      stringData: {password: secret}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: copy}
      data:
        password: ${secret.stringData.password}
        #                  ^^^^^^^^^^ absent-field: so this resource stays pending
""")


@pytest.mark.parametrize(
    "condition",
    [
        "web.status.unavailableReplicas == 0",
        "web.status.unavailableReplicas < 1",
        "web.status.readyReplicas > 0 && web.status.unavailableReplicas <= 0",
    ],
)
def test_counters_that_are_left_out_at_zero(condition: str) -> None:
    expected = "absent-field: 'unavailableReplicas' is never 0"
    check_diagnostics(with_mark(deployment(condition), "unavailableReplicas", expected))


def test_no_replicas() -> None:
    for kind in ("Deployment", "StatefulSet"):
        source = deployment("web.status.readyReplicas == web.spec.replicas", "0", kind)
        check_diagnostics(with_mark(source, "readyReplicas", "absent-field: there are 0 replicas"))


@pytest.mark.parametrize(
    "condition",
    [
        "web.status.?unavailableReplicas.orValue(0) == 0",
        "!has(web.status.unavailableReplicas) || web.status.unavailableReplicas == 0",
        "web.status.availableReplicas == 1",
        "web.status.observedGeneration == 0",
        "web.status.availableReplicas >= 0",
    ],
)
def test_near_misses(condition: str) -> None:
    check_diagnostics(deployment(condition))


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: job
    readyWhen:
      - ${job.status.succeeded == 1}
#                    ~~~~~~~~~ absent-field
    template:
      apiVersion: batch/v1
      kind: Job
      metadata: {name: job}
      spec:
        template: {spec: {restartPolicy: Never, containers: [{name: job, image: busybox}]}}
""")


def test_a_status_in_a_schema_that_is_read_in_parts() -> None:
    fields = "".join(f"    field{number}: string | default=a\n" for number in range(100))
    outputs = "".join(f"    output{number}: ${{schema.spec.field{number}}}\n" for number in range(100))
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  spec:
{fields}
  status:
    first: ${{inside.status.loadBalancer.ingress[0].hostname}}
    #                                   ^^^^^^^ absent-field: this is a ClusterIP, so this never has a value
{outputs}
    host: ${{inside.status.loadBalancer.ingress[0].hostname}}
    #                                  ^^^^^^^ absent-field: this is a ClusterIP, so this never has a value
resources:
  - id: inside
    template:
      apiVersion: v1
      kind: Service
      metadata: {{name: inside}}
      spec:
        ports: [{{port: 80}}]
""")
