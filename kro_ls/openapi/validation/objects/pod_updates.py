"""What the API server refuses of an edit of a Pod: nearly all of its spec stays as it is.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go (ValidatePodUpdate). The API server adds what differs,
as Go prints it. Defaults may be written out or left away, so that only fields without one count as added or removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import FieldError

_CONTAINERS: Final = ("containers", "initContainers")
_FREE: Final = frozenset({"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"})
_FREE_OF_CONTAINERS: Final = frozenset({"image", "resources"})
"""Resources are compared as quantities by the API server; here they are not looked at."""
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


def pod_update_errors(value: JsonObject, stored: JsonObject) -> Iterator[FieldError]:
    """Yield what is wrong with an edit of a Pod, both as they were applied."""
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
    """Whether a value is surely other than the one before, but for what is free."""
    if isinstance(new, dict) and isinstance(old, dict):
        return any(_field_differs(name, new.get(name), old.get(name)) for name in {*new, *old} - free)
    if isinstance(new, list) and isinstance(old, list):
        return len(new) != len(old) or any(_differs(*pair) for pair in zip(new, old, strict=True))
    return new.__class__ is old.__class__ and isinstance(new, str | int) and new != old


def _field_differs(name: str, new: JsonValue, old: JsonValue) -> bool:
    if not new or not old:
        return name in _WITHOUT_DEFAULT and bool(_given(new)) != bool(_given(old)) and not _is_unknown(new, old)
    return _differs(as_object(new) or new, as_object(old) or old)


def _given(value: JsonValue) -> JsonValue:
    return value if isinstance(value, str | int | list | dict) else None


def _is_unknown(*values: JsonValue) -> bool:
    """Whether one of them is a placeholder for what an expression gives."""
    return any(each is not None and _given(each) is None for each in values)
