"""The type checker: what every part of an expression is, and every error at once, by the rules of cel-go.

The source of each rule is cel-go `checker/checker.go`, of the names in scope `checker/env.go`.
A part that failed has the error type, which fits everything, so that one mistake gives one message.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Hole,
    Identifier,
    ListLiteral,
    Literal,
    LiteralKind,
    MacroCall,
    MapLiteral,
    Node,
    Operator,
    Select,
    Span,
    StructField,
    StructLiteral,
    qualified_name,
)
from kro_ls.cel.types.check_result import CheckError, CheckResult, ErrorKind, NameReference
from kro_ls.cel.types.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Kind,
    Type,
    checker_name,
    list_type,
    map_type,
    optional_type,
    struct_type,
)
from kro_ls.cel.types.unification import Resolution, TooComplexError, TypeVariables, most_general, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.cel.types.check_result import Reference
    from kro_ls.cel.types.declarations import Environment, FunctionDeclaration


def check(root: Node, environment: Environment) -> CheckResult:
    """Check a parsed expression. Never raises, whatever the tree holds.

    An expression that is nested or refers to itself beyond all reason has the type dyn and no errors.
    """
    unknown = CheckResult(DYN, (), {root: DYN}, {}, {})
    try:
        return _check(root, environment)
    except TooComplexError:
        return unknown
    except RecursionError:
        pass
    try:
        with _deep_recursion():
            return _check(root, environment)
    except (RecursionError, TooComplexError):
        return unknown


def _check(root: Node, environment: Environment) -> CheckResult:
    checker = _Checker(environment)
    result = checker.check(root)
    checker.finish()
    # As cel-go does: by position, otherwise in the order of discovery.
    errors = tuple(sorted(checker.errors, key=lambda error: error.position)) if checker.errors else ()
    if checker.has_holes:
        errors = tuple(error for error in errors if not error.is_consequence)
    return CheckResult(
        type=checker.variables.finish(result),
        errors=errors,
        types=checker.types,
        references=checker.references,
        variables=checker.declared,
        names_of_types=checker.names_of_types(),
    )


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow what the parser's limits allow: 250 nested macros, each of which adds up to eight levels to the tree."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


_LITERAL_TYPES: Final = {
    LiteralKind.NULL: NULL,
    LiteralKind.BOOL: BOOL,
    LiteralKind.INT: INT,
    LiteralKind.UINT: UINT,
    LiteralKind.DOUBLE: DOUBLE,
    LiteralKind.STRING: STRING,
    LiteralKind.BYTES: BYTES,
}
_LOGICAL: Final = frozenset({Operator.AND, Operator.OR})
_WELL_KNOWN: Final = frozenset({Kind.ANY, Kind.TIMESTAMP, Kind.DURATION, Kind.DYN, Kind.NULL})


class _Checker:
    """One walk over one expression."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.types: dict[Node, Type] = {}
        self.references: dict[Node, Reference] = {}
        self.errors: list[CheckError] = []
        self.declared: dict[Span, Type] = {}
        self.variables = TypeVariables()
        self.has_holes = False
        """Whether something is missing; errors that follow from it are then suppressed."""
        self._format_calls: list[Call] = []
        self._locals: dict[str, tuple[Type, Comprehension]] = {}
        self._macro: MacroCall | None = None
        self._mixed_numbers = environment.mixed_numbers
        """Whether numbers of different types can be ordered: from the first comprehension on (a quirk of cel-go)."""

    def check(self, node: Node) -> Type:
        """Return the type of the node, and store it; it may still hold type variables."""
        checked = _VISITORS[type(node)](self, node)
        self.types[node] = checked
        return checked

    def finish(self) -> None:
        """Settle the types that were open while checking, and check format strings if nothing else is wrong."""
        if self.variables.count:
            finish = self.variables.finish
            self.types = {node: finish(type_) if type_.is_generic else type_ for node, type_ in self.types.items()}
            self.declared = {span: finish(type_) for span, type_ in self.declared.items()}
        for call in () if self.errors else self._format_calls:
            from kro_ls.cel.types.format_check import format_problem

            problem = format_problem(call, self.types)
            if problem:
                self._report(ErrorKind.FORMAT, *problem)

    def names_of_types(self) -> tuple[tuple[Node, NameReference], ...]:
        names = [(node, each) for node, each in self.references.items() if type(each) is NameReference]
        return tuple([(node, each) for node, each in names if self.types[node].kind is Kind.TYPE])

    def _report(
        self,
        kind: ErrorKind,
        message: str,
        node: Node | StructField,
        span: Span | None = None,
        types: tuple[Type, ...] = (),
    ) -> Type:
        start, end = span or (node.start, node.end)
        self.errors.append(CheckError(kind, message, node.position, start, end, node, types))
        return ERROR

    # Names

    def check_identifier(self, node: Identifier) -> Type:
        name = node.name
        local = self._locals.get(name)
        if local is not None and not node.leading_dot:
            self.references[node] = NameReference(name, local[1])
            return local[0]
        found = self._global(node, f".{name}" if node.leading_dot else name)
        return found or self._undeclared(ErrorKind.UNDECLARED_NAME, node, (node.position, node.position + len(name)))

    def _global(self, node: Node, name: str) -> Type | None:
        found = self.environment.find_name(name)
        if found is None:
            return None
        full_name, type_ = found
        self.references[node] = NameReference(full_name)
        return type_

    def _undeclared(self, kind: ErrorKind, node: Identifier | Call | StructLiteral, span: Span) -> Type:
        match node:
            case Identifier():
                name = f".{node.name}" if node.leading_dot else node.name
            case Call():
                name = f".{node.function}" if node.leading_dot else node.function
            case StructLiteral():
                name = node.type_name
        container = self.environment.container
        return self._report(kind, f"undeclared reference to '{name}' (in container '{container}')", node, span)

    def _qualified(self, node: Select) -> Type | None:
        """Return the type if the whole selection is one declared name, such as the variable `a.b`."""
        names = qualified_name(node)
        if names is None:
            return None
        root = names[0]
        if root in self._locals:
            return None
        environment = self.environment
        if root in environment.variables and root not in environment.dotted_roots and not environment.container:
            return None
        return self._global(node, ".".join(names))

    # Selection

    def check_select(self, node: Select) -> Type:
        if not node.optional and not node.test_only:
            qualified = self._qualified(node)
            if qualified is not None:
                return qualified
        operand = self.check(node.operand)
        if operand.is_generic:
            operand = self.variables.substitute(operand)
        was_optional = operand.is_optional
        selected = self._field(node, operand.parameters[0] if was_optional else operand)
        if was_optional or node.optional:
            selected = optional_type(selected)
        if node.test_only:
            if self._macro is not None:
                self.types[self._macro.call.arguments[0]] = selected
            return BOOL
        return self.variables.substitute(selected)

    def _field(self, node: Select, operand: Type) -> Type:
        field = node.field
        if not field:
            self.has_holes = True
            return ERROR
        if operand.kind is Kind.STRUCT:
            return self._struct_field(node, operand.name, field, node.field_span)
        if operand.kind is Kind.MAP:
            return operand.parameters[1]
        if operand.kind is Kind.TYPE_PARAMETER:
            self.variables.assign(DYN, operand)
        elif not operand.is_dynamic and operand.kind is not Kind.ERROR:
            message = f"type '{checker_name(operand)}' does not support field selection"
            self._report(ErrorKind.UNSELECTABLE, message, node, node.field_span, (operand,))
        return DYN

    def _struct_field(self, node: Node | StructField, struct: str, field: str, span: Span) -> Type:
        found = self.environment.field_type(struct, field)
        if found is not None:
            return found
        if self.environment.find_struct(struct) is None:
            return self._report(ErrorKind.UNKNOWN_STRUCT, f"unexpected failed resolution of '{struct}'", node, span)
        types = (struct_type(struct),)
        return self._report(ErrorKind.UNDEFINED_FIELD, f"undefined field '{field}'", node, span, types)

    # Calls

    def check_call(self, node: Call) -> Type:
        arguments = []
        for argument in node.arguments:
            arguments.append(self.check(argument))  # noqa: PERF401 - a comprehension would add a frame per level
        target = node.target
        name = node.function
        if not name:
            if target is not None:
                self.check(target)
            return ERROR
        if target is None:
            function = self.environment.find_function(f".{name}" if node.leading_dot else name)
            if function is None:
                return self._undeclared(ErrorKind.UNDECLARED_FUNCTION, node, node.name_span)
            return self._resolve(node, function, tuple(arguments), is_method=False)
        function = self._namespaced_function(target, name)
        if function is not None:
            return self._resolve(node, function, tuple(arguments), is_method=False)
        receiver = self.check(target)
        function = self.environment.find_function(name)
        if function is None:
            return self._undeclared(ErrorKind.UNDECLARED_FUNCTION, node, node.name_span)
        return self._resolve(node, function, (receiver, *arguments), is_method=True)

    def _namespaced_function(self, target: Node, name: str) -> FunctionDeclaration | None:
        if type(target) is Identifier:
            dot = "." if target.leading_dot else ""
            return self.environment.find_function(f"{dot}{target.name}.{name}")
        if type(target) is Select:
            names = qualified_name(target)
            return self.environment.find_function(".".join((*names, name))) if names else None
        return None

    def _resolve(self, node: Call, function: FunctionDeclaration, types: tuple[Type, ...], *, is_method: bool) -> Type:
        if function.name in _LOGICAL:
            return self._logical(node, function, types)
        resolution = resolve(function, types, self.variables, is_method=is_method, mixed_numbers=self._mixed_numbers)
        if resolution is None:
            return self._no_overload(node, function, types, is_method=is_method)
        self.references[node] = resolution
        if function.name == "format":
            self._format_calls.append(node)
        return resolution.result

    def _no_overload(
        self, node: Call, function: FunctionDeclaration, types: tuple[Type, ...], *, is_method: bool
    ) -> Type:
        if any(type(argument) is Hole for argument in node.arguments):
            return ERROR
        types = tuple(self.variables.finish(type_) for type_ in types)
        names = [checker_name(type_) for type_ in types]
        signature = f"{names[0]}.({', '.join(names[1:])})" if is_method else f"({', '.join(names)})"
        message = f"found no matching overload for '{function.name}' applied to '{signature}'"
        return self._report(ErrorKind.NO_OVERLOAD, message, node, self._call_span(node), types)

    def _call_span(self, node: Call) -> Span:
        """Return the name or operator of a call as written; of one that a macro adds, the operand of the macro."""
        macro = self._macro
        if macro is None or node.position != macro.position:
            return node.name_span
        if node.function == macro.call.function:
            return macro.call.name_span
        for operand in (*node.arguments, node.target):
            if operand is not None and operand.position != macro.position:
                return (operand.start, operand.end)
        receiver = macro.call.target
        blamed = receiver if receiver and node.function == "hasValue" else macro.call.arguments[-1]
        return (blamed.start, blamed.end)

    def _logical(self, node: Call, function: FunctionDeclaration, types: tuple[Type, ...]) -> Type:
        pairs = zip(node.arguments, types, strict=True)
        unfit = [(operand, type_) for operand, type_ in pairs if not self.variables.assign(type_, BOOL)]
        for operand, type_ in unfit:
            self._mismatch(operand, BOOL, type_)
        if unfit:
            return ERROR
        self.references[node] = Resolution(function, function.overloads, BOOL)
        return BOOL

    # Literals

    def check_literal(self, node: Literal) -> Type:
        return _LITERAL_TYPES[node.kind]

    def check_list(self, node: ListLiteral) -> Type:
        joined: Type | None = None
        for index, element in enumerate(node.elements):
            type_ = self.check(element)
            if index in node.optional_indices:
                type_ = self._unwrap_optional(element, type_)
            joined = self._join(joined, type_, element)
        return list_type(joined or self.variables.fresh())

    def check_map(self, node: MapLiteral) -> Type:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            keys = self._join(keys, self.check(entry.key), entry.key)
            type_ = self.check(entry.value)
            if entry.optional:
                type_ = self._unwrap_optional(entry.value, type_)
            values = self._join(values, type_, entry.value)
        return map_type(keys or self.variables.fresh(), values or self.variables.fresh())

    def check_struct(self, node: StructLiteral) -> Type:
        environment = self.environment
        candidates = environment.candidates(node.type_name)
        name, named = next(((c, t) for c in candidates if (t := environment.find_type(c))), ("", None))
        result = named or self._undeclared(ErrorKind.STRUCT_LITERAL, node, node.type_name_span)
        if named is None:
            return ERROR
        self.references[node] = NameReference(name)
        is_message = name in environment.structs or named.kind is Kind.STRUCT or named.kind in _WELL_KNOWN
        if not is_message and not named.nullable:
            message = f"'{named.name}' is not a message type"
            result = self._report(ErrorKind.STRUCT_LITERAL, message, node, node.type_name_span)
        for field in node.fields:
            type_ = self.check(field.value)
            expected = self._struct_field(field, name, field.name, field.name_span)
            if field.optional:
                type_ = self._unwrap_optional(field.value, type_)
            if not self.variables.assign(expected, type_):
                message = (
                    f"expected type of field '{field.name}' is '{checker_name(expected)}' "
                    f"but provided type is '{checker_name(type_)}'"
                )
                span = (field.value.start, field.value.end)
                self._report(ErrorKind.TYPE_MISMATCH, message, field, span, (expected, type_))
        return result

    def _unwrap_optional(self, node: Node, type_: Type) -> Type:
        """Return what an element marked with `?` contributes: it must be optional or dyn."""
        if type_.is_optional:
            return type_.parameters[0]
        if not type_.is_dynamic:
            self._mismatch(node, optional_type(type_), type_)
        return type_

    def _join(self, previous: Type | None, current: Type, element: Node) -> Type:
        """Return the common type of the elements of a literal so far; dyn, or an error, when they do not unify."""
        if previous is None or previous == current:
            return current
        if self.variables.assign(previous, current):
            return most_general(previous, current)
        if self.environment.homogeneous_literals:
            self._mismatch(element, previous, current)
            return ERROR
        return DYN

    # Macros

    def check_macro_call(self, node: MacroCall) -> Type:
        outer, self._macro = self._macro, node
        self.types[node.call] = checked = self.check(node.expansion)
        self._macro = outer
        return checked

    def check_comprehension(self, node: Comprehension) -> Type:
        self.check(node.range)
        accumulator = self.check(node.initializer)
        range_type = self.variables.substitute(self.types[node.range])
        outer = self._locals
        self._mixed_numbers = True
        first, second = self._loop_variables(node, range_type)
        with_result = {**outer, node.accumulator: (accumulator, node)}
        self._locals = {**with_result, node.variable: (first, node)}
        if node.variable2 is not None:
            self._locals[node.variable2] = (second, node)
        spans = (node.variable_span, node.variable2_span, node.accumulator_span)
        types = zip(spans, (first, second, accumulator), strict=True)
        self.declared |= {span: type_ for span, type_ in types if span is not None}
        self._expect(node.condition, BOOL)
        self._expect(node.step, accumulator)
        self._locals = with_result
        result = self.check(node.result)
        self._locals = outer
        return self.variables.substitute(result)

    def _loop_variables(self, node: Comprehension, range_type: Type) -> tuple[Type, Type]:
        """Return the types of the one or two variables that run over the range."""
        if range_type.kind is Kind.LIST:
            element = range_type.parameters[0]
            return (element, element) if node.variable2 is None else (INT, element)
        if range_type.kind is Kind.MAP:
            return range_type.parameters[0], range_type.parameters[1]
        if range_type.kind in {Kind.DYN, Kind.ERROR, Kind.TYPE_PARAMETER}:
            self.variables.assign(DYN, range_type)
            return DYN, DYN
        message = (
            f"expression of type '{checker_name(range_type)}' cannot be range of a comprehension "
            "(must be list, map, or dynamic)"
        )
        self._report(ErrorKind.NOT_A_RANGE, message, node.range, types=(range_type,))
        return ERROR, ERROR

    def _expect(self, node: Node, expected: Type) -> None:
        actual = self.check(node)
        if not self.variables.assign(expected, actual):
            self._mismatch(node, expected, actual)

    # Missing and wrong parts

    def check_hole(self, node: Hole) -> Type:  # noqa: ARG002 - every visitor takes its node
        self.has_holes = True
        return ERROR

    def _mismatch(self, node: Node, expected: Type, actual: Type) -> None:
        message = f"expected type '{checker_name(expected)}' but found '{checker_name(actual)}'"
        self._report(ErrorKind.TYPE_MISMATCH, message, node, types=(expected, actual))


_VISITORS: Final[Mapping[type, Callable[..., Type]]] = {
    Call: _Checker.check_call,
    Comprehension: _Checker.check_comprehension,
    Hole: _Checker.check_hole,
    Identifier: _Checker.check_identifier,
    ListLiteral: _Checker.check_list,
    Literal: _Checker.check_literal,
    MacroCall: _Checker.check_macro_call,
    MapLiteral: _Checker.check_map,
    Select: _Checker.check_select,
    StructLiteral: _Checker.check_struct,
}
