"""What people use most in expressions, and how much each kind of evidence for a name counts.

The numbers were fitted to definitions that people wrote (`python -m benchmarks --only completion_ranking` measures them
on others).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Final

_Shares = Mapping[str, float]


def _logs(shares: _Shares, other: float) -> dict[str, float]:
    """Return the logs of how much likelier each name is than one that is not listed, whose share is `other`."""
    return {name: log(share / other) for name, share in shares.items()}


_FIELDS: Final[Mapping[str, _Shares]] = {
    "": {"status": 0.55, "metadata": 0.35, "spec": 0.06, "data": 0.02, "kind": 0.004, "apiVersion": 0.004},
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
_OTHER_FIELD: Final = 0.005
USUAL_FIELDS: Final = {before: _logs(shares, _OTHER_FIELD) for before, shares in _FIELDS.items()}
"""How much likelier than others the fields are after a field or `schema`, or after a resource (""), as logs."""
USUAL_READY_FIELDS: Final = {
    **USUAL_FIELDS,
    "": _logs({"status": 0.9, "metadata": 0.03, "spec": 0.05, "data": 0.02}, _OTHER_FIELD),
}
"""The same in `readyWhen`."""
_FUNCTIONS: Final[_Shares] = {
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
USUAL_FUNCTIONS: Final = _logs(_FUNCTIONS, _OTHER_FUNCTION)
"""The functions, macros and namespaces that people use most, which are offered first where anything might be called.

Each comes with how much likelier than others it is, as a log.
"""

WEIGHTS: Final[Mapping[str, float]] = {
    # what a name stands for
    "VARIABLE": 4.4,
    "ITERATOR": 3.1,
    "OWN": 1.9,
    "RESOURCE": 0.9,
    "SCHEMA": 0.8,
    "KEY": 1.1,
    "FIELD": 0.3,
    "GUESS": -0.5,
    "FUNCTION": -2.1,
    "NAMESPACE": -2.4,
    "MACRO": -2.7,
    "called": -0.9,
    "RESOURCE in readyWhen": 2.2,
    "RESOURCE in status": 0.8,
    "RESOURCE in template": 0.3,
    "RESOURCE in externalRef": -1.1,
    "RESOURCE in forEach": -1.9,
    "SCHEMA in includeWhen": 2.0,
    "SCHEMA in externalRef": 1.5,
    "SCHEMA in status": -0.5,
    "RESOURCE as operand": -1.7,
    "SCHEMA as operand": -0.9,
    "MACRO as operand": -1.4,
    # what people use most
    "field": 0.6,
    "function": 0.5,
    # what the definition chooses elsewhere
    "same": 0.3,
    "same key": 0.8,
    "same kind": 1.1,
    "same field": 0.5,
    "here": -0.6,
    # what the key and the keys around it say
    "is the key": 1.5,
    "like the key": 3.7,
    "below is like the key": 2.5,
    "like the keys around": 0.45,
    "resource like the keys around": 2.7,
    "kind like the keys": 3.6,
    # where a resource stands
    "distance": -0.65,
    "after the place": -1.1,
    # the type
    "FITS": 0.8,
    "LEADS_ON": 0.2,
    "UNFIT": -6.0,
    "called FITS": 0.8,
    "called LEADS_ON": -1.0,
    "called UNFIT": -3.0,
}
