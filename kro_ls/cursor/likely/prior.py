"""Which fields and functions people use most, where a definition itself says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.places import STATUS_PLACES, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELDS: Final[Mapping[str, Mapping[str, float]]] = {
    "schema": {"spec": 0.8, "metadata": 0.19, "apiVersion": 0.005, "kind": 0.005},
    "*": {"status": 0.55, "metadata": 0.35, "spec": 0.06, "data": 0.02, "kind": 0.004, "apiVersion": 0.004},
    "metadata": {
        "name": 0.7,
        "namespace": 0.15,
        "labels": 0.04,
        "annotations": 0.03,
        "uid": 0.02,
    },
    "status": {"ackResourceMetadata": 0.25, "conditions": 0.1, "loadBalancer": 0.05, "availableReplicas": 0.05, "phase": 0.04, "state": 0.04},
    "ackResourceMetadata": {"arn": 0.9, "region": 0.05, "ownerAccountID": 0.05},
    "spec": {"name": 0.1, "replicas": 0.05},
}
_READY: Final = {"status": 0.9, "metadata": 0.03, "spec": 0.05, "data": 0.02}
_OTHER: Final = 0.005

_FUNCTIONS: Final[Mapping[str, float]] = {
    "string": 0.15,
    "has": 0.08,
    "size": 0.05,
    "int": 0.03,
    "orValue": 0.2,
    "filter": 0.08,
    "map": 0.15,
    "exists": 0.1,
    "all": 0.05,
    "join": 0.06,
    "split": 0.05,
    "value": 0.04,
    "hasValue": 0.03,
    "startsWith": 0.02,
    "lowerAscii": 0.02,
    "format": 0.02,
    "replace": 0.02,
    "contains": 0.02,
    "endsWith": 0.02,
    "json": 0.02,
    "base64": 0.02,
    "random": 0.02,
    "lists": 0.01,
    "merge": 0.01,
    "substring": 0.01,
    "orOptional": 0.01,
}
_OTHER_FUNCTION: Final = 0.002


def field_prior(before: str, name: str, place: Place) -> float:
    """Return the log of how often a field is selected from what another, or a resource (`*`), has."""
    from math import log

    known = _FIELDS.get(before, {})
    if before == "*" and place is Place.READY_WHEN:
        known = _READY
    return log(known.get(name, _OTHER) / _OTHER)


def function_prior(name: str) -> float:
    from math import log

    return log(_FUNCTIONS.get(name, _OTHER_FUNCTION) / _OTHER_FUNCTION)
