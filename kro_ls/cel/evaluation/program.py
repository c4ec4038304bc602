"""Compiled expressions: `compile_program` once, `Program.evaluate` as often as there are values.

A tree is turned into closures: each sub-expression becomes a function of the frame. Names are resolved once: a variable
of a macro gets a place of its own in the frame, everything else is global.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.evaluation import loops
from kro_ls.cel.evaluation.containers import compile_index, compile_list, compile_map, compile_select, compile_struct
from kro_ls.cel.evaluation.costs import BUDGET, READ, Budget, Evaluate, Frame, budget_of, of_text
from kro_ls.cel.evaluation.dispatch import (
    Function,
    compile_call,
    function,
    single_overload,
    struct_maker,
    variable_value,
)
from kro_ls.cel.evaluation.logic import BINARY, UNARY, compile_conditional, compile_logical
from kro_ls.cel.evaluation.values import MISSING, EvaluationError, Optional, UInt
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
    qualified_name,
)
from kro_ls.cel.syntax.macros import is_binding
from kro_ls.cel.types.check_result import NameReference, undefined_type
from kro_ls.cel.types.unification import Resolution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.types.check_result import CheckResult, Reference
    from kro_ls.cel.types.declarations import Libraries


_EVALUATION: Final = 10
"""The steps of an evaluation aside from those of its nodes."""
_OPERATION: Final = 2
"""The steps that an operator costs besides those of its node."""
_TOO_DEEP = "the expression, or a value in it, is nested too deeply"


class Program(Struct, frozen=True, eq=False):
    """An expression that can be evaluated. Programs keep no state: one may run in several threads at a time."""

    root: Node
    _evaluate: Evaluate
    cost: int = 0
    """The steps of an evaluation besides those of its loops and calls."""
    _types: tuple[tuple[Node, str], ...] = ()
    """The types that are named, and the variables that hold one; those that are not given have no value."""

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the value of the expression. Raises EvaluationError, and nothing else, when it has none.

        A variable that is missing is an error only where it is read, a type always. `budget` is shared by several
        evaluations when it is given; without one each may take `DEFAULT_STEPS`.
        """
        for node, name in self._types:
            if name not in variables:
                raise EvaluationError(undefined_type(name), node.start, node.end)
        frame: Frame = {**variables, BUDGET: Budget() if budget is None else budget}
        try:
            budget_of(frame).spend(self.cost)
            return self._evaluate(frame)
        except EvaluationError as error:
            error.at(self.root.start, self.root.end)
            raise
        except RecursionError:
            raise EvaluationError(_TOO_DEEP, self.root.start, self.root.end) from None


def compile_program(root: Node, libraries: Libraries, checked: CheckResult | None = None) -> Program:
    """Return the program of a tree that calls what the libraries declare.

    `checked` is what its check found in an environment of these libraries, None to take every name as it is written.
    Never raises: what is missing or unknown in the tree fails when it is evaluated.
    """
    types = tuple((node, each.name) for node, each in checked.names_of_types) if checked else ()
    try:
        compiler = _Compiler(libraries, checked)
        evaluate = compiler.compile(root)
        return Program(root, evaluate, _EVALUATION + compiler.cost + len(types), types)
    except RecursionError:

        def fail(_: Frame) -> Value:
            raise EvaluationError(_TOO_DEEP, root.start, root.end)

        return Program(root, fail)


class _Compiler:
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
        return compile_struct(node, make, [self.compile(field.value) for field in node.fields])

    def _name(self, node: Identifier) -> Evaluate:
        reference = self._references.get(node)
        name = node.declared_name
        if isinstance(reference, NameReference) and reference.comprehension is None:
            return self._global(reference.name, node)
        if name in self._scope:
            return self._scope[name]
        return self._global(node.name, node)

    def _global(self, name: str, node: Node) -> Evaluate:
        value = variable_value(self._libraries, name) if name in self._libraries.variables else MISSING
        return _global(name, node, value)

    def _select(self, node: Select) -> Evaluate:
        reference = self._references.get(node)
        if isinstance(reference, NameReference):
            return self._global(reference.name, node)
        operand = self.compile(node.operand)
        self.cost += of_text(len(node.field)) + (READ if node.test_only or node.optional else 0)
        return compile_select(node, operand)

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
                return compile_index(node, operand, key, optional=False)
            case Operator.OPTIONAL_INDEX, [operand, key]:
                return compile_index(node, operand, key, optional=True)
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
        namespace = qualified_name(node.target) if node.target is not None else None
        if namespace is None:
            return None
        name = ".".join((*namespace, node.function)).removeprefix(".")
        return (name, node.arguments) if function(self._libraries, name, len(node.arguments)) is not None else None

    def _loop(self, node: Comprehension) -> Evaluate:
        if is_binding(node):
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
    """Return the reader of a variable; `otherwise` is its value if none is given, MISSING if there is none."""
    start, end = node.start, node.end

    def read(frame: Frame) -> Value:
        try:
            return frame[name]
        except KeyError:
            if otherwise is not MISSING:
                return otherwise
            raise EvaluationError(f"no such attribute(s): {name}", start, end) from None

    return read


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
