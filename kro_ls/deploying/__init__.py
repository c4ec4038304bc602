"""Deploys an instance of a definition into a cluster: through kro, or directly where the cluster has no kro.

`for event in Direct().deploy(definition, instance): print(event)`. The official client of Kubernetes, an extra, is
imported when something connects.
"""

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import Event, EventKind, Result
from kro_ls.deploying.direct import Direct
from kro_ls.deploying.factory import Factory
from kro_ls.deploying.strategy import Run, Strategy
from kro_ls.deploying.through_kro import Kro

__all__ = ["DeploymentError", "Direct", "Event", "EventKind", "Factory", "Kro", "Result", "Run", "Strategy"]
