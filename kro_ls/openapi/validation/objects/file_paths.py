"""What the API server refuses in paths of files and in their modes.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import error, needs, text_of
from kro_ls.openapi.validation.objects.values_at import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path

_MOST = 0o777


def descending_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a path that leads down from a folder."""
    if isinstance(value, str) and value:
        if value.startswith("/"):
            yield error(path, ErrorType.INVALID, value, "must be a relative path")
        if ".." in value.split("/"):
            yield error(path, ErrorType.INVALID, value, "must not contain '..'")


def file_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the path of a file in a volume, whose own files begin with two dots."""
    yield from descending_path(value, path)
    if isinstance(value, str) and value.startswith("..") and not value.startswith("../"):
        yield error(path, ErrorType.INVALID, value, "must not start with '..'")


def no_parent(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a path of which a step leads up."""
    if isinstance(value, str) and ".." in value.split("/"):
        yield error(path, ErrorType.INVALID, value, "must not contain '..'")


def mode(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for what cannot be the permissions of a file."""
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value <= _MOST:
        detail = "must be a number between 0 and 0777 (octal), both inclusive"
        yield error(path, ErrorType.INVALID, value, detail)


def _needed_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    text = text_of(value, "path")
    if text == "" and isinstance(value, dict):
        yield error((*path, "path"), ErrorType.REQUIRED)
    elif text is not None:
        yield from file_path(text, (*path, "path"))


KEY_TO_PATH: Final = Shape(("", needs("key")), ("", _needed_path), ("mode", mode))
"""The checks of a key that becomes a file."""
