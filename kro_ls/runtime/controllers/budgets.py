"""The status of PodDisruptionBudgets, which count the pods of other objects.

Source: k8s.io/kubernetes, pkg/controller/disruption.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.nodes.expansion import metadata_text
from kro_ls.runtime.values.text_table import TIME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject, JsonValue


def counted(budget: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a budget with the status that the pods of some objects give it; all of them are healthy."""
    spec, metadata = as_object(budget.get("spec")), as_object(budget.get("metadata"))
    namespace = metadata_text(budget, "namespace")
    near = (each for each in objects if metadata_text(each, "namespace") == namespace)
    expected = sum(_pods(each, as_object(spec.get("selector"))) for each in near)
    if "maxUnavailable" in spec:
        desired = max(expected - _share(spec["maxUnavailable"], expected), 0)
    else:
        desired = _share(spec.get("minAvailable", 1), expected)
    allowed = max(expected - desired, 0)
    generation = metadata.get("generation", 1)
    condition: JsonObject = {
        "type": "DisruptionAllowed",
        "status": "True" if allowed else "False",
        "reason": "SufficientPods" if allowed else "InsufficientPods",
        "message": "",
        "lastTransitionTime": TIME,
        "observedGeneration": generation,
    }
    status: JsonObject = {
        "currentHealthy": expected,
        "desiredHealthy": desired,
        "disruptionsAllowed": allowed,
        "expectedPods": expected,
        "observedGeneration": generation,
        "conditions": [condition],
    }
    return {**budget, "status": status}


def _share(value: JsonValue, count: int) -> int:
    """Return a number of pods, which may be given as a percentage."""
    if isinstance(value, int):
        return value
    percent = as_text(value).removesuffix("%")
    return ceil(int(percent) * count / 100) if percent.isdecimal() else 0


def _pods(value: JsonObject, selector: JsonObject) -> int:
    """Return how many pods of an object a selector finds."""
    spec = as_object(value.get("spec"))
    if value.get("kind") == "Pod":
        return int(_selects(selector, as_object(as_object(value.get("metadata")).get("labels"))))
    labels = as_object(as_object(as_object(spec.get("template")).get("metadata")).get("labels"))
    if value.get("kind") not in ("Deployment", "StatefulSet", "ReplicaSet") or not _selects(selector, labels):
        return 0
    replicas = spec.get("replicas", 1)
    return replicas if isinstance(replicas, int) else 1


def _selects(selector: JsonObject, labels: JsonObject) -> bool:
    wanted = as_object(selector.get("matchLabels")).items() <= labels.items()
    return wanted and all(_fits(as_object(each), labels) for each in as_list(selector.get("matchExpressions")))


def _fits(wish: JsonObject, labels: JsonObject) -> bool:
    key, values = as_text(wish.get("key")), as_list(wish.get("values"))
    match wish.get("operator"):
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case "In":
            return labels.get(key) in values
    return labels.get(key) not in values
