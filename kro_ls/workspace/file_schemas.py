"""The JSON Schemas of the files that are kro-ls' own, by the names of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject


def schema_of_file(name: str) -> JsonObject | None:
    """Return the schema of a file with this name, None for a name that is not one of ours."""
    return None
