"""The field of the instance that `schema.spec.x` in an expression selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.declarations import declared_variables
from kro_ls.cursor.located import chain_of
from kro_ls.kro.environment import MACROS

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.cursor.located import LocatedExpression
    from kro_ls.yaml_positions.positions import Span

# How many variables run over variables: enough for real expressions, and an end for cycles.
_MOST_VARIABLES = 8


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


class _Finder:
    """Follows an expression of one part back to the instance."""

    def __init__(self, section: SchemaSection, part: Resource | SchemaSection) -> None:
        self._schema = simple_schema(section)
        self._part = part

    def definition(self, node: ast.Node, root: ast.Node) -> FieldDefinition | None:
        path = self._path(node, root, _MOST_VARIABLES)
        return self._schema.definition_of(path[1:]) if path and path[0] == "spec" else None

    def _path(self, node: ast.Node, root: ast.Node, variables_left: int) -> tuple[str | None, ...] | None:
        """Return the steps after `schema`, None for an item; None for what does not begin with `schema`."""
        chain = chain_of(node)
        if chain is None:
            return None
        name, after = chain
        if name.name == "schema":
            return after
        begin = self._item_of_list(name, root, variables_left - 1) if variables_left else None
        return (*begin, *after) if begin else None

    def _item_of_list(
        self, variable: ast.Identifier, root: ast.Node, variables_left: int
    ) -> tuple[str | None, ...] | None:
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


def _declaring_macro(variable: ast.Identifier, root: ast.Node) -> ast.Node | None:
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
