"""The schema of what stands at a path of YAML: of an RGD its own fields and those of the objects in its templates.

A document that is an object itself has one schema. The fields of an RGD's `spec.schema.spec`, `types` and `status` have
none here, because the RGD declares them itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct

from kro_ls.cursor.schemas.definition_templates import is_definition, schema_in_definition
from kro_ls.cursor.schemas.field_names import OtherKnowledge
from kro_ls.graphs import in_frame
from kro_ls.kro.graph_schema import graph_schema
from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.definition_schema import full_schema
from kro_ls.workspace.documents import object_kind
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.yaml_positions.nodes import Node

    NodeAt: TypeAlias = Callable[[Path], Node | None]

_OBJECT_DEPTH = 4
_DECLARED = (("spec", "schema", "spec"), ("spec", "schema", "types"), ("spec", "schema", "status"))
SERVER_SET_METADATA = frozenset(
    {
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
        "uid",
    }
)
"""Fields of ObjectMeta that the API server sets itself."""
_TEST_STEPS = len(("tests", 0))
_OBJECTS = (("observed",), ("expect", "objects"))
_STATUS = ("expect", "status")


class YamlSchema(Struct, frozen=True):
    """The schema at a place, and the object it is a part of.

    `kind` is the object's kind, None for an object whose kind is unknown. `path` is the path inside the object. `owner`
    is the path of the object in an RGD, None where the document itself is the object. `is_required` says whether the
    object needs the field.
    """

    schema: Schema
    kind: KindSchema | None
    owner: Path | None
    path: Path
    is_required: bool


class YamlSchemas(Protocol):
    """The schemas of one YAML document. `node_at` gives the node at a path, for the kind of a template."""

    @property
    def index(self) -> SchemaIndex:
        """The kinds that objects can be of."""

    def at(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """Return the schema at a path; None where there is no such field or no schema."""

    def field(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """Return the schema of a field, as `at` does, but for `template` its field of the RGD."""

    def kind(self, path: Path, node_at: NodeAt) -> KindSchema | None:
        """Return the kind of the object at a path, None where it is unknown."""


class DefinitionSchemas(Struct, frozen=True):
    """The schemas of an RGD or a Graph, as its form says.

    `written` gives a schema of what is written elsewhere in objects of a kind, by its `apiVersion` and `kind`: for
    kinds that no source knows, and for the fields that a definition of the kind may declare.
    """

    index: SchemaIndex
    form: DefinitionForm
    written: Callable[[str, str], JsonObject] | None = None

    def at(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """See `YamlSchemas`."""
        return self._below(path, node_at, is_field=False)

    def field(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """See `YamlSchemas`."""
        return self._below(path, node_at, is_field=True)

    def _below(self, path: Path, node_at: NodeAt, *, is_field: bool) -> YamlSchema | None:
        if any(path[: len(declared)] == declared and len(path) > len(declared) for declared in _DECLARED):
            return None
        left_out, inner = in_frame(path)
        is_object = inner[:2] == ("spec", self.form.items) and inner[3:4] and inner[3] in self.form.templates
        if is_object and not (is_field and len(inner) == _OBJECT_DEPTH):
            owner = path[: left_out + _OBJECT_DEPTH]
            kind = object_kind(node_at(owner), self.index)
            if kind and is_definition(kind):
                return self._in_definition(kind, node_at(owner), owner, path[len(owner) :])
            schema = kind.schema if kind else self._unknown(node_at(owner))
            return schema_below(schema, kind, owner, path[len(owner) :])
        if not self.form.declares_kind:
            return schema_below(graph_schema(HeldObject(self.index.object_meta)), None, (), inner)
        own = self.index.find(RGD.group, RGD.version, RGD.kind)
        return schema_below(own.schema, own, (), path) if own else None

    def _unknown(self, node: Node | None) -> JsonObject:
        """Return what every object has, with what is written elsewhere in objects of the same kind."""
        declared = _any_object(self.index)
        api_version, kind = (text_of(field(node, name)) for name in ("apiVersion", "kind"))
        written = self.written(api_version, kind) if self.written and api_version and kind else {}
        fields = {**as_object(written.get("properties")), **as_object(declared["properties"])}
        return {**declared, "properties": fields}

    def _in_definition(self, kind: KindSchema, definition: Node | None, owner: Path, path: Path) -> YamlSchema | None:
        parent = Schema(full_schema(kind)).field(path[:-1])
        found = schema_in_definition(kind, path, definition, OtherKnowledge(self.index, self.written))
        return _placed(found, parent, kind, owner, path) if found and parent else None

    def kind(self, path: Path, node_at: NodeAt) -> KindSchema | None:
        """See `YamlSchemas`."""
        return object_kind(node_at(path), self.index)


class ObjectSchemas(Struct, frozen=True):
    """The schemas of a document that is one object, of a kind or without one."""

    index: SchemaIndex
    schema: JsonObject
    object_kind: KindSchema | None

    def at(self, path: Path, node_at: NodeAt) -> YamlSchema | None:  # noqa: ARG002 # as `YamlSchemas` has it
        """See `YamlSchemas`."""
        return schema_below(self.schema, self.object_kind, None, path)

    def field(self, path: Path, node_at: NodeAt) -> YamlSchema | None:
        """See `YamlSchemas`."""
        return self.at(path, node_at)

    def kind(self, path: Path, node_at: NodeAt) -> KindSchema | None:  # noqa: ARG002 # as `YamlSchemas` has it
        """See `YamlSchemas`."""
        return None if path else self.object_kind


class TestFileSchemas(Struct, frozen=True):
    """The schemas of a test file: its own keys, and the objects of which its tests give parts."""

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
        """Return the object that a path is in: the length of its path, its kind, and whether only a part is given."""
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


def schema_below(schema: JsonObject, kind: KindSchema | None, owner: Path | None, path: Path) -> YamlSchema | None:
    """Return the schema at a path below a schema, with the object that it is a part of; see `YamlSchema`."""
    parent = Schema(schema).field(path[:-1])
    found = Schema(schema).field(path)
    return _placed(found, parent, kind, owner, path) if found and parent else None


def _placed(found: Schema, parent: Schema, kind: KindSchema | None, owner: Path | None, path: Path) -> YamlSchema:
    needed = required_fields(parent, path[:-1], is_object=owner != () or kind is not None)
    return YamlSchema(found, kind, owner, path, bool(path) and path[-1] in needed)


def required_fields(schema: Schema, path: Path, *, is_object: bool = True) -> tuple[str, ...]:
    """Return the fields that an object at a path needs and that have no default.

    Every Kubernetes object needs its kind, and `metadata` with a name, which its schema does not say.
    """
    if is_object and path == ():
        named = ("apiVersion", "kind", "metadata")
        return tuple(dict.fromkeys((*(name for name in named if schema.child(name)), *schema.required)))
    if is_object and path == ("metadata",):
        return ("name",)
    return tuple(name for name in schema.required if (child := schema.child(name)) and child.default is None)


def _any_object(schemas: SchemaIndex) -> JsonObject:
    """Return what every object has, for one whose kind is unknown or not there yet."""
    properties: dict[str, JsonValue] = {
        "apiVersion": {"type": "string", "description": "The group and version of the object: `apps/v1`, `v1`."},
        "kind": {"type": "string", "description": "The kind of the object: `Deployment`."},
        "metadata": schemas.object_meta,
    }
    return {"type": "object", "properties": properties, "x-kubernetes-preserve-unknown-fields": True}
