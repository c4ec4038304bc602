"""Finds the fields that an expression needs although the instance may lack them.

A field may be missing if SimpleSchema neither requires it nor has a default. A read of it fails with `no such key`,
unless something around it guards the read: `has()`, `.?`, a condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.cel.library.comprehensions import BIND
from kro_ls.cel.library.standard import HAS, MAP
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cel.types.declarations import declared_variables
from kro_ls.kro.environment import MACROS
from kro_ls.queries.cells import cached
from kro_ls.rules.surprises.presence import UNREACHABLE, FieldKey, Presence, Value, both, present_when, with_outer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.cel.types.declarations import MacroDeclaration

Json: TypeAlias = dict[str, Any]

_MOST_NODES = 2000
_DEEPEST = 100

_INDICES = (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)


class OptionalRead(Struct, frozen=True):
    """A read of a field that may be missing: the selection, and the place of the field in the instance."""

    expression: Expression
    select: ast.Select
    key: FieldKey


def may_lack(schema: Json, field: str) -> bool:
    """Whether a valid object of the schema can lack a field (named as in CEL)."""
    for name, declared in (schema.get("properties") or {}).items():
        if escape(name) == field_name(field):
            return name not in (schema.get("required") or ()) and "default" not in declared
    return False


def may_ask(inspection: Inspection) -> bool:
    """Whether an expression may read a field with `.?` or test one with `has()`: cheap, and false for nearly all."""
    return "?" in inspection.text or HAS.name in inspection.text


class ReadFinder:
    """Walks one expression in the order of evaluation, with the fields that are there at each point."""

    def __init__(self, inspection: Inspection, variables: Mapping[str, Value]) -> None:
        self.reads: list[tuple[ast.Select, FieldKey]] = []
        """The selections, each with the field's place in the instance."""
        self._text = inspection.text
        self._root = inspection.parsed.root
        self._is_bounded = _is_bounded(inspection)
        self._variables: dict[str, Value] = dict(variables)
        self._reported: set[FieldKey] = set()

    @property
    def value(self) -> Value | None:
        """The part of the instance that the whole expression gives, None if it gives something else."""
        return self._value(self._root) if self._is_bounded else None

    def run(self, present: Presence) -> None:
        """Collect the reads in `reads`; `present` are the fields that are there at the start."""
        if self._is_bounded:
            self._visit(self._root, present)

    def asked(self) -> frozenset[FieldKey]:
        """Return the fields that the expression reads with `.?` or tests with `has()`, except those of variables."""
        if not self._is_bounded:
            return frozenset()
        asked = [node for node in ast.walk(self._root) if isinstance(node, ast.Select) and node.optional]
        tests = (node.call for node in ast.walk(self._root) if isinstance(node, ast.MacroCall))
        asked += (
            each
            for test in tests
            if MACROS.get(test.function) is HAS
            for each in test.arguments
            if isinstance(each, ast.Select)
        )
        return frozenset(value.key for value in map(self._value, asked) if value)

    def present_when_true(self) -> Presence:
        """Return the fields that are there if the expression is true."""
        return present_when(self._root, True, self._value) if self._is_bounded else frozenset()

    def _value(self, node: ast.Node) -> Value | None:
        match node:
            case ast.Identifier():
                return self._variables.get(node.name)
            case ast.Select():
                owner = self._value(node.operand)
                field = owner.field(node.field) if owner else None
                return field.optional() if owner and field and (owner.is_optional or node.optional) else field
            case ast.Call(function="dyn", target=None, arguments=(operand,)):
                return self._value(operand)
            case ast.Call(function=function, target=None, arguments=(operand, index)) if function in _INDICES:
                owner = self._value(operand)
                item = owner.item(self._text[index.start : index.end]) if owner else None
                return item.optional() if item and function == ast.Operator.OPTIONAL_INDEX else item
        return None

    def _visit(self, node: ast.Node, present: Presence) -> None:
        if present is UNREACHABLE:
            return
        match node:
            case ast.Select():
                self._visit(node.operand, present)
                if not node.optional:
                    self._need(node, present)
            case ast.MacroCall():
                self._visit_macro(node.call, present)
            case ast.Call():
                self._visit_call(node, present)
            case _:
                for child in ast.children(node):
                    self._visit(child, present)

    def _need(self, node: ast.Select, present: frozenset[FieldKey]) -> None:
        owner = self._value(node.operand)
        field = owner.field(node.field) if owner else None
        if owner is None or field is None or owner.is_optional or not may_lack(owner.schema, node.field):
            return
        if field.key not in present and not with_outer(field.key) & self._reported:
            self._reported.add(field.key)
            self.reads.append((node, field.key))

    def _visit_call(self, node: ast.Call, present: frozenset[FieldKey]) -> None:
        match node.function, node.target, node.arguments:
            case ((ast.Operator.AND | ast.Operator.OR), None, (left, right)):
                # An error of one side is dropped if the other side decides.
                goes_on = node.function == ast.Operator.AND
                self._visit(left, both(present, present_when(right, goes_on, self._value)))
                self._visit(right, both(present, present_when(left, goes_on, self._value)))
            case ast.Operator.CONDITIONAL, None, (condition, then, otherwise):
                self._visit(condition, present)
                self._visit(then, both(present, present_when(condition, True, self._value)))
                self._visit(otherwise, both(present, present_when(condition, False, self._value)))
            case "value", ast.Select(optional=True) as target, ():
                # An empty optional fails here like a plain read.
                self._visit(target.operand, present)
                self._need(target, present)
            case _:
                for child in ast.children(node):
                    self._visit(child, present)

    def _visit_macro(self, call: ast.Call, present: frozenset[FieldKey]) -> None:
        macro = MACROS.get(call.function)
        if macro is HAS:
            tested = call.arguments[0]
            self._visit(tested.operand if isinstance(tested, ast.Select) else tested, present)
            return
        if call.target is not None:
            self._visit(call.target, present)
        variables, bodies = self._declared(call, macro)
        outer = self._variables
        inner: Presence = present
        if macro is BIND:
            self._visit(call.arguments[1], present)
        elif macro is not None and macro.receiver == "optional":
            held = next(iter(variables.values()), None)
            inner = present | with_outer(held.key) if held else present
        self._variables = {name: value for name, value in outer.items() if name not in variables}
        self._variables |= {name: value for name, value in variables.items() if value}
        for body in bodies:
            self._visit(body, inner)
            if macro is MAP and len(bodies) == 2:  # the first one selects the items that the second one sees
                inner = both(inner, present_when(body, True, self._value))
        self._variables = outer

    def _declared(
        self, call: ast.Call, macro: MacroDeclaration | None
    ) -> tuple[dict[str, Value | None], tuple[ast.Node, ...]]:
        """Return the variables of a macro with their values, and the expressions in their scope."""
        count = len(declared_variables(macro.form(len(call.arguments)))) if macro else 0
        names = [node for node in call.arguments[:count] if isinstance(node, ast.Identifier)]
        if macro is None or not names or len(names) < count:
            return {}, call.arguments
        bodies = call.arguments[count:]
        source = self._value(call.target) if call.target else None
        first, last = names[0].name, names[-1]
        if macro is BIND:
            return {first: self._value(bodies[0])}, bodies[1:]
        if macro.receiver == "optional":
            return {first: source.held() if source and source.is_optional else None}, bodies
        if count > 1:
            return {first: None, last.name: source.variable(last) if source else None}, bodies
        of_list = source is not None and source.schema.get("type") == "array"
        return {first: source.variable(last) if source and of_list else None}, bodies


@cached
def _is_bounded(inspection: Inspection) -> bool:
    """Whether the tree is of a size that people write; larger ones are not walked."""
    if len(inspection.text) <= _DEEPEST:  # each node has a character of its own
        return True
    root = inspection.parsed.root
    for count, _ in enumerate(ast.walk(root)):
        if count > _MOST_NODES:
            return False
    return ast.fold(root, _depth) <= _DEEPEST


def _depth(_node: ast.Node, below: list[int]) -> int:
    return 1 + max(below, default=0)
