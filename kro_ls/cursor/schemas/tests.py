"""The schema of what stands at a path of a test file: its own keys, and the objects that its tests tell parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cursor.schemas.yaml import YamlSchema, object_kind, schema_below
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.schemas.yaml import NodeAt
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.files.failing_test import TestedDefinition

_TEST_STEPS = len(("tests", 0))
_OBJECTS = (("observed",), ("expect", "objects"))
_STATUS = ("expect", "status")


class TestFileSchemas(Struct, frozen=True):
    """The schemas of a test file, with what is known of its definition."""

    __test__ = False  # pytest takes it for a test otherwise

    index: SchemaIndex
    schema: JsonObject
    tested: TestedDefinition | None

    def at(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """See `YamlSchemas`."""
        owner = self._owner(path, node_at)
        if owner is None:
            return schema_below(self.schema, None, None, path)
        length, kind, is_part = owner
        if not is_part:
            return schema_below(kind.schema, kind, path[:length], path[length:])
        inner = ("status", *path[length:]) if path[_TEST_STEPS:][:2] == _STATUS else path[length:]
        found = Schema(kind.schema).field(inner)
        # A part of an object needs no fields, and may be about what the cluster fills in.
        return YamlSchema(found, None, None, path, is_required=False) if found else None

    def field(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """See `YamlSchemas`."""
        owner = self._owner(path, node_at)
        if owner and owner[0] == len(path):
            return schema_below(self.schema, None, None, path)
        return self.at(path, node_at)

    def kind(self, path: Path, node_at: NodeAt) -> KindSchema | None:
        """See `YamlSchemas`."""
        owner = self._owner(path, node_at)
        return owner[1] if owner and owner[0] == len(path) else None

    def _owner(self, path: Path, node_at: NodeAt) -> tuple[int, KindSchema, bool] | None:
        """Return the object that a path is in: the length of its path, its kind, and whether it is told in part."""
        inner = path[_TEST_STEPS:]
        if path[:1] != ("tests",) or not inner:
            return None
        if inner[0] in ("instance", "then"):
            written = object_kind(node_at(path[: _TEST_STEPS + 1]), self.index)
            kind = (self.tested and self.tested.instance) or written
            return (_TEST_STEPS + 1, kind, False) if kind else None
        if self.tested is None:
            return None
        if inner[:2] == _STATUS:
            return (_TEST_STEPS + 2, self.tested.instance, True) if self.tested.instance else None
        for where in _OBJECTS:
            steps = len(where) + 1
            if inner[: len(where)] == where and len(inner) >= steps:
                kind = (self.tested.nodes or {}).get(str(inner[steps - 1]))
                in_list = len(inner) > steps and isinstance(inner[steps], int)
                return (_TEST_STEPS + steps + in_list, kind, True) if kind else None
        return None
