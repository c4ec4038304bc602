"""What the API server refuses in Secrets and ConfigMaps.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error
from kro_ls.openapi.validation.objects.checks import Shape, config_keys, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_NEEDED: Final = {
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
}
"""The keys that a Secret of a type must have."""
_BASIC: Final = ("username", "password")


def _written_keys(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with keys of plain values, which the API server has moved to `data` before it checks them."""
    for each in config_keys(value, path):
        name = str(each.path[-1])
        place = f"data[{name}]"
        yield field_error(each.path, place, each.type, each.value, each.detail, in_key=True)


def _of_type(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    kind = text_of(fields, "type")
    data, written = fields.get("data"), fields.get("stringData")
    if not isinstance(data, dict | None) or not isinstance(written, dict | None):
        return
    keys = {*(data or {}), *(written or {})}
    if kind == "kubernetes.io/basic-auth" and not keys.intersection(_BASIC):
        for each in _BASIC:
            yield field_error((*path, "data"), f"data[{each}]", ErrorType.REQUIRED)
    for each in _NEEDED.get(kind or "", ()):
        if each not in keys:
            yield field_error((*path, "data"), f"data[{each}]", ErrorType.REQUIRED)
        elif each.startswith(".") and isinstance(text := (written or {}).get(each), str) and not _is_json(text):
            # Go describes what is wrong with JSON in its own words.
            here = (*path, "stringData", each)
            yield field_error(here, f"data[{each}]", ErrorType.INVALID, "<secret contents redacted>", "invalid JSON")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | None)
    except ValueError:
        return False


def _account(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    annotations = as_object(fields.get("metadata")).get("annotations")
    name = "kubernetes.io/service-account.name"
    if text_of(fields, "type") == "kubernetes.io/service-account-token" and text_of(annotations, name) == "":
        yield field_error((*path, "metadata", "annotations", name), f"metadata.annotations[{name}]", ErrorType.REQUIRED)


SECRET: Final = Shape(("data", config_keys), ("stringData", _written_keys), ("", _account), ("", _of_type))


def _twice(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    binary = as_object(fields.get("binaryData"))
    for name in as_object(fields.get("data")):
        if name in binary:
            detail = "duplicate of key present in binaryData"
            yield field_error((*path, "data", name), f"data[{name}]", ErrorType.INVALID, name, detail, in_key=True)


CONFIG_MAP: Final = Shape(("data", config_keys), ("", _twice), ("binaryData", config_keys))


def updated_secret(value: JsonObject, stored: JsonObject) -> JsonObject:
    """Return an edited Secret as the API server sees it: plain values of the stored one have become data, and stay."""
    kept = as_object(stored.get("stringData"))
    return {**value, "stringData": {**kept, **as_object(value.get("stringData"))}} if kept else value
