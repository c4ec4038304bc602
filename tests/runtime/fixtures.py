"""Definitions and instances for the tests of the runtime."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.runtime.render import NodeResult, Pass, render
from kro_ls.yaml_positions.text import Text

HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
"""
SPEC = "    spec: {name: string, list: '[]string', flag: boolean | default=false}\n"

THING_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {size: {type: integer, default: 3}, parent: {type: string}}}
            status:
              type: object
              properties:
                id: {type: string}
                ready: {type: boolean}
                phase: {type: string}
                at: {type: string, format: date-time}
                conditions:
                  type: array
                  items: {type: object, properties: {type: {type: string}, status: {type: string}}}
"""

GATES = Settings(feature_gates=frozenset({"CELOmitFunction"}))


@lru_cache(maxsize=1)
def schemas() -> SchemaIndex:
    """Return the kinds of Kubernetes and `Thing` of example.com/v1."""
    kinds = kubernetes()
    return schema_index(kinds, (CrdSource([("things.yaml", THING_CRD)], schema_index(kinds).object_meta),))


def definition(resources: str, *, schema: str = SPEC) -> RgdAnalysis:
    """Return an RGD of kind App with these resources (the list under `resources`, indented by 4)."""
    text = f"{HEAD}{schema}  resources:\n{resources}"
    diagnosis = diagnose_text(Text(text), GATES, schemas())
    errors = [each.message for each in diagnosis.diagnostics if each.severity is Severity.ERROR]
    assert not errors, errors
    (rgd,) = diagnosis.analysis.rgds
    return rgd


def config_map(id_: str, name: str, more: str = "", data: str = "{}") -> str:
    """Return a resource that is a ConfigMap."""
    return (
        f"    - id: {id_}\n{more}"
        f"      template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}, data: {data}}}\n"
    )


def thing(id_: str, name: str, more: str = "", spec: str = "{}") -> str:
    """Return a resource that is a Thing."""
    template = f"{{apiVersion: example.com/v1, kind: Thing, metadata: {{name: {name}}}, spec: {spec}}}"
    return f"    - id: {id_}\n{more}      template: {template}\n"


def instance(**spec: Any) -> dict[str, Any]:
    """Return an instance of App in the namespace `ns`."""
    metadata = {"name": "demo", "namespace": "ns"}
    return {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": metadata, "spec": spec}


def states(found: Pass) -> dict[str, str]:
    """Return the state of each node."""
    return {each.id: each.state.value for each in found.nodes}


def node(found: Pass, id_: str) -> NodeResult:
    """Return a node of a pass that has it."""
    result = found.node(id_)
    assert result is not None
    return result


def reason(found: Pass, id_: str) -> str:
    """Return kro's text about why a node is not rendered."""
    result = node(found, id_)
    assert result.reason is not None
    return result.reason.text


def rendered(rgd: RgdAnalysis, observed: Any = None, **spec: Any) -> Pass:
    """Return one pass over an instance with this spec."""
    return render(rgd, instance(**spec), observed or {})


def only(rgd: RgdAnalysis, observed: Any = None, **spec: Any) -> dict[str, Any]:
    """Return the only object of the only node."""
    ((value,),) = [each.desired for each in rendered(rgd, observed, **spec).nodes]
    return value
