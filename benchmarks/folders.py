"""Folders with many files, like a user's workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.definitions import Definition, definition

if TYPE_CHECKING:
    from pathlib import Path

RESOURCES_PER_FILE = 14  # about 100 lines


def write_definitions(folder: Path, files: int) -> None:
    """Write so many definitions, numbered from 1, each of its own kind."""
    for number in range(1, files + 1):
        text = definition(RESOURCES_PER_FILE, number).text
        (folder / f"definition-{number:04}.yaml").write_text(text, encoding="utf-8")


def user_of(api_version: str, kind: str) -> Definition:
    """Return a definition whose last resource has a kind declared elsewhere, and a field that the kind lacks.

    This fault is diagnosed as soon as the kind is known, and nothing before.
    """
    plain = definition(2)
    resource = (
        f"    - id: other\n      template:\n        apiVersion: {api_version}\n        kind: {kind}\n"
        '        metadata: {name: "${schema.spec.name}-other"}\n        spec: {name: other, missingField: x}\n'
    )
    return Definition(plain.text + resource, (*plain.ids, "other"))


def is_known(diagnostics: list[dict[str, object]]) -> bool:
    """Whether the fault of `user_of` was found."""
    return any("missingField" in str(each["message"]) for each in diagnostics)
