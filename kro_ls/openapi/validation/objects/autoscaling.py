"""What the API server refuses in autoscalers and disruption budgets.

Source: k8s.io/kubernetes, pkg/apis/autoscaling/validation/validation.go and pkg/apis/policy/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import path_segment_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    as_declared,
    at_least,
    error,
    label,
    needed_text,
    needs,
    needs_one_of,
    number_of,
    one_of,
    or_absent,
    text_of,
    unsupported,
)
from kro_ls.openapi.validation.objects.quantities import amount, canonical, name_problems
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR
from kro_ls.openapi.validation.objects.workloads import not_over_all, number_or_percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_METRICS: Final = ("ContainerResource", "External", "Object", "Pods", "Resource")
_TARGETS: Final = ("Utilization", "Value", "AverageValue")
_LONGEST_PERIOD: Final = 1800
_LONGEST_WINDOW: Final = 3600


def _reference(value: JsonValue, path: Path) -> Iterator[FieldError]:
    for name in ("kind", "name"):
        yield from needed_text(value, path, name, path_segment_problems)
    version = text_of(value, "apiVersion")
    if text_of(value, "kind") is not None and version is not None and version.count("/") > 1:
        yield error((*path, "apiVersion"), ErrorType.INVALID, version, f"unexpected GroupVersion string: {version}")


def _scaled(value: JsonValue, path: Path) -> Iterator[FieldError]:
    yield from _reference(value, path)
    version, kind = text_of(value, "apiVersion"), text_of(value, "kind")
    if version is not None and "/" not in version and kind not in (None, "ReplicationController"):
        yield error((*path, "apiVersion"), ErrorType.INVALID, version, "apiVersion must specify API group")


def _name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    metric = as_object(value).get("metric", {})
    yield from needed_text(metric, (*path, "metric"), "name", path_segment_problems, "must specify a metric name")


def _target(value: JsonValue, path: Path) -> Iterator[FieldError]:
    target = as_object(value).get("target", {})
    here = (*path, "target")
    if not isinstance(target, dict):
        return
    kind = text_of(target, "type")
    if kind == "":
        yield error((*here, "type"), ErrorType.REQUIRED, "", "must specify a metric target type")
    if kind is not None and kind not in _TARGETS:
        detail = "must be either Utilization, Value, or AverageValue"
        yield error((*here, "type"), ErrorType.INVALID, kind, detail)
    for name in ("value", "averageValue"):
        found = amount(target.get(name))
        if found is not None and found <= 0:
            yield error((*here, name), ErrorType.INVALID, canonical(target[name]), "must be positive")
    yield from at_least(1, "must be greater than 0")(target.get("averageUtilization"), (*here, "averageUtilization"))


def _either(first: str, second: str, needed: tuple[str, str], both: tuple[str, str] | None = None) -> Check:
    """Return a check of a target: one of two fields is set, not both. Each error is a field and a text."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        target = as_object(value).get("target", {})
        if not isinstance(target, dict):
            return
        found = [target.get(each) is not None for each in (first, second)]
        if not any(found):
            yield error((*path, "target", needed[0]), ErrorType.REQUIRED, "", needed[1])
        elif all(found) and both:
            yield error((*path, "target", both[0]), ErrorType.FORBIDDEN, "", both[1])

    return check


