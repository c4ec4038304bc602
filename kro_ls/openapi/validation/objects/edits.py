"""What an edit of an object cannot change: fields of built-in kinds, a table by group and kind, and parts of schemas.

Source: k8s.io/kubernetes, pkg/apis/*/validation/validation.go; for Pods, whose spec is nearly fixed, ValidatePodUpdate
in pkg/apis/core. The API server adds what differs there, as Go prints it. Defaults may be written or left out, so only
fields without a default count as added or removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import JsonValue, as_list, as_object, value_at
from kro_ls.openapi.schema import Schema, is_immutable, rules_of
from kro_ls.openapi.validation.field_errors import ErrorType, field_error
from kro_ls.openapi.validation.objects.built_in_kinds import RBAC, SELECTING, Kind
from kro_ls.openapi.validation.objects.checks import error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.field_errors import FieldError


class _Immutable(Struct, frozen=True):
    """A field that an edit cannot change, and what the API server says of it.

    With `forbidden` it reports that at another place, without the value.
    """

    pattern: str
    detail: str = "field is immutable"
    forbidden: str = ""
    ignored: tuple[str, ...] = ()
    """Its fields that can be changed."""
    defaults: tuple[tuple[str, str], ...] = ()
    """The values of its fields where they are absent."""


_STATEFUL = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
_SOURCE = "spec.persistentvolumesource"
_CLAIM = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
_CLAIM_FIELDS = ("accessModes", "dataSource", "selector", "storageClassName", "volumeMode", "volumeName")

_IMMUTABLE: Final[dict[Kind, tuple[_Immutable, ...]]] = {
    **dict.fromkeys(SELECTING, (_Immutable("spec.selector"),)),
    ("apps", "StatefulSet"): tuple(
        _Immutable(f"spec.{each}", _STATEFUL, "spec", ignored=("apiVersion", "kind"))
        for each in ("selector", "serviceName", "volumeClaimTemplates", "podManagementPolicy")
    ),
    ("batch", "Job"): tuple(_Immutable(f"spec.{each}") for each in ("selector", "template", "completionMode")),
    ("", "Service"): (_Immutable("spec.clusterIP", "may not change once set"),),
    ("", "PersistentVolumeClaim"): tuple(_Immutable(f"spec.{each}", _CLAIM, "spec") for each in _CLAIM_FIELDS),
    ("", "Secret"): (_Immutable("type"),),
    (RBAC, "RoleBinding"): (_Immutable("roleRef", "cannot change roleRef", defaults=(("apiGroup", RBAC),)),),
    (RBAC, "ClusterRoleBinding"): (_Immutable("roleRef", "cannot change roleRef", defaults=(("apiGroup", RBAC),)),),
    ("storage.k8s.io", "StorageClass"): tuple(
        _Immutable(each) for each in ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")
    ),
    ("scheduling.k8s.io", "PriorityClass"): (
        _Immutable("value", "may not be changed in an update.", "value"),
        _Immutable("preemptionPolicy"),
    ),
    ("networking.k8s.io", "IngressClass"): (_Immutable("spec.controller"),),
    ("node.k8s.io", "RuntimeClass"): (_Immutable("handler"),),
    ("", "PersistentVolume"): tuple(
        _Immutable(f"spec.{each}", f"{_SOURCE} is immutable after creation", _SOURCE)
        for each in ("csi", "nfs", "hostPath", "local")
    ),
}


def immutable_part(kind: KindSchema, path: Sequence[str | int]) -> tuple[str | int, ...] | None:
    """Return the path of the immutable field at `path` or around it, None where there is none."""
    name = kind.name
    for each in _IMMUTABLE.get((name.group, name.kind), ()):
        fields = tuple(each.pattern.split("."))
        if tuple(path[: len(fields)]) == fields:
            return fields
    schema: Schema | None = Schema(kind.declared_schema or kind.schema)
    for length in range(len(path) + 1):
        if schema is None:
            return None
        if length and any(is_immutable(rule) for rule in rules_of(schema)):
            return tuple(path[:length])
        schema = schema.child(path[length]) if length < len(path) else None
    return None


def change_errors(value: JsonObject, stored: JsonObject, kind: Kind) -> Iterator[FieldError]:
    """Yield an error for each field that an edit changes and must not; both objects are as they were applied."""
    for each in _IMMUTABLE.get(kind, ()):
        path = tuple(each.pattern.split("."))
        before, after = value_at(stored, path), value_at(value, path)
        if before is None or _meant(before, each) == _meant(after, each) or _meant(after, each) is None:
            continue  # where nothing is given, the API server fills in what was there
        if each.forbidden:
            yield field_error(path, each.forbidden, ErrorType.FORBIDDEN, "", each.detail)
        else:
            yield error(path, ErrorType.INVALID, after, each.detail)
    if kind == ("", "Pod"):
        yield from _pod_errors(value, stored)


def _meant(value: JsonValue, field: _Immutable) -> JsonValue:
    """Return a value with its defaults, and without what counts as absent."""
    if isinstance(value, dict):
        given = {name: _meant(each, field) for name, each in value.items() if name not in field.ignored}
        filled_in: JsonObject = {
            **dict(field.defaults),
            **{name: each for name, each in given.items() if each is not None},
        }
        return filled_in or None
    if isinstance(value, list):
        return [_meant(each, field) for each in value] or None
    return value or None


_CONTAINERS: Final = ("containers", "initContainers")
_JSON: Final = (str, int, list, dict, type(None))
_FREE: Final = frozenset({"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"})
_FREE_OF_CONTAINERS: Final = frozenset({"image", "resources"})
"""The API server compares resources as quantities; they are not compared here."""
_WITHOUT_DEFAULT: Final = frozenset(
    "args command env envFrom hostIPC hostNetwork hostPID hostname imagePullSecrets lifecycle livenessProbe nodeName "
    "nodeSelector ports readinessProbe runtimeClassName setHostnameAsFQDN shareProcessNamespace startupProbe stdin "
    "stdinOnce subdomain tty workingDir".split()
)
_DETAIL: Final = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def _pod_errors(value: JsonObject, stored: JsonObject) -> Iterator[FieldError]:
    new, old = value.get("spec"), stored.get("spec")
    if not isinstance(new, dict) or not isinstance(old, dict) or old.get("schedulingGates"):
        return
    for name in _CONTAINERS:
        if _is_list(new, name) and _is_list(old, name) and len(as_list(new.get(name))) != len(as_list(old.get(name))):
            yield error(("spec", name), ErrorType.FORBIDDEN, "", "pod updates may not add or remove containers")
            return
    pairs = [pair for name in _CONTAINERS for pair in zip(as_list(new.get(name)), as_list(old.get(name)), strict=False)]
    others = _FREE | {*_CONTAINERS}
    if _differs(new, old, others) or any(_differs(*pair, _FREE_OF_CONTAINERS) for pair in pairs):
        yield error(("spec",), ErrorType.FORBIDDEN, "", _DETAIL)


def _is_list(spec: JsonObject, name: str) -> bool:
    return isinstance(spec.get(name, []), list)


def _differs(new: JsonValue, old: JsonValue, free: frozenset[str] = frozenset()) -> bool:
    """Whether a value is certainly not the previous one, `free` fields aside."""
    if isinstance(new, dict) and isinstance(old, dict):
        return any(_field_differs(name, new.get(name), old.get(name)) for name in {*new, *old} - free)
    if isinstance(new, list) and isinstance(old, list):
        return len(new) != len(old) or any(_differs(*pair) for pair in zip(new, old, strict=True))
    return new.__class__ is old.__class__ and isinstance(new, str | int) and new != old


def _field_differs(name: str, new: JsonValue, old: JsonValue) -> bool:
    if not new or not old:
        are_known = isinstance(new, _JSON) and isinstance(old, _JSON)  # others stand for what expressions give
        return are_known and name in _WITHOUT_DEFAULT and bool(new) != bool(old)
    return _differs(as_object(new) or new, as_object(old) or old)
