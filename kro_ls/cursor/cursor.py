"""A place in a document and everything that stands there, each found once and only on demand."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import default_schemas
from kro_ls.cursor.located import (
    InstanceField,
    LocatedExpression,
    SchemaField,
    expression_at,
    instance_field_at,
    schema_field_at,
)
from kro_ls.cursor.open.expression import OpenExpression, open_expression
from kro_ls.cursor.open.field import OpenField, open_field
from kro_ls.cursor.open.half_typed import OpenYaml, open_yaml
from kro_ls.cursor.parts import PlacedPart, part_at, rgd_at, yaml_place_at
from kro_ls.cursor.schemas.seen import written_schema
from kro_ls.cursor.schemas.yaml import DefinitionSchemas, ObjectSchemas, TestFileSchemas
from kro_ls.cursor.symbol import CustomType, Symbol, custom_type_of, declared_symbol_at, used_symbol_at
from kro_ls.queries.cells import cached_attribute
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.snapshot import NO_OTHERS, AllDocuments
from kro_ls.workspace.used_kinds import UsedKinds, used_kinds, written_objects
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.parts import YamlPlace
    from kro_ls.cursor.schemas.yaml import YamlSchema, YamlSchemas
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.workspace.documents import Described, Document
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node


class Cursor(Struct, frozen=True, dict=True):
    """A place in a document, as an offset in code points. What is not there is None.

    `others` are the documents of the workspace.
    """

    document: Document
    offset: int
    others: AllDocuments = NO_OTHERS

    @cached_attribute
    def rgd(self) -> RgdAnalysis | None:
        """The RGD around the place."""
        return rgd_at(self.document.analysis, self.offset)

    @cached_attribute
    def part(self) -> PlacedPart | None:
        """The resource or the schema section around the place."""
        return part_at(self.rgd, self.offset) if self.rgd else None

    @cached_attribute
    def _offset_in_part(self) -> int | None:
        return self.part.to_part(self.offset) if self.part else None

    @cached_attribute
    def described(self) -> Described | None:
        """The document around the place, if it is an instance or a file of kro-ls."""
        documents = self.document.described if self.rgd is None else ()
        return next((each for each in documents if each.document.start <= self.offset <= each.document.end), None)

    @property
    def _yaml_document(self) -> YamlDocument | None:
        if self.rgd:
            return self.rgd.rgd.document
        return self.described.document if self.described else None

    @property
    def _schemas(self) -> YamlSchemas | None:
        if self.rgd:
            return DefinitionSchemas(self.rgd.schemas, self.rgd.rgd.form)
        index = self.document.schemas or default_schemas()
        if self.described and self.document.uri.endswith(TEST_ENDINGS):
            return TestFileSchemas(index, self.described.schema, self.described.tested)
        return ObjectSchemas(index, self.described.schema, self.described.kind) if self.described else None

    @cached_attribute
    def yaml(self) -> YamlPlace | None:
        """The YAML node at the place, with its path."""
        return yaml_place_at(self._yaml_document, self.offset) if self._yaml_document else None

    @cached_attribute
    def key_schema(self) -> YamlSchema | None:
        """The schema of the field whose key is at the place."""
        if self._schemas is None or self.yaml is None or not self.yaml.in_key:
            return None
        return self._schemas.field(self.yaml.path, self._node_at)

    @cached_attribute
    def value_schema(self) -> YamlSchema | None:
        """The schema of the field whose value, a text or number without an expression, is at the place."""
        if self._schemas is None or self.yaml is None or self.yaml.in_key or self.expression:
            return None
        node, span = self.yaml.located.node, self.yaml.located.span
        if not isinstance(node, Scalar) or not node.text or not span.contains(self.offset):
            return None
        return self._schemas.field(self.yaml.path, self._node_at)

    @property
    def named_object(self) -> Path | None:
        """The path of the object whose `apiVersion` or `kind` has its value at the place."""
        if self.yaml is None:
            return None
        path, located, in_key = self.yaml
        is_named = not in_key and path[-1:] in (("apiVersion",), ("kind",)) and located.span.contains(self.offset)
        return path[:-1] if is_named else None

    @cached_attribute
    def named_kind(self) -> KindSchema | None:
        """The kind, if it has a schema, that the `apiVersion` or `kind` names whose value is at the place."""
        path = self.named_object
        return None if self._schemas is None or path is None else self._schemas.kind(path, self._node_at)

    def _node_at(self, path: Path) -> Node | None:
        found = self._yaml_document.child(path) if self._yaml_document else None
        return found.node if found else None

    @cached_attribute
    def expression(self) -> LocatedExpression | None:
        """The expression at the place; one that is not closed, or not read from broken YAML, is only open."""
        if self.part is None or self._offset_in_part is None:
            return None
        return expression_at(self.part, self._offset_in_part)

    @cached_attribute
    def symbol(self) -> Symbol | CustomType | None:
        """The name at the place, declared there or used."""
        if self.part is None or self._offset_in_part is None:
            return None
        if self.expression:
            return None if self.expression.selected else used_symbol_at(self.expression)
        declared = declared_symbol_at(self.part, self._offset_in_part)
        return declared or (custom_type_of(self.schema_field) if self.schema_field else None)

    @cached_attribute
    def instance_field(self) -> InstanceField | None:
        """The field of the instance that the expression at the place selects."""
        return instance_field_at(self.expression) if self.expression else None

    @cached_attribute
    def schema_field(self) -> SchemaField | None:
        """The field or custom type of SimpleSchema at the place; between fields, the one that would be typed on."""
        return schema_field_at(self.part, self.yaml, self.offset) if self.part and self.yaml else None

    @cached_attribute
    def open_expression(self) -> OpenExpression | None:
        """The expression that is typed at the place, up to there; None outside of `${...}` and in CEL comments."""
        if self.part is None or self.yaml is None:
            return None
        return open_expression(self.part, self.yaml, self.document.text, self.offset)

    @cached_attribute
    def open_field(self) -> OpenField | None:
        """The SimpleSchema field whose text is typed at the place."""
        return open_field(self.rgd, self.schema_field, self.document.text, self.offset) if self.rgd else None

    @cached_attribute
    def open_yaml(self) -> OpenYaml | None:
        """The key or value of YAML that is typed at the place; None in comments and in longer texts."""
        if self._yaml_document is None or self._schemas is None:
            return None
        schemas = self._schemas
        if isinstance(schemas, DefinitionSchemas):
            schemas = replace(schemas, written=lru_cache(self._written))
        return open_yaml(self._yaml_document, schemas, self.document.text.content, self.offset)

    @property
    def _texts_around(self) -> tuple[str, ...]:
        """The text before and after the part of the document that contains the place."""
        content, document = self.document.text.content, self._yaml_document
        here = document.chunk_at(self.offset) if document else None
        return (content[: here.start], content[here.end :]) if here and not here.pieces else (content,)

    def _written(self, api_version: str, kind: str) -> JsonObject:
        """Return the schema of what the workspace writes in objects of a kind, without the one at the place."""
        texts = chain(self._texts_around, (text for _, text in self.others.object_texts(self.document, kind)))
        return written_schema(written_objects(texts, api_version, kind))

    @cached_attribute
    def used_kinds(self) -> UsedKinds:
        """The groups and kinds of the objects in the document, except the one at the place, and in the workspace."""
        return used_kinds("\n".join(self._texts_around), self.others.object_texts(self.document))
