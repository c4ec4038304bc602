"""Finds the SimpleSchema field behind `schema.spec.x` in an expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.schema_fields import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.cursor.locate import expression_at, part_at, rgd_at

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.yaml_positions.positions import Span

_INDICES = (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)
_ESCAPED = {"dot": ".", "dash": "-", "slash": "/", "underscores": "__"}
# Variables that run over variables: enough for what is written, and an end for what never ends.
_MOST_VARIABLES = 8

_ESCAPE = re.compile(r"__(dot|dash|slash|underscores)__")


@dataclass(frozen=True, slots=True)
class UsedField:
    """A field of the instance that an expression selects.

    `span` is the selected name, in document offsets; `declaration` the key of the field's SimpleSchema line.
    """

    definition: FieldDefinition
    span: Span
    declaration: Span | None


def used_field_at(analysis: Analysis, offset: int) -> UsedField | None:
    """Return the field of `schema.spec` whose name in an expression is at a document offset.

    The items of a list are followed through indices, macro variables and iterators.
    """
    rgd = rgd_at(analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    located = expression_at(found[0].part, found[1]) if found else None
    if found is None or located is None:
        return None
    placed_part, (expression, cel_offset) = found[0], located
    root = expression.inspection.parsed.root
    for node in reversed(ast.path_at(root, cel_offset)):
        if isinstance(node, ast.Select) and node.field_span[0] <= cel_offset <= node.field_span[1]:
            section = placed_part.rgd.rgd.schema
            definition = _Finder(section.section, placed_part.part).definition(node, root) if section else None
            if section is None or definition is None:
                return None
            written = written_field(section.section, definition.root, definition.path)
            declared = section.placed.document_span(written.entry.key.span) if written else None
            return UsedField(definition, placed_part.span(expression.span(*node.field_span)), declared)
    return None


class _Finder:
    """Follows an expression of one part back to the instance."""

    def __init__(self, section: SchemaSection, part: Resource | SchemaSection) -> None:
        self._schema = simple_schema(section)
        self._part = part

    def definition(self, node: ast.Node, root: ast.Node) -> FieldDefinition | None:
        path = self._path(node, root, _MOST_VARIABLES)
        return self._schema.definition_of(path[1:]) if path and path[0] == "spec" else None

    def _path(self, node: ast.Node, root: ast.Node, variables_left: int) -> tuple[str | None, ...] | None:
        """Return the steps behind `schema`, None for an item; None for what does not begin with `schema`."""
        steps: list[str | None] = []
        while not isinstance(node, ast.Identifier):
            if isinstance(node, ast.Select):
                steps.append(_unescaped(node.field))
                node = node.operand
            elif isinstance(node, ast.Call) and node.function in _INDICES and len(node.arguments) == 2:
                steps.append(None)
                node = node.arguments[0]
            else:
                return None
        behind = tuple(reversed(steps))
        if node.name == "schema":
            return behind
        begin = self._item_of_list(node, root, variables_left - 1) if variables_left else None
        return (*begin, *behind) if begin else None

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
            return call.target if len(call.arguments) == 2 or call.function == "map" else None
    return None


def _unescaped(name: str) -> str:
    """Return the property that a name in CEL stands for: `my__dash__field` is `my-field`, `__in__` is `in`."""
    if name.startswith("__") and name.endswith("__") and name[2:-2].isalpha():
        return name[2:-2]
    return _ESCAPE.sub(lambda found: _ESCAPED[found[1]], name)
