"""Definitions that `test_deploying.py` deploys, each with an instance."""

from __future__ import annotations

from typing import Any

SHOP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedShop
    spec:
      image: string | default=nginx
      replicas: integer | default=2
      regions: "[]string"
      debug: boolean | default=false
    status:
      ready: ${web.status.availableReplicas}
      host: ${service.spec.clusterIP}
      names: ${region.map(each, each.metadata.name)}
      debug: ${debug.data.on}
  resources:
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.metadata.name}"}
        spec:
          replicas: ${schema.spec.replicas}
          selector: {matchLabels: {app: "${schema.metadata.name}"}}
          template:
            metadata: {labels: {app: "${schema.metadata.name}"}}
            spec: {containers: [{name: web, image: "${schema.spec.image}"}]}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${web.metadata.name}"}
        spec: {selector: {app: "${schema.metadata.name}"}, ports: [{port: 80}]}
    - id: region
      forEach: [{where: "${schema.spec.regions}"}]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-${where}"}
        data: {address: "${service.spec.clusterIP}", where: "${where}"}
    - id: debug
      includeWhen: ["${schema.spec.debug}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-debug"}
        data: {on: "yes"}
"""

SETTINGS = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-settings}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedSettings
    spec: {settings: string}
    status:
      colour: ${copy.data.colour}
      parts: ${string(size(part))}
  resources:
    - id: settings
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.settings}"}
    - id: part
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          namespace: ${schema.metadata.namespace}
          selector: {matchLabels: {part-of: "${schema.spec.settings}"}}
    - id: copy
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-copy"}
        data: {colour: "${settings.data.colour}", parts: "${string(size(part))}"}
"""

WORK = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-work}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedWork
    spec: {rounds: integer | default=1}
    status:
      done: ${work.status.succeeded}
      told: ${result.data.done}
  resources:
    - id: work
      readyWhen: ["${work.status.succeeded == work.spec.completions}"]
      template:
        apiVersion: batch/v1
        kind: Job
        metadata: {name: "${schema.metadata.name}"}
        spec:
          completions: ${schema.spec.rounds}
          template:
            spec: {restartPolicy: Never, containers: [{name: work, image: busybox}]}
    - id: result
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-result"}
        data: {done: "${string(work.status.succeeded)}"}
"""

TEAM = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-team}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedTeam
    spec:
      people: "map[string]string"
      limit: string | default="2"
    status:
      account: ${account.metadata.name}
      limit: ${quota.spec.hard['pods']}
      people: ${person.map(each, each.data.role)}
      hidden: ${string(size(token.data))}
  resources:
    - id: account
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: "${schema.metadata.name}"}
    - id: quota
      template:
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: "${schema.metadata.name}"}
        spec: {hard: {pods: "${schema.spec.limit}"}}
    - id: token
      template:
        apiVersion: v1
        kind: Secret
        metadata: {name: "${account.metadata.name}-token"}
        stringData: {account: "${account.metadata.uid}"}
    - id: person
      forEach: [{name: "${schema.spec.people.map(name, name)}"}]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${account.metadata.name}-${name}"}
        data: {role: "${schema.spec.people[name]}"}
"""

STORE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-store}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedStore
    spec: {size: integer | default=2}
    status:
      ready: ${store.status.readyReplicas}
      service: ${service.metadata.name}
      every: ${string(store.status.replicas) + " of " + string(schema.spec.size)}
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${schema.metadata.name}"}
        spec: {clusterIP: None, selector: {app: "${schema.metadata.name}"}, ports: [{port: 5432}]}
    - id: store
      template:
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: "${schema.metadata.name}"}
        spec:
          serviceName: ${service.metadata.name}
          replicas: ${schema.spec.size}
          selector: {matchLabels: {app: "${schema.metadata.name}"}}
          template:
            metadata: {labels: {app: "${schema.metadata.name}"}}
            spec: {containers: [{name: store, image: postgres}]}
"""

CHAIN = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-chain}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedChain
    spec: {first: string | default=one, last: string | default=fine}
    status: {first: "${first.data.value}"}
  resources:
    - id: first
      readyWhen: ["${first.data.value == 'one'}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-first"}
        data: {value: "${schema.spec.first}"}
    - id: second
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${first.metadata.name}-second"}
        data: {value: "${first.data.value}"}
    - id: last
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${second.metadata.name}-last", labels: {value: "${schema.spec.last}"}}
"""
"""If `last` is not a valid label value, the API server refuses the third object."""


INSIDE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-outer}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedOuter
    spec: {colours: "[]string", last: string | default=fine}
    status:
      told: ${report.data.told}
      shades: ${inner.map(each, each.status.shade)}
  resources:
    - id: inner
      forEach: [{colour: "${schema.spec.colours}"}]
      template:
        apiVersion: kro.run/v1alpha1
        kind: DeployedInner
        metadata: {name: "${schema.metadata.name}-${colour}"}
        spec: {colour: "${colour}"}
    - id: report
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}-report", labels: {value: "${schema.spec.last}"}}
        data: {told: "${inner.map(each, each.status.shade).join(', ')}"}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: deployed-inner}
spec:
  schema:
    apiVersion: v1alpha1
    kind: DeployedInner
    spec: {colour: string}
    status: {shade: "${paint.data.shade}"}
  resources:
    - id: paint
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}"}
        data: {shade: "dark ${schema.spec.colour}"}
"""
"""A definition that creates instances of another definition."""

SPEC_OF: dict[str, dict[str, Any]] = {
    SHOP: {"regions": ["eu", "us"]},
    SETTINGS: {"settings": "given"},
    WORK: {"rounds": 2},
    TEAM: {"people": {"ann": "lead", "bob": "dev"}},
    STORE: {},
    INSIDE: {"colours": ["red", "blue"]},
}
"""The definitions that both strategies deploy, with the spec of an instance."""


def instance(name: str, namespace: str, spec: dict[str, Any]) -> dict[str, Any]:
    """Return an instance without its apiVersion and kind."""
    return {"metadata": {"name": name, "namespace": namespace}, "spec": spec}
