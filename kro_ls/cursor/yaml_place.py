"""The node of a YAML document at a place, its path, and whether the place is on its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.document import Located, YamlDocument


class YamlPlace(NamedTuple):
    """The innermost node at an offset; between nodes, the one that the indentation tells what is typed belongs to."""

    path: Path
    located: Located
    in_key: bool


def yaml_place_at(document: YamlDocument, offset: int) -> YamlPlace | None:
    """Return the place at a document offset, None in an empty document."""
    found = document.path_at(offset)
    return YamlPlace(*found) if found else None
