"""Which fields and functions people select most, where a definition itself says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Final

from kro_ls.kro.places import Place

Shares = Mapping[str, float]

_RESOURCE: Final[Shares] = {
    "status": 0.55,
    "metadata": 0.35,
    "spec": 0.06,
    "data": 0.02,
    "kind": 0.004,
    "apiVersion": 0.004,
}
_READY_RESOURCE: Final[Shares] = {"status": 0.9, "metadata": 0.03, "spec": 0.05, "data": 0.02}
_FIELDS: Final[Mapping[str, Shares]] = {
    "schema": {"spec": 0.8, "metadata": 0.19},
    "metadata": {"name": 0.7, "namespace": 0.15, "labels": 0.04, "annotations": 0.03, "uid": 0.02},
    "status": {
        "ackResourceMetadata": 0.25,
        "conditions": 0.1,
        "loadBalancer": 0.05,
        "availableReplicas": 0.05,
        "phase": 0.04,
        "state": 0.04,
    },
    "ackResourceMetadata": {"arn": 0.9, "region": 0.05, "ownerAccountID": 0.05},
    "spec": {"name": 0.1, "replicas": 0.05},
}
"""The shares of the fields that are selected from a field, or from `schema`."""
_OTHER_FIELD: Final = 0.005

_FUNCTIONS: Final[Shares] = {
    "orValue": 0.2,
    "string": 0.15,
    "map": 0.15,
    "exists": 0.1,
    "has": 0.08,
    "filter": 0.08,
    "join": 0.06,
    "size": 0.05,
    "all": 0.05,
    "split": 0.05,
    "value": 0.04,
    "int": 0.03,
    "hasValue": 0.03,
    **dict.fromkeys(("startsWith", "endsWith", "contains", "replace", "format", "lowerAscii"), 0.02),
    **dict.fromkeys(("json", "base64", "random"), 0.02),
    **dict.fromkeys(("lists", "merge", "substring"), 0.01),
}
_OTHER_FUNCTION: Final = 0.002


def field_prior(before: str, name: str, place: Place) -> float:
    """Return the log of how much likelier than others a field is after the field `before`, or after a resource ("")."""
    of_resource = _READY_RESOURCE if place is Place.READY_WHEN else _RESOURCE
    known = _FIELDS.get(before, {}) if before else of_resource
    return log(known.get(name, _OTHER_FIELD) / _OTHER_FIELD)


def function_prior(name: str) -> float:
    """Return the log of how much likelier than others a function, macro or namespace is."""
    return log(_FUNCTIONS.get(name, _OTHER_FUNCTION) / _OTHER_FUNCTION)


USUAL_FUNCTIONS: Final = frozenset(_FUNCTIONS)
"""The functions and macros that are offered first where anything might be called."""
