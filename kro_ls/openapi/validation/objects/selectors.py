"""What the API server refuses in selectors of labels and nodes, and in affinity, tolerations and spreading of pods.

Source: k8s.io/apimachinery, pkg/apis/meta/v1/validation/validation.go; k8s.io/kubernetes, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.object_meta import label_problems, label_value_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    error,
    is_empty,
    label_key,
    labels,
    needs,
    number_of,
    one_of,
    or_absent,
    text_of,
    unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path


_SETS: Final = ("In", "NotIn")
_PRESENCE: Final = ("Exists", "DoesNotExist")


def _values_and_operator(value: JsonValue, path: Path) -> Iterator[FieldError]:
    operator, values = text_of(value, "operator"), as_object(value).get("values")
    if operator is None:
        return
    if operator in _SETS:
        if is_empty(values):
            yield error(
                (*path, "values"), ErrorType.REQUIRED, "", "must be specified when `operator` is 'In' or 'NotIn'"
            )
    elif operator in _PRESENCE:
        if as_list(values):
            detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield error((*path, "values"), ErrorType.FORBIDDEN, "", detail)
    else:
        yield error((*path, "operator"), ErrorType.INVALID, operator, "not a valid selector operator")


def _node_values_and_operator(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    if text_of(value, "operator") in ("Gt", "Lt"):
        values = fields.get("values")
        if is_empty(values) or len(as_list(values)) > 1:
            detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
            yield error((*path, "values"), ErrorType.REQUIRED, "", detail)
    else:
        yield from _values_and_operator(value, path)


def key(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the key of an expression, which is required."""
    text = text_of(value, "key")
    if text is not None:
        yield from label_key(text, (*path, "key"))


