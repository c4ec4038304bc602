"""What the API server refuses in selectors of labels, and in expressions about the labels and fields of nodes.

Source: k8s.io/apimachinery, pkg/apis/meta/v1/validation/validation.go; k8s.io/kubernetes, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import label_value_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import Shape, error, is_empty, label_key, labels, needs, text_of

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
    """Yield what is wrong with the key of an expression; there must be one."""
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
"""The checks of what nodes would best be like, in which values are not looked at."""
NODE_SELECTOR: Final = Shape(
    ("", needs("nodeSelectorTerms", detail="must have at least one node selector term")),
    ("nodeSelectorTerms[]", NODE_TERM),
)
"""The checks of what nodes must be like."""