def _container(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    yield from needed_text(value, path, "name", name_problems, "must specify a resource name")
    if text_of(value, "container") == "":
        yield error((*path, "container"), ErrorType.REQUIRED, "", "must specify a container")
    yield from label(value.get("container"), (*path, "container"))


_RAW_OR_SHARE: Final = _either(
    "averageUtilization",
    "averageValue",
    ("averageUtilization", "must set either a target raw value or a target utilization"),
    ("averageValue", "may not set both a target raw value and a target utilization"),
)
_SOURCES: Final[dict[str, Check]] = {
    "object": Shape(
        ("", or_absent("describedObject", {}, _reference)),
        ("", _name),
        ("", _target),
        ("", _either("value", "averageValue", ("averageValue", "must set either a target value or averageValue"))),
    ),
    "external": Shape(
        ("", _name),
        ("", _target),
        (
            "",
            _either(
                "value",
                "averageValue",
                ("averageValue", "must set either a target value for metric or a per-pod target"),
                ("value", "may not set both a target value for metric and a per-pod target"),
            ),
        ),
    ),
    "pods": Shape(
        ("", _name),
        ("", _target),
        ("", _either("averageValue", "averageValue", ("averageValue", "must specify a positive target averageValue"))),
    ),
    "resource": Shape(("", needs("name", detail="must specify a resource name")), ("", _target), ("", _RAW_OR_SHARE)),
    "containerResource": Shape(("", _container), ("", _target), ("", _RAW_OR_SHARE)),
}


def _metric(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    kind = text_of(value, "type")
    here = (*path, "type")
    if kind == "":
        yield error(here, ErrorType.REQUIRED, "", "must specify a metric source type")
    if kind is not None and kind not in _METRICS:
        yield unsupported(here, kind, _METRICS)
    present = [name for name in _SOURCES if value.get(name) is not None]
    if present:
        yield from _SOURCES[present[0]](value[present[0]], (*path, present[0]))
    if kind is None:
        return
    expected = kind[:1].lower() + kind[1:] if kind in _METRICS else ""
    if expected and expected not in present:
        detail = "must populate information for the given metric source"
        yield error((*path, expected), ErrorType.REQUIRED, "", detail)
    for name in present if len(present) > 1 else ():
        if name != expected:
            yield error((*path, name), ErrorType.FORBIDDEN, "", "must populate the given metric source only")


_POLICY: Final = Shape(
    ("", needs_one_of("type", "Percent", "Pods", missing=ErrorType.UNSUPPORTED)),
    ("", lambda value, path: _positive(value, path, "value")),
    ("", lambda value, path: _positive(value, path, "periodSeconds")),
    ("periodSeconds", lambda value, path: _at_most(value, path, _LONGEST_PERIOD)),
)


def _positive(value: JsonValue, path: Path, name: str) -> Iterator[FieldError]:
    number = number_of(value, name)
    if isinstance(value, dict) and number is not None and number <= 0:
        yield error((*path, name), ErrorType.INVALID, number, "must be greater than zero")


def _at_most(value: JsonValue, path: Path, most: int) -> Iterator[FieldError]:
    if isinstance(value, int) and value > most:
        yield error(path, ErrorType.INVALID, value, f"must be less than or equal to {most}")


_RULES: Final = Shape(
    ("stabilizationWindowSeconds", at_least(0, "must be greater than or equal to zero")),
    ("stabilizationWindowSeconds", lambda value, path: _at_most(value, path, _LONGEST_WINDOW)),
    ("selectPolicy", one_of("Disabled", "Max", "Min", or_empty=False)),
    ("policies[]", _POLICY),
)


def _bounds(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    least, most = spec.get("minReplicas"), number_of(spec, "maxReplicas")
    yield from at_least(1)(least, (*path, "minReplicas"))
    here = (*path, "maxReplicas")
    if most == 0:
        yield error(here, ErrorType.REQUIRED, "", "must be set and greater than 0")
    elif most is not None and most < 0:
        yield error(here, ErrorType.INVALID, most, "must be greater than or equal to 1")
    least = 1 if least is None else least
    if isinstance(least, int) and most is not None and most < least:
        yield error(here, ErrorType.INVALID, most, "must be greater than or equal to `minReplicas`")


AUTOSCALER: Final = Shape(
    ("", _bounds),
    ("", or_absent("scaleTargetRef", {}, _scaled)),
    ("metrics[]", _metric),
    ("behavior.scaleUp", _RULES),
    ("behavior.scaleDown", _RULES),
)


def _one_number(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
    if least is not None and most is not None:
        found = error(path, ErrorType.INVALID, "", "minAvailable and maxUnavailable cannot be both set")
        shown = {"MinAvailable": least, "Selector": spec.get("selector"), "MaxUnavailable": most}
        shown["UnhealthyPodEvictionPolicy"] = spec.get("unhealthyPodEvictionPolicy")
        yield as_declared(found, shown)


DISRUPTION_BUDGET: Final = Shape(
    ("", _one_number),
    *((name, check) for name in ("minAvailable", "maxUnavailable") for check in (number_or_percent, not_over_all)),
    ("selector", LABEL_SELECTOR),
    ("unhealthyPodEvictionPolicy", one_of("AlwaysAllow", "IfHealthyBudget", or_empty=False)),
)
