"""What stands at an offset of a part: an expression and the instance field that it reads, or a SimpleSchema field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.simpleschema.place_at import place_at
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import unescape
from kro_ls.cel.types.declarations import declared_variables
from kro_ls.cursor.typed_expression import TypedExpression, typed_expression
from kro_ls.kro.environment import MACROS
from kro_ls.queries.cells import cached_attribute
from kro_ls.yaml_positions.scalars.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.simpleschema.place_at import Place
    from kro_ls.analysis.simpleschema.results import FieldDefinition, FieldPath, Root, SchemaResult
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.parts import PlacedPart, YamlPlace
    from kro_ls.yaml_positions.positions import Span


class LocatedExpression(Struct, frozen=True, dict=True):
    """An expression of a part, and an offset in its CEL text."""

    owner: PlacedPart
    expression: Expression
    offset: int

    @property
    def root(self) -> Node:
        """The tree of the whole expression."""
        return self.expression.inspection.parsed.root

    @cached_attribute
    def nodes(self) -> tuple[Node, ...]:
        """The nodes at the offset, the innermost last."""
        return ast.path_at(self.root, self.offset)

    @cached_attribute
    def selected(self) -> ast.Select | None:
        """The selection whose name is at the offset."""
        nodes = (node for node in reversed(self.nodes) if isinstance(node, ast.Select))
        return next((node for node in nodes if node.field_span[0] <= self.offset <= node.field_span[1]), None)

    @cached_attribute
    def typed(self) -> TypedExpression:
        """The expression with the types of its parts."""
        return typed_expression(self.owner, self.expression.place, self.expression.text)

    def span(self, start: int, end: int) -> Span:
        """Return where the CEL text from `start` to `end` was written, in document offsets."""
        return self.owner.span(self.expression.span(start, end))


def expression_at(owner: PlacedPart, offset: int) -> LocatedExpression | None:
    """Return the expression of a part at an offset of the part's text."""
    for expression in owner.part.expressions:
        if expression.scalar.start <= offset <= expression.scalar.end:
            cel_offset = expression.offset(offset)
            if cel_offset is not None:
                return LocatedExpression(owner, expression, cel_offset)
    return None


class InstanceField(Struct, frozen=True):
    """A field of the instance that an expression selects; `span` is the selected name, in document offsets."""

    definition: FieldDefinition
    span: Span


def instance_field_at(located: LocatedExpression) -> InstanceField | None:
    """Return the field of `schema.spec` whose name is at a place of an expression.

    The items of a list are followed through indices, macro variables and iterators.
    """
    schema, node = located.owner.rgd.rgd.schema, located.selected
    if schema is None or node is None:
        return None
    definition = _Finder(schema.section, located.owner.part).definition(node, located.root)
    if definition is None:
        return None
    return InstanceField(definition, located.span(*node.field_span))


_MOST_VARIABLES = 8
"""How many variables run over variables: enough for real expressions, and an end for cycles."""


class _Finder:
    """Follows an expression of one part back to the instance."""

    def __init__(self, section: SchemaSection, part: Resource | SchemaSection) -> None:
        self._schema = simple_schema(section)
        self._part = part

    def definition(self, node: Node, root: Node) -> FieldDefinition | None:
        path = self._path(node, root, _MOST_VARIABLES)
        return self._schema.definition_of(path[1:]) if path and path[0] == "spec" else None

    def _path(self, node: Node, root: Node, variables_left: int) -> tuple[str | None, ...] | None:
        """Return the steps after `schema`, None for an item; None for what does not begin with `schema`."""
        chain = chain_of(node)
        if chain is None:
            return None
        name, after = chain
        if name.name == "schema":
            return after
        begin = self._item_of_list(name, root, variables_left - 1) if variables_left else None
        return (*begin, *after) if begin else None

    def _item_of_list(self, variable: ast.Identifier, root: Node, variables_left: int) -> tuple[str | None, ...] | None:
        """Return the steps to the items of the list that a macro or a `forEach` runs over."""
        path: tuple[str | None, ...] | None = None
        macro = _declaring_macro(variable, root)
        if macro:
            path = self._path(macro, root, variables_left)
        elif isinstance(self._part, Resource):
            for dimension in self._part.dimensions:
                if dimension.name == variable.name and dimension.expression:
                    of_dimension = dimension.expression.inspection.parsed.root
                    path = self._path(of_dimension, of_dimension, variables_left)
        definition = self._schema.definition_of(path[1:]) if path else None
        is_list = definition is not None and definition.schema.get("type") == "array"
        return (*path, None) if path and is_list else None


def _declaring_macro(variable: ast.Identifier, root: Node) -> Node | None:
    """Return what the innermost macro with this variable runs over."""
    for node in reversed(ast.path_at(root, variable.start)):
        call = node.call if isinstance(node, ast.MacroCall) else None
        if call is None or call.target is None or not call.arguments:
            continue
        declared = call.arguments[0]
        if isinstance(declared, ast.Identifier) and declared.name == variable.name:
            macro = MACROS.get(call.function)
            variables = declared_variables(macro.form(len(call.arguments))) if macro else ()
            return call.target if len(variables) == 1 else None
    return None


def chain_of(node: Node) -> tuple[ast.Identifier, tuple[str | None, ...]] | None:
    """Return the name that a chain of fields and indices begins with, and its steps: properties, None for an item."""
    steps: list[str | None] = []
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select):
            steps.append(property_name(node))
            node = node.operand
        elif isinstance(node, ast.Call) and node.function in ast.INDICES and len(node.arguments) == 2:
            steps.append(None)
            node = node.arguments[0]
        else:
            return None
    return node, tuple(reversed(steps))


def property_name(node: ast.Select) -> str:
    """Return the name of the property that a node selects, as it is declared."""
    return unescape(node.field) or node.field


class SchemaField(Struct, frozen=True):
    """A field of `spec.schema.spec` or a type of `spec.schema.types`; between fields, the one that is typed on.

    `offset` is the place in the text of the schema section; `in_key` is true on the field's key.
    """

    owner: PlacedPart
    root: Root
    path: FieldPath
    written: WrittenField
    offset: int
    in_key: bool

    @property
    def schema(self) -> SchemaResult:
        """What SimpleSchema makes of the whole section."""
        return simple_schema(self.written.section)

    @property
    def definition(self) -> FieldDefinition | None:
        """The field's definition, if SimpleSchema can read it."""
        return self.schema.definitions.get((self.root, self.path))

    @property
    def place(self) -> Place | None:
        """The type, marker or value in the field's text at the offset, None on the key and in a value without text."""
        scalar = self.written.text
        if self.in_key or scalar is None:
            return None
        offset = source_map(self.written.section.chunk_text, scalar).to_value(self.offset)
        return None if offset is None else place_at(scalar.text, offset)


_ROOTS: tuple[Root, Root] = ("spec", "types")


def schema_field_at(owner: PlacedPart, place: YamlPlace, document_offset: int) -> SchemaField | None:
    """Return the field or custom type at a place of a part, None outside of SimpleSchema."""
    offset = owner.to_part(document_offset)
    if offset is None or not isinstance(owner.part, SchemaSection):
        return None
    root = next((each for each in _ROOTS if place.path[:3] == ("spec", "schema", each)), None)
    names = tuple(step for step in place.path[3:] if isinstance(step, str))
    written = written_field(owner.part, root, names) if root and len(names) == len(place.path) - 3 else None
    return SchemaField(owner, root, names, written, offset, place.in_key) if root and written else None
