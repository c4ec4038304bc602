"""What the API server refuses in references of containers and volumes: to files, keys, fields of the pod, resources.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import label_key_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    config_key_problems,
    error,
    invalid,
    needed_text,
    needs,
    text_of,
    unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_MOST = 0o777


def descending_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a path that leads down from a folder."""
    if isinstance(value, str) and value:
        if value.startswith("/"):
            yield error(path, ErrorType.INVALID, value, "must be a relative path")
        if ".." in value.split("/"):
            yield error(path, ErrorType.INVALID, value, "must not contain '..'")


def file_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the path of a file in a volume; two dots begin the volume's own files."""
    yield from descending_path(value, path)
    if isinstance(value, str) and value.startswith("..") and not value.startswith("../"):
        yield error(path, ErrorType.INVALID, value, "must not start with '..'")


def no_parent(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a path with a step up."""
    if isinstance(value, str) and ".." in value.split("/"):
        yield error(path, ErrorType.INVALID, value, "must not contain '..'")


def mode(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for invalid permissions of a file."""
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value <= _MOST:
        detail = "must be a number between 0 and 0777 (octal), both inclusive"
        yield error(path, ErrorType.INVALID, value, detail)


def _needed_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    text = text_of(value, "path")
    if text == "" and isinstance(value, dict):
        yield error((*path, "path"), ErrorType.REQUIRED)
    yield from file_path(text, (*path, "path"))


KEY_TO_PATH: Final = Shape(("", needs("key")), ("", _needed_path), ("mode", mode))
"""The checks of a key that becomes a file."""


_ENV_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_ENV_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
_READABLE: Final = {
    *_ENV_FIELDS,
    *("metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "status.phase"),
    *("spec.hostNetwork", "status.nominatedNodeName"),
}
_HUGE_PAGES: Final = ("requests.hugepages-", "limits.hugepages-")
_RESOURCE_FIELDS: Final = tuple(
    f"{side}.{name}" for side in ("limits", "requests") for name in ("cpu", "memory", "ephemeral-storage")
)


def readable_field(*fields: str) -> Check:
    """Return a check of a reference to a field of the pod, which must be one of some."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        field = text_of(value, "fieldPath")
        if field == "":
            yield error((*path, "fieldPath"), ErrorType.REQUIRED)
        elif field is not None:
            name, bracket, key = field.removesuffix("']").partition("['")
            if bracket and field.endswith("']"):
                if name not in ("metadata.annotations", "metadata.labels"):
                    detail = f"error converting fieldPath: field label does not support subscript: {name}"
                    yield error((*path, "fieldPath"), ErrorType.INVALID, field, detail)
                else:
                    yield from invalid(path, key, label_key_problems(key))
            elif field not in _READABLE:
                detail = f"error converting fieldPath: field label not supported: {field}"
                yield error((*path, "fieldPath"), ErrorType.INVALID, field, detail)
            elif field not in fields:
                yield unsupported((*path, "fieldPath"), field, fields)

    return check


def resource_field(*, in_volume: bool) -> Check:
    """Return a check of a reference to a resource of a container."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        container, resource = text_of(value, "containerName"), text_of(value, "resource")
        if in_volume and container == "":
            yield error((*path, "containerName"), ErrorType.REQUIRED)
        elif resource == "":
            yield error((*path, "resource"), ErrorType.REQUIRED)
        elif resource is not None and resource not in _RESOURCE_FIELDS and not resource.startswith(_HUGE_PAGES):
            yield unsupported((*path, "resource"), resource, sorted(_RESOURCE_FIELDS))

    return check


def _reference(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of a ConfigMap or a Secret that is referred to."""
    name = text_of(value, "name")
    if isinstance(value, dict) and name is not None:
        yield from invalid((*path, "name"), name, subdomain_problems(name))


def _config_key(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a reference to a key of a ConfigMap or a Secret."""
    yield from _reference(value, path)
    yield from needed_text(value, path, "key", config_key_problems)


def _one_source(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    source = fields.get("valueFrom")
    if not isinstance(source, dict):
        return
    count = sum(source.get(each) is not None for each in _ENV_SOURCES)
    here = (*path, "valueFrom")
    if count == 0:
        listed = f"{', '.join(f'`{each}`' for each in _ENV_SOURCES[:-1])} or `{_ENV_SOURCES[-1]}`"
        yield error(here, ErrorType.INVALID, "", f"must specify one of: {listed}")
    elif as_text(fields.get("value")):
        yield error(here, ErrorType.INVALID, "", "may not be specified when `value` is not empty")
    elif count > 1:
        yield error(here, ErrorType.INVALID, "", "may not have more than one field specified at a time")


def _variable_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of an environment variable."""
    if isinstance(value, str) and value and any(not " " <= each <= "~" or each == "=" for each in value):
        detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
        yield from invalid(path, value, [detail])


VARIABLE: Final = Shape(
    ("", needs("name")),
    ("name", _variable_name),
    ("valueFrom.fieldRef", readable_field(*_ENV_FIELDS)),
    ("valueFrom.resourceFieldRef", resource_field(in_volume=False)),
    ("valueFrom.configMapKeyRef", _config_key),
    ("valueFrom.secretKeyRef", _config_key),
    ("valueFrom.fileKeyRef", needs("key", "volumeName", "path")),
    ("", _one_source),
)
"""The checks of an environment variable."""


def variables_from(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with sources of several variables."""
    for number, each in enumerate(as_list(value)):
        if not isinstance(each, dict):
            continue
        here = (*path, number)
        yield from _variable_name(each.get("prefix"), (*here, "prefix"))
        sources = [name for name in ("configMapRef", "secretRef") if each.get(name) is not None]
        for name in sources:
            yield from needs("name")(each[name], (*here, name))
            if text_of(each[name], "name"):
                yield from _reference(each[name], (*here, name))
        if len(sources) != 1:
            several = "may not have more than one field specified at a time"
            detail = several if sources else "must specify one of: `configMapRef` or `secretRef`"
            yield error(path, ErrorType.INVALID, "", detail)
