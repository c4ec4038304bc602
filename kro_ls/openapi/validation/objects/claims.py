"""What the API server refuses in claims of volumes.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.objects.checks import Shape, error, needs, one_of, subdomain, text_of, unsupported
from kro_ls.openapi.validation.objects.quantities import amount, canonical
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
_ALONE: Final = "ReadWriteOncePod"
VOLUME_MODE: Final = one_of("Block", "Filesystem", or_empty=False)


def access_modes(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with access modes; the text does not include the number of the item."""
    modes = as_list(value)
    for number, each in enumerate(modes):
        if isinstance(each, str) and each not in _ACCESS_MODES:
            found = unsupported(path, each, _ACCESS_MODES)
            yield field_error((*path, number), place_of(path), found.type, each, found.detail)
    if _ALONE in modes and any(each != _ALONE and each in _ACCESS_MODES for each in modes):
        yield error(path, ErrorType.FORBIDDEN, "", "may not use ReadWriteOncePod with other access modes")


def _storage(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    resources = value.get("resources", {})
    requests = as_object(resources).get("requests", {})
    place = f"{place_of(path)}.resources[storage]"
    here = (*path, "resources", "requests", "storage")
    if not isinstance(requests, dict):
        return
    storage = requests.get("storage")
    if storage is None:
        yield field_error(here, place, ErrorType.REQUIRED)
    elif (size := amount(storage)) is not None and size <= 0:
        yield field_error(here, place, ErrorType.INVALID, canonical(storage), "must be greater than zero")


def _source(value: JsonValue, path: Path) -> Iterator[FieldError]:
    yield from needs("name", "kind")(value, path)
    group, kind = text_of(value, "apiGroup"), text_of(value, "kind")
    if isinstance(value, dict) and group == "" and kind is not None and kind != "PersistentVolumeClaim":
        detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
        yield error(path, ErrorType.INVALID, kind, detail)


def _sources(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the source of a claim; the value of one of the two fields counts for both."""
    fields = as_object(value)
    first, second = fields.get("dataSource"), fields.get("dataSourceRef")
    first = first if _is_restorable(first) else None  # the API server drops others
    if first is None and second is None:
        return
    is_elsewhere = as_object(second).get("namespace") is not None
    for name, source, written in (("dataSource", first, "dataSourceRef"), ("dataSourceRef", second, "dataSource")):
        if source is not None:
            yield from _source(source, (*path, name))
        elif not is_elsewhere:
            for each in _source(second if first is None else first, (*path, name)):
                yield replace(each, path=(*path, written, *each.path[len(path) + 1 :]))


def _is_restorable(source: JsonValue) -> bool:
    return (text_of(source, "apiGroup"), text_of(source, "kind")) in (
        ("", "PersistentVolumeClaim"),
        ("snapshot.storage.k8s.io", "VolumeSnapshot"),
    )


CLAIM: Final = Shape(
    ("", needs("accessModes", detail="at least 1 access mode is required")),
    ("selector", LABEL_SELECTOR),
    ("accessModes", access_modes),
    ("", _storage),
    ("storageClassName", subdomain),
    ("volumeMode", VOLUME_MODE),
    ("", _sources),
    ("volumeAttributesClassName", subdomain),
)
"""The checks of a claim."""
