"""Kubernetes' own rules for the name of an object, whatever its kind.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go, and pkg/util/validation/validation.go for the words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.openapi.validation.errors import ErrorType, field_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.errors import FieldError

_PATH = ("metadata", "name")
_LONGEST = 253
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_IS_SUBDOMAIN = re.compile(_SUBDOMAIN)


def name_errors(value: JsonObject) -> Iterator[FieldError]:
    """What speaks against the name of an object of a kind that a CustomResourceDefinition declares.

    Wrong types are left to the schema of the metadata.
    """
    metadata = value.get("metadata", {})
    if not isinstance(metadata, dict):
        return
    name = metadata.get("name")
    if name in (None, "") and not metadata.get("generateName"):
        yield _error(ErrorType.REQUIRED, "name or generateName is required")
    elif isinstance(name, str) and name:
        if len(name) > _LONGEST:
            yield _error(ErrorType.INVALID, f"must be no more than {_LONGEST} bytes", name)
        if not _IS_SUBDOMAIN.fullmatch(name):
            detail = (
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
                f"must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
                f"'{_SUBDOMAIN}')"
            )
            yield _error(ErrorType.INVALID, detail, name)


def _error(error_type: ErrorType, detail: str, name: str = "") -> FieldError:
    return field_error(_PATH, "metadata.name", error_type, name, detail)
