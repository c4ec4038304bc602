"""Kubernetes' own rules for the metadata of an object, whatever its kind.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go and pkg/apis/meta/v1/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.golang.utf8 import utf8
from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error
from kro_ls.openapi.validation.object_names import (
    label_key_problems,
    label_problems,
    label_value_problems,
    subdomain_problems,
)
from kro_ls.openapi.validation.unknown import has_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path

_LARGEST_ANNOTATIONS: Final = 256 * 1024
_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"
_BANNED_OWNER = ("v1", "Event")


def metadata_errors(
    value: JsonObject, *, namespaced: bool, name_problems: Callable[[str], Iterable[str]] | None = None
) -> Iterator[FieldError]:
    """What speaks against the metadata of an object. `name_problems` are those of its kind; most names are domains.

    Wrong types, and fields of owners that are missing, are left to the schema of the metadata. The API server drops the
    namespace of an object that has none.
    """
    metadata = value.get("metadata")
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict):
        return
    yield from _name_errors(metadata, name_problems or subdomain_problems)
    namespace = metadata.get("namespace")
    if namespaced and isinstance(namespace, str) and namespace:
        yield from _invalid(("namespace",), namespace, label_problems(namespace))
    for name, text in as_object(metadata.get("labels")).items():
        if problems := label_key_problems(name):
            yield from _invalid(("labels", name), name, problems, in_key=True)
        if isinstance(text, str) and (problems := label_value_problems(text)):
            yield from _invalid(("labels", name), text, problems)
    yield from _annotation_errors(as_object(metadata.get("annotations")))
    yield from _owner_errors(as_list(metadata.get("ownerReferences")))
    yield from _finalizer_errors(as_list(metadata.get("finalizers")))


def _name_errors(metadata: JsonObject, problems: Callable[[str], Iterable[str]]) -> Iterator[FieldError]:
    prefix = metadata.get("generateName")
    if isinstance(prefix, str) and prefix:
        # A name is generated that begins so; the dash at the end is not the end of the name.
        shown = f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        yield from _invalid(("generateName",), prefix, problems(shown))
    name = metadata.get("name")
    if name in (None, "") and not prefix:
        yield _error(("name",), ErrorType.REQUIRED, "", "name or generateName is required")
    elif isinstance(name, str) and name:
        yield from _invalid(("name",), name, problems(name))


def _annotation_errors(annotations: JsonObject) -> Iterator[FieldError]:
    size = 0
    for name, text in annotations.items():
        yield from _invalid(("annotations", name), name, label_key_problems(name.lower()), in_key=True)
        size += len(utf8(name)) + (len(utf8(text)) if isinstance(text, str) else 0)
    if size > _LARGEST_ANNOTATIONS:
        detail = f"may not be more than {_LARGEST_ANNOTATIONS} bytes"
        yield _error(("annotations",), ErrorType.TOO_LONG, "", detail, in_key=True)


def _owner_errors(owners: Iterable[JsonValue]) -> Iterator[FieldError]:
    controllers = 0
    for number, owner in enumerate(map(as_object, owners)):
        path = ("ownerReferences", number)
        version, kind = owner.get("apiVersion"), owner.get("kind")
        if isinstance(version, str) and not _has_version(version):
            yield _error((*path, "apiVersion"), ErrorType.INVALID, version, "version must not be empty")
        for field in ("kind", "name", "uid"):
            if owner.get(field) == "":
                yield _error((*path, field), ErrorType.INVALID, "", "must not be empty")
        if (version, kind) == _BANNED_OWNER:
            yield _error((*path, "kind"), ErrorType.INVALID, kind, "/v1, Kind=Event is disallowed from being an owner")
        if owner.get("controller") is True:
            controllers += 1
            if controllers > 1:
                detail = "Only one reference can have Controller set to true"
                yield _error((*path, "controller"), ErrorType.INVALID, True, detail, in_key=True)


def _has_version(api_version: str) -> bool:
    group, slash, version = api_version.partition("/")
    return bool(version if slash else group) and "/" not in version


def _finalizer_errors(finalizers: list[JsonValue]) -> Iterator[FieldError]:
    for number, name in enumerate(finalizers):
        if isinstance(name, str):
            yield from _invalid(("finalizers", number), name, label_key_problems(name))
    if _ORPHAN in finalizers and _FOREGROUND in finalizers and not has_unknown(finalizers):
        detail = f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set"
        yield _error(("finalizers",), ErrorType.INVALID, finalizers, detail, in_key=True)


def _invalid(path: Path, text: str, problems: Iterable[str], *, in_key: bool = False) -> Iterator[FieldError]:
    for problem in problems:
        yield _error(path, ErrorType.INVALID, text, problem, in_key=in_key)


def _error(path: Path, error_type: ErrorType, value: JsonValue, detail: str, *, in_key: bool = False) -> FieldError:
    """Return an error; `path` leads from the metadata to the value, or to the value of the key at fault.

    The API server names no keys and no numbers of items.
    """
    place = path[:1] if in_key or path[0] in ("labels", "finalizers") else path
    named = ".".join(("metadata", *(str(each) for each in place if isinstance(each, str))))
    return field_error(("metadata", *path), named, error_type, value, detail, in_key=in_key)
