"""The Python stub of CEL's functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.authoring.stubs.cel_stub import cel_stub

if TYPE_CHECKING:
    from pathlib import Path


def files(root: Path) -> dict[str, str]:  # noqa: ARG001 (as all generators take it)
    """Return the stub by its path."""
    return {"kro_ls/authoring/cel/__init__.pyi": cel_stub()}
