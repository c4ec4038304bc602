"""What the API server refuses in requests and limits of resources.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.object_names import label_key_problems
from kro_ls.openapi.validation.objects.checks import error
from kro_ls.openapi.validation.objects.quantities import amount, canonical
from kro_ls.openapi.validation.objects.values_at import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_CONTAINER: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_OFFICIAL: Final = "kubernetes.io/"


def is_extended(name: str) -> bool:
    """Return whether a resource is one of a vendor."""
    return "/" in name and _OFFICIAL not in name and not name.startswith("requests.")


def name_problems(name: str) -> Iterable[str]:
    """Return what speaks against the name of a resource of containers."""
    problems = label_key_problems(name)
    if problems:
        return problems
    if "/" not in name and name not in _CONTAINER and not name.startswith("hugepages-"):
        return ("must be a standard resource for containers",)
    return ()


def not_negative(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a quantity below zero."""
    found = amount(value)
    if found is not None and found < 0:
        yield error(path, ErrorType.INVALID, canonical(value), "must be greater than or equal to 0")


def _of_side(value: JsonObject, path: Path, side: str) -> Iterator[FieldError]:
    for name, quantity in as_object(value.get(side)).items():
        here = (*path, side, name)
        place = f"{place_of(path)}.{side}"
        for each in name_problems(name):
            yield field_error(here, place, ErrorType.INVALID, name, each, in_key=True)
        for wrong in not_negative(quantity, here):
            yield field_error(here, f"{place}[{name}]", ErrorType.INVALID, wrong.value, wrong.detail)
        found = amount(quantity)
        if is_extended(name) and found is not None and found.denominator != 1:
            yield field_error(here, f"{place}[{name}]", ErrorType.INVALID, canonical(quantity), "must be an integer")


def _compared(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield errors of limits, then of requests, which may not be over them."""
    fields = as_object(value)
    limits, requests = as_object(fields.get("limits")), as_object(fields.get("requests"))
    yield from _of_side(fields, path, "limits")
    requests = {**requests, **{name: limits[name] for name in limits if name not in requests}}  # the default
    for name in requests:
        yield from _of_side({"requests": {name: requests[name]}}, path, "requests")
        asked, limit = amount(requests[name]), amount(limits.get(name))
        place = f"{place_of(path)}.requests"
        if asked is None:
            continue
        if limit is not None:
            if is_extended(name) and asked != limit:
                detail = f"must be equal to {name} limit of {canonical(limits[name])}"
            elif asked > limit:
                detail = f"must be less than or equal to {name} limit of {canonical(limits[name])}"
            else:
                continue
            yield field_error((*path, "requests", name), place, ErrorType.INVALID, canonical(requests[name]), detail)
        elif is_extended(name) and name not in limits and isinstance(fields.get("limits"), dict | None):
            detail = "Limit must be set for non overcommitable resources"
            yield field_error((*path, "requests", name), f"{place_of(path)}.limits", ErrorType.REQUIRED, "", detail)


CONTAINER_RESOURCES: Final = Shape(("", _compared))
"""The checks of the resources of a container."""
