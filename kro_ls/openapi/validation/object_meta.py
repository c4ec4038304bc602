"""Kubernetes' own rules for the name of an object, whatever its kind.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.validation.errors import ErrorType, field_error
from kro_ls.openapi.validation.names import subdomain_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.errors import FieldError

_PATH = ("metadata", "name")


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
        for problem in subdomain_problems(name):
            yield _error(ErrorType.INVALID, problem, name)


def _error(error_type: ErrorType, detail: str, name: str = "") -> FieldError:
    return field_error(_PATH, "metadata.name", error_type, name, detail)
