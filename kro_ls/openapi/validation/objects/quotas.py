"""What the API server refuses in quotas, limit ranges, and classes of priorities and runtimes.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go, pkg/apis/scheduling/validation/validation.go and
pkg/apis/node/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.object_meta import label_key_problems, label_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    error,
    invalid,
    is_empty,
    labels,
    needed_text,
    number_of,
    one_of,
    text_of,
)
from kro_ls.openapi.validation.objects.quantities import amount, canonical
from kro_ls.openapi.validation.objects.selectors import toleration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_COUNTED: Final = frozenset(
    {
        *("pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps"),
        *("persistentvolumeclaims", "services.nodeports", "services.loadbalancers"),
    }
)
_SCOPES: Final = frozenset(
    {
        *("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass"),
        *("CrossNamespacePodAffinity", "VolumeAttributesClass"),
    }
)
_LIMIT_TYPES: Final = ("Pod", "Container", "PersistentVolumeClaim")
_HIGHEST_PRIORITY: Final = 1_000_000_000
_SYSTEM: Final = "system-"


def _hard(value: JsonValue, path: Path) -> Iterator[FieldError]:
    for name, quantity in as_object(value).items():
        place = f"{place_of(path)}[{name}]"
        for each in label_key_problems(name):
            yield field_error((*path, name), place, ErrorType.INVALID, name, each, in_key=True)
        size = amount(quantity)
        if size is None:
            continue
        shown = canonical(quantity)
        if size < 0:
            detail = "must be greater than or equal to 0"
            yield field_error((*path, name), place, ErrorType.INVALID, shown, detail)
        if size.denominator != 1 and (name in _COUNTED or name.startswith("count/")):
            yield field_error((*path, name), place, ErrorType.INVALID, shown, "must be an integer")


def _scopes(value: JsonValue, path: Path) -> Iterator[FieldError]:
    scopes = as_list(value)
    if any(isinstance(each, str) and each not in _SCOPES for each in scopes):
        yield error(path, ErrorType.INVALID, scopes, "unsupported scope")


def _scope_expression(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with an expression; the text does not include its number."""
    if not isinstance(value, dict):
        return
    place = place_of(path[:-1])
    scope, operator = text_of(value, "scopeName"), text_of(value, "operator")
    values = value.get("values")
    if scope is not None and scope not in _SCOPES:
        yield field_error((*path, "scopeName"), f"{place}.scopeName", ErrorType.INVALID, scope, "unsupported scope")
    if operator in ("In", "NotIn"):
        if is_empty(values):
            detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
            yield field_error((*path, "values"), f"{place}.values", ErrorType.REQUIRED, "", detail)
    elif operator in ("Exists", "DoesNotExist"):
        if as_list(values):
            detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
            yield field_error((*path, "values"), f"{place}.values", ErrorType.INVALID, values, detail)
    elif operator is not None:
        detail = "not a valid selector operator"
        yield field_error((*path, "operator"), f"{place}.operator", ErrorType.INVALID, operator, detail)


QUOTA: Final = Shape(("hard", _hard), ("scopes", _scopes), ("scopeSelector.matchExpressions[]", _scope_expression))


def _limits(value: JsonValue, path: Path) -> Iterator[FieldError]:
    seen: set[str] = set()
    for number, each in enumerate(as_list(as_object(value).get("limits"))):
        if not isinstance(each, dict):
            continue
        here = (*path, "limits", number)
        kind = text_of(each, "type")
        place = (*here, "type")
        if kind is not None:
            problems = label_key_problems(kind)
            yield from invalid(place, kind, problems)
            if not problems and "/" not in kind and kind not in _LIMIT_TYPES:
                detail = "must be a standard limit type or fully qualified"
                yield error(place, ErrorType.INVALID, kind, detail)
            if kind in seen:
                yield error(place, ErrorType.DUPLICATE, kind)
            seen.add(kind)
        yield from _ordered(each, here)


_ORDER: Final = (
    ("min", "max", "min", "min value {low} is greater than max value {high}"),
    ("min", "defaultRequest", "defaultRequest", "min value {low} is greater than default request value {high}"),
    ("defaultRequest", "max", "defaultRequest", "default request value {low} is greater than max value {high}"),
    (
        "defaultRequest",
        "default",
        "defaultRequest",
        "default request value {low} is greater than default limit value {high}",
    ),
    ("min", "default", "default", "min value {low} is greater than default value {high}"),
    ("default", "max", "default", "default value {low} is greater than max value {high}"),
)
"""Two values of which the first must not be greater, the one that the error names, and its text."""


def _ordered(limit: JsonObject, path: Path) -> Iterator[FieldError]:
    names = dict.fromkeys(
        name for side in ("min", "max", "defaultRequest", "default") for name in as_object(limit.get(side))
    )
    for name in names:
        for low, high, named, detail in _ORDER:
            least, most = (as_object(limit.get(each)).get(name) for each in (low, high))
            small, large = amount(least), amount(most)
            if small is not None and large is not None and small > large:
                words = detail.format(low=canonical(least), high=canonical(most))
                shown = canonical(most if named == high or (named == "default" and high == "max") else least)
                yield field_error(
                    (*path, named, name), f"{place_of(path)}.{named}[{name}]", ErrorType.INVALID, shown, words
                )


LIMIT_RANGE: Final = Shape(("", _limits))


def _priority(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    name, priority = text_of(fields.get("metadata"), "name"), number_of(fields, "value")
    if name and name.startswith(_SYSTEM):
        detail = f"priority class names with '{_SYSTEM}' prefix are reserved for system use only"
        yield error((*path, "metadata", "name"), ErrorType.FORBIDDEN, "", detail)
    elif priority is not None and priority > _HIGHEST_PRIORITY:
        detail = f"maximum allowed value of a user defined priority is {_HIGHEST_PRIORITY}"
        yield error((*path, "value"), ErrorType.FORBIDDEN, "", detail)


def _preemption(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if value == "":
        yield error(path, ErrorType.REQUIRED)
    else:
        yield from one_of("PreemptLowerPriority", "Never")(value, path)


PRIORITY_CLASS: Final = Shape(("", _priority), ("preemptionPolicy", _preemption))


RUNTIME_CLASS: Final = Shape(
    ("", lambda value, path: needed_text(value, path, "handler", label_problems)),
    ("scheduling.nodeSelector", labels),
    ("scheduling.tolerations[]", toleration),
)
