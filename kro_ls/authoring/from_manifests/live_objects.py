"""Objects of a cluster as an author would write them: without defaulted and allocated values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.input_objects import pod_path, without_noise
from kro_ls.openapi.json_values import as_list, as_object, as_text, copy_json, value_at
from kro_ls.openapi.written_fields import writer_of
from kro_ls.runtime.apiserver.storing import stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema

_ALLOCATED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("", "Service"): ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"),
    ("", "PersistentVolumeClaim"): ("volumeName",),
    ("", "Pod"): ("nodeName",),
    ("batch", "Job"): ("selector",),
}
"""The fields of a `spec` in which the API server or a controller writes what it chose."""
_JOB_LABELS: Final = (
    "controller-uid",
    "job-name",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-name",
)
_FINALIZERS: Final = ("kubernetes.io/", "service.kubernetes.io/", "foregroundDeletion", "orphan")
_ACCESS: Final = "kube-api-access-"
"""How the volume begins that a pod gets for its service account."""


def as_written(value: JsonObject, kind: KindSchema | None) -> JsonObject:
    """Return an object of a cluster as its author would write it; the API server stores it as the same object."""
    made: Any = copy_json(without_noise(value))
    group, name = as_text(value.get("apiVersion")).rpartition("/")[0], as_text(value.get("kind"))
    _clean_metadata(made["metadata"], group, name)
    spec = as_object(made.get("spec"))
    is_headless = spec.get("clusterIP") == "None"
    for field in _ALLOCATED.get((group, name), ()):
        if not (is_headless and field == "clusterIP") and not (name == "Job" and spec.get("manualSelector") is True):
            spec.pop(field, None)
    for port in map(as_object, as_list(spec.get("ports"))):
        port.pop("nodePort", None)
    pod = pod_path(made)
    if pod is not None:
        _clean_pod(as_object(value_at(made, pod)))
        if (group, name) == ("batch", "Job"):
            for each in (made, as_object(value_at(made, pod))):
                _without_labels(as_object(each.get("metadata")), _JOB_LABELS)
    kept = stored(made, kind)
    for path in list(_paths(spec, ("spec",))):
        _drop_default(made, path, kept, kind)
    return as_object(made)


def _clean_metadata(metadata: Any, group: str, kind: str) -> None:
    annotations = as_object(metadata.get("annotations"))
    for name in [each for each in annotations if writer_of(group, kind, each)]:
        del annotations[name]
    finalizers = [each for each in as_list(metadata.get("finalizers")) if not as_text(each).startswith(_FINALIZERS)]
    _set_or_drop(metadata, "annotations", annotations)
    _set_or_drop(metadata, "finalizers", finalizers)


def _clean_pod(pod: JsonObject) -> None:
    """Remove what admission and defaulting added to a pod."""
    metadata, spec = as_object(pod.get("metadata")), as_object(pod.get("spec"))
    metadata.pop("creationTimestamp", None)
    if "serviceAccountName" in spec:
        spec.pop("serviceAccount", None)  # the same under its old name
    holders = [(spec, "volumes")]
    for place in ("containers", "initContainers"):
        holders += [(as_object(each), "volumeMounts") for each in as_list(spec.get(place))]
    for holder, name in holders:
        if name in holder:
            names = ((each, as_text(as_object(each).get("name"))) for each in as_list(holder[name]))
            _set_or_drop(holder, name, [each for each, own in names if not own.startswith(_ACCESS)])


def _without_labels(metadata: JsonObject, names: tuple[str, ...]) -> None:
    labels = as_object(metadata.get("labels")).items()
    _set_or_drop(metadata, "labels", {name: each for name, each in labels if name not in names})


def _set_or_drop(holder: JsonObject, name: str, value: JsonValue) -> None:
    """Set a field, or remove it where the value is empty."""
    if value:
        holder[name] = value
    else:
        holder.pop(name, None)


def _paths(value: JsonValue, path: Path) -> Iterator[Path]:
    """Yield the paths of the fields below a value, the inner ones after those around them."""
    if isinstance(value, dict):
        for name in value:
            yield (*path, name)
            yield from _paths(value[name], (*path, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _paths(each, (*path, index))


def _drop_default(made: Any, path: Path, kept: JsonObject, kind: KindSchema | None) -> None:
    """Remove a field if the API server fills in the same value."""
    holder = value_at(made, path[:-1])
    name = path[-1]
    if not isinstance(holder, dict) or name not in holder:
        return
    value = holder.pop(str(name))
    filled = stored(made, kind)
    if value_at(filled, path) is None or filled != kept:
        holder[str(name)] = value
