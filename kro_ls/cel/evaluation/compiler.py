"""Turns a tree into closures: each sub-expression becomes a function of the frame.

Names are resolved here once: a variable of a macro gets a place of its own in the frame, everything else is global.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation import loops
from kro_ls.cel.evaluation.container_literals import compile_list, compile_map, compile_struct
from kro_ls.cel.evaluation.costs import READ, of_text
from kro_ls.cel.evaluation.dispatch import (
    Function,
    compile_call,
    function,
    single_overload,
    struct_maker,
    variable_value,
)
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.field_selection import check_key, is_present, select, select_optional
from kro_ls.cel.evaluation.frame import budget_of, spend_key
from kro_ls.cel.evaluation.logic import BINARY, UNARY, compile_conditional, compile_logical
from kro_ls.cel.evaluation.values import MISSING, ListValue, MapValue, Optional, UInt
from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Identifier,
    ListLiteral,
    Literal,
    LiteralKind,
    MacroCall,
    MapLiteral,
    Node,
    Operator,
    Select,
    StructLiteral,
)
from kro_ls.cel.syntax.macros import variable_name
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.overloads import Resolution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.cel.evaluation.frame import Evaluate, Frame
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.types.check_result import CheckResult, Reference
    from kro_ls.cel.types.libraries import Libraries

_OPERATION = 2
"""The steps that an operator costs besides those of its node."""


class Compiler:
    """Compiles one tree. Without a check, names are taken as written and functions by their dotted names.

    `cost` are the steps of what was compiled so far: evaluating each node once, and no turn of any loop.
    """

    def __init__(self, libraries: Libraries, checked: CheckResult | None) -> None:
        self._libraries = libraries
        self._references: Mapping[Node, Reference] = {} if checked is None else checked.references
        self._scope: dict[str, Evaluate] = {}
        self._variables = 0
        self.cost = 0

    def compile(self, node: Node) -> Evaluate:
        """Return the function that computes a node."""
        self.cost += 1
        match node:
            case Literal():
                return _constant(UInt(node.value) if node.kind is LiteralKind.UINT else node.value)  # type: ignore[arg-type] # an int by its kind
            case Identifier():
                return self._name(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return compile_list(node, [self.compile(element) for element in node.elements])
            case MapLiteral():
                entries = [(self.compile(entry.key), self.compile(entry.value)) for entry in node.entries]
                return compile_map(node, entries)
            case MacroCall():
                return self.compile(node.expansion)
            case Comprehension():
                return self._loop(node)
            case StructLiteral():
                return self._struct(node)
            case _:
                return _failure("the expression is not complete", node)

    def _struct(self, node: StructLiteral) -> Evaluate:
        reference = self._references.get(node)
        name = reference.name if isinstance(reference, NameReference) else node.type_name.removeprefix(".")
        make = struct_maker(self._libraries, name)
        if make is None:
            return _failure(f"unknown type: {node.type_name}", node)
        return _placed(node, compile_struct(node, make, [self.compile(field.value) for field in node.fields]))

    def _name(self, node: Identifier) -> Evaluate:
        reference = self._references.get(node)
        name = variable_name(node)
        if isinstance(reference, NameReference) and reference.comprehension is None:
            return self._global(reference.name, node)
        if name in self._scope:
            return self._scope[name]
        return self._global(node.name, node)

    def _global(self, name: str, node: Node) -> Evaluate:
        return _global(name, node, variable_value(self._libraries, name))

    def _select(self, node: Select) -> Evaluate:
        reference = self._references.get(node)
        if isinstance(reference, NameReference):
            return self._global(reference.name, node)
        operand, field = self.compile(node.operand), node.field
        self.cost += of_text(len(field)) + (READ if node.test_only or node.optional else 0)
        if node.test_only:
            return _placed(node, lambda frame: is_present(operand(frame), field))
        if node.optional:
            return _placed(node, lambda frame: select_optional(operand(frame), field))
        return _selection(operand, field, node)

    def _call(self, node: Call) -> Evaluate:
        resolved = self._resolved(node)
        if resolved is not None:
            name, parts = resolved
        else:
            name, parts = node.function, node.arguments if node.target is None else (node.target, *node.arguments)
        arguments = [self.compile(part) for part in parts]
        self.cost += _OPERATION
        match name, arguments:
            case ((Operator.AND | Operator.OR), [left, right]):
                return compile_logical(left, right, absorbing=name == Operator.OR, node=node)
            case Operator.CONDITIONAL, [condition, then, otherwise]:
                return compile_conditional(condition, then, otherwise, node)
            case Operator.INDEX, [operand, key]:
                return _placed(node, _element(operand, key, select))
            case Operator.OPTIONAL_INDEX, [operand, key]:
                return _placed(node, _element(operand, key, select_optional))
            case (("or" | "orValue"), [optional, alternative]):
                return _alternative(optional, alternative, node, unwrap=name == "orValue")
            case _, [left, right] if name in BINARY:
                return BINARY[name](left, right, node)
            case _, [operand] if name in UNARY:
                return UNARY[name](operand, node)
        called = self._function(node, name, len(arguments))
        if called is None:
            return _failure(f"unbound function: {name}", node)
        return compile_call(called, arguments, node.start, node.end)

    def _function(self, node: Call, name: str, count: int) -> Function | None:
        reference = self._references.get(node)
        if isinstance(reference, Resolution) and len(reference.overloads) == 1:
            return single_overload(self._libraries, name, reference.overloads[0])
        return function(self._libraries, name, count)

    def _resolved(self, node: Call) -> tuple[str, tuple[Node, ...]] | None:
        """Return the full name and the arguments of a call whose target is only part of the function's name."""
        reference = self._references.get(node)
        if isinstance(reference, Resolution):
            is_method = reference.overloads[0].is_member
            target = (node.target,) if is_method and node.target is not None else ()
            return reference.function.name, (*target, *node.arguments)
        namespace = None if node.target is None else _dotted(node.target)
        name = f"{namespace}.{node.function}"
        if namespace is not None and function(self._libraries, name, len(node.arguments)) is not None:
            return name, node.arguments
        return None

    def _loop(self, node: Comprehension) -> Evaluate:
        if loops.is_binding(node):
            return self._binding(node)
        elements = self.compile(node.range)
        predicate, body = loops.parts(node)
        keys = [self._declare(name) for name in (node.variable, node.variable2) if name is not None]
        outer, before = dict(self._scope), self.cost
        self._scope |= {name: _variable(key) for name, key in keys}
        compiled = [self.compile(part) for part in body]
        condition = None if predicate is None else self.compile(predicate)
        self._scope = outer
        self.cost, turn = before, self.cost - before
        return loops.compile_loop(node, elements, tuple(key for _, key in keys), condition, compiled, turn)

    def _binding(self, node: Comprehension) -> Evaluate:
        name, key = self._declare(node.accumulator)
        value = self.compile(node.initializer)
        outer = dict(self._scope)
        self._scope[name] = loops.bound_variable(key, value)
        result = self.compile(node.result)
        self._scope = outer
        return loops.compile_binding(key, result)

    def _declare(self, name: str) -> tuple[str, str]:
        """Return the name of a macro's variable and a place in the frame for it."""
        self._variables += 1
        return name, f"@{self._variables}"


