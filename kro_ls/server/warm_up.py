"""Loads in idle time what the first open file and the first requests would otherwise wait for."""

from __future__ import annotations

import gc
import logging
import threading
from importlib import import_module
from pkgutil import walk_packages

logger = logging.getLogger(__name__)

_DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: warm-up
spec:
  schema:
    apiVersion: v1alpha1
    kind: WarmUp
    spec:
      name: string | required=true
      replicas: integer | default=1
    status:
      ready: ${deployment.status.?readyReplicas.orValue(0)}
  resources:
    - id: deployment
      readyWhen:
        - ${deployment.status.conditions.exists(c, c.type == "Available" && c.status == "True")}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${schema.spec.name}-app
        spec:
          replicas: ${schema.spec.replicas}
          selector:
            matchLabels: {app: "${schema.spec.name}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${deployment.metadata.name}
"""


def start_warming_up() -> None:
    """Load features, rules and Kubernetes' kinds in a thread that never holds up the end of the process."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()


def _warm_up() -> None:
    try:
        from kro_ls.rules.diagnosis import diagnose_text
        from kro_ls.yaml_positions.text import Text

        diagnose_text(Text(_DEFINITION))
        features = import_module("kro_ls.features")
        for module in walk_packages(features.__path__, "kro_ls.features."):
            import_module(module.name)
        import_module("networkx")  # for drawings, which come later
    except Exception:
        logger.exception("could not warm up; what was not loaded is loaded when it is needed")
    # What is loaded stays: a full collection of garbage need not look at it again.
    gc.freeze()
