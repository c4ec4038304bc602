"""Places in the schemas of a CustomResourceDefinition, which hold each other to any depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.sources.crds.definition_schema import BRANCHES, SCHEMA

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path

VERSIONS: Path = ("spec", "versions")
ROOT: Path = (*VERSIONS, 0, "schema", SCHEMA)
_ONE_SCHEMA = ("items", "additionalProperties", "not")


class NestedPlace(Struct, frozen=True):
    """A place in a definition: the path of the innermost schema around it, and the rest of the path from there.

    `value` is the path of what the schema describes in an object, None for one that only restricts another one, as in
    `anyOf`. A key that is free is written `*` there.
    """

    schema: Path
    rest: Path
    value: Path | None

    @property
    def version(self) -> Path:
        """The path of the version of the definition."""
        return self.schema[: len(VERSIONS) + 1]

    @property
    def inside(self) -> Path:
        """The path of the schema from the version's own one."""
        return self.schema[len(ROOT) :]


def nested_place(path: Path) -> NestedPlace | None:
    """Return where a path of a definition leads in its schemas, None where it leads elsewhere."""
    end = len(ROOT)
    if len(path) < end or not isinstance(path[2], int) or (*path[:2], 0, *path[3:end]) != ROOT:
        return None
    value: Path | None = ()
    while end < len(path):
        step, following = path[end], path[end + 1 : end + 2]
        if step == "properties" and following:
            value = None if value is None else (*value, *following)
            end += 2
        elif step in BRANCHES and following:
            value = None
            end += 2
        elif step in _ONE_SCHEMA:
            value = None if value is None or step == "not" else (*value, 0 if step == "items" else "*")
            end += 1
        else:
            break
    return NestedPlace(path[:end], path[end:], value)