def _label_value(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if isinstance(value, str):
        for each in label_value_problems(value):
            yield error(path, ErrorType.INVALID, value, each)


LABEL_SELECTOR: Final = Shape(
    ("matchLabels", labels),
    ("matchExpressions[]", Shape(("", _values_and_operator), ("", key), ("values[]", _label_value))),
)
"""The checks of a selector."""


def _one_value(value: JsonValue, path: Path) -> Iterator[FieldError]:
    operator, values = text_of(value, "operator"), as_object(value).get("values")
    if operator in _SETS:
        if is_empty(values) or len(as_list(values)) > 1:
            detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
            yield error((*path, "values"), ErrorType.REQUIRED, "", detail)
    elif operator is not None:
        yield error((*path, "operator"), ErrorType.INVALID, operator, "not a valid selector operator")
    name = text_of(value, "key")
    if name == "metadata.name":
        for number, each in enumerate(as_list(values)):
            for problem in subdomain_problems(each) if isinstance(each, str) else ():
                yield error((*path, "values", number), ErrorType.INVALID, each, problem)
    elif name is not None:
        yield error((*path, "key"), ErrorType.INVALID, name, "not a valid field selector key")


NODE_TERM: Final = Shape(
    ("matchExpressions[]", Shape(("", _node_values_and_operator), ("", key), ("values[]", _label_value))),
    ("matchFields[]", _one_value),
)
NODE_PREFERENCE: Final = Shape(
    ("matchExpressions[]", Shape(("", _node_values_and_operator), ("", key))), ("matchFields[]", _one_value)
)
"""The checks of preferred nodes, whose values are not checked."""
NODE_SELECTOR: Final = Shape(
    ("", needs("nodeSelectorTerms", detail="must have at least one node selector term")),
    ("nodeSelectorTerms[]", NODE_TERM),
)
"""The checks of required nodes."""


_EFFECT: Final = one_of("NoSchedule", "PreferNoSchedule", "NoExecute")
_UNSATISFIABLE: Final = one_of("DoNotSchedule", "ScheduleAnyway", or_empty=False)
_HEAVIEST: Final = 100


def toleration(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a toleration."""
    if not isinstance(value, dict):
        return
    key, operator, effect = text_of(value, "key"), text_of(value, "operator"), text_of(value, "effect")
    if key:
        yield from label_key(key, (*path, "key"))
    elif key == "" and operator is not None and operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield error((*path, "operator"), ErrorType.INVALID, operator, detail)
    if value.get("tolerationSeconds") is not None and effect is not None and effect != "NoExecute":
        detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield error((*path, "effect"), ErrorType.INVALID, effect, detail)
    text = text_of(value, "value")
    if operator in ("Equal", ""):
        problems = ";".join(label_value_problems(text)) if text is not None else ""
        if problems:
            yield error((*path, "operator"), ErrorType.INVALID, text, problems)
    elif operator == "Exists":
        if text:
            yield error((*path, "operator"), ErrorType.INVALID, text, "value must be empty when `operator` is 'Exists'")
    elif operator in ("Lt", "Gt"):
        yield unsupported((*path, "operator"), operator, ("Equal", "Exists", "Lt", "Gt"))
    elif operator is not None:
        yield unsupported((*path, "operator"), operator, ("Equal", "Exists"))
    yield from _EFFECT(effect, (*path, "effect"))


def _weight(value: JsonValue, path: Path) -> Iterator[FieldError]:
    weight = number_of(value, "weight")
    if isinstance(value, dict) and weight is not None and not 1 <= weight <= _HEAVIEST:
        yield error((*path, "weight"), ErrorType.INVALID, weight, "must be in the range 1-100")


def _merged_keys(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the keys of labels that are added to a selector."""
    fields = as_object(value)
    for name in ("matchLabelKeys", "mismatchLabelKeys"):
        keys = as_list(fields.get(name))
        if keys and fields.get("labelSelector") is None:
            yield error((*path, name), ErrorType.FORBIDDEN, "", "must not be specified when labelSelector is not set")
        for number, each in enumerate(keys):
            yield from label_key(each, (*path, name, number))


def _namespace(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a namespace; the text does not include its number."""
    for each in label_problems(value) if isinstance(value, str) else ():
        place = f"{place_of(path[:-2])}.namespace"
        yield field_error(path, place, ErrorType.INVALID, value, each)


_POD_TERM: Final = Shape(
    ("", _merged_keys),
    ("labelSelector", LABEL_SELECTOR),
    ("namespaceSelector", LABEL_SELECTOR),
    ("namespaces[]", _namespace),
    ("", needs("topologyKey", detail="can not be empty")),
    ("", or_absent("topologyKey", "", label_key)),
)
_POD_AFFINITY: Final = Shape(
    ("requiredDuringSchedulingIgnoredDuringExecution[]", _POD_TERM),
    (
        "preferredDuringSchedulingIgnoredDuringExecution[]",
        Shape(
            ("", _weight),
            ("", or_absent("podAffinityTerm", {}, _POD_TERM)),
        ),
    ),
)
AFFINITY: Final = Shape(
    ("nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution", NODE_SELECTOR),
    (
        "nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[]",
        Shape(("", _weight), ("preference", NODE_PREFERENCE)),
    ),
    ("podAffinity", _POD_AFFINITY),
    ("podAntiAffinity", _POD_AFFINITY),
)
"""The checks of the affinity and anti-affinity of pods."""


def _spread(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    skew, key, action = number_of(value, "maxSkew"), text_of(value, "topologyKey"), text_of(value, "whenUnsatisfiable")
    if skew is not None and skew <= 0:
        yield error((*path, "maxSkew"), ErrorType.INVALID, skew, "must be greater than zero")
    if key == "":
        yield error((*path, "topologyKey"), ErrorType.REQUIRED, "", "can not be empty")
    yield from _UNSATISFIABLE(action, (*path, "whenUnsatisfiable"))


def _domains(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    least, action = fields.get("minDomains"), text_of(fields, "whenUnsatisfiable")
    if isinstance(least, bool) or not isinstance(least, int):
        return
    if least <= 0:
        yield error((*path, "minDomains"), ErrorType.INVALID, least, "must be greater than zero")
    if action is not None and action != "DoNotSchedule":
        detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
        yield error((*path, "minDomains"), ErrorType.INVALID, least, detail)


_INCLUSION: Final = one_of("Honor", "Ignore", or_empty=False)
_SPREAD_REST: Final = Shape(
    ("", _domains),
    ("nodeAffinityPolicy", _INCLUSION),
    ("nodeTaintsPolicy", _INCLUSION),
    ("", _merged_keys),
    ("labelSelector", LABEL_SELECTOR),
)


def topology_spread(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the rules that spread pods, of which no two may have the same key and action."""
    rules = as_list(value)
    pairs = [(text_of(each, "topologyKey"), text_of(each, "whenUnsatisfiable")) for each in rules]
    for number, each in enumerate(rules):
        here = (*path, number)
        yield from _spread(each, here)
        if isinstance(each, dict) and None not in pairs[number] and pairs[number] in pairs[number + 1 :]:
            shown = f"{{{pairs[number][0]}, {pairs[number][1]}}}"
            yield error((*here, "{topologyKey, whenUnsatisfiable}"), ErrorType.DUPLICATE, shown)
        yield from _SPREAD_REST(each, here)