def _constant(value: Value) -> Evaluate:
    return lambda _: value


def _variable(key: str) -> Evaluate:
    return lambda frame: frame[key]


def _failure(message: str, node: Node) -> Evaluate:
    start, end = node.start, node.end

    def fail(_: Frame) -> Value:
        raise EvaluationError(message, start, end)

    return fail


def _global(name: str, node: Node, otherwise: Value) -> Evaluate:
    """Return what reads a variable; `otherwise` is its value where none is given, MISSING if there is none."""
    start, end = node.start, node.end

    def read(frame: Frame) -> Value:
        try:
            return frame[name]
        except KeyError:
            if otherwise is not MISSING:
                return otherwise
            raise EvaluationError(f"no such attribute(s): {name}", start, end) from None

    return read


def _selection(operand: Evaluate, field: str, node: Select) -> Evaluate:
    start, end = node.start, node.end

    def read(frame: Frame) -> Value:
        value = operand(frame)
        if value.__class__ is dict:
            try:
                return value[field]
            except KeyError:
                raise EvaluationError(f"no such key: {field}", start, end) from None
        budget_of(frame).spend(READ)
        try:
            return select(value, field)
        except EvaluationError as error:
            error.at(start, end)
            raise

    return read


def _element(operand: Evaluate, key: Evaluate, find: Callable[[Value, Value], Value]) -> Evaluate:
    """Return what reads the element under a key; where what has it is absent, the key is not evaluated."""

    def read(frame: Frame) -> Value:
        value = operand(frame)
        if isinstance(value, Optional) and not value.is_present:
            return value
        wanted = check_key(key(frame))
        spend_key(frame, wanted)
        if isinstance(value, (ListValue, MapValue)):
            budget_of(frame).spend(READ)
        return find(value, wanted)

    return read


def _placed(node: Node, evaluate: Callable[[Frame], Value]) -> Evaluate:
    """Return the function with the node's place in the errors that have none."""
    start, end = node.start, node.end

    def placed(frame: Frame) -> Value:
        try:
            return evaluate(frame)
        except EvaluationError as error:
            error.at(start, end)
            raise

    return placed


def _alternative(optional: Evaluate, alternative: Evaluate, node: Call, *, unwrap: bool) -> Evaluate:
    start, end = node.start, node.end

    def choose(frame: Frame) -> Value:
        value = optional(frame)
        if not isinstance(value, Optional):
            raise EvaluationError("no such overload", start, end)
        if value.is_present:
            return value.value if unwrap else value
        return alternative(frame)

    return choose


def _dotted(node: Node) -> str | None:
    names: list[str] = []
    while isinstance(node, Select) and not node.optional and not node.test_only:
        names.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(names)]) if isinstance(node, Identifier) else None
