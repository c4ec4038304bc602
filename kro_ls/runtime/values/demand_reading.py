"""Derives from expressions what they demand of the values that they use, if each of them is to be true.

A simulated object that meets these demands meets the conditions of a definition, so that its graph can proceed. Only
what is common in definitions is understood; anything else demands nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.cel.syntax import ast
from kro_ls.kro.forms import KREP_2_FORM
from kro_ls.runtime.values.demands import BOOLEAN, INTEGER, LIST, MAP, MOST_ELEMENTS, NUMBER, TEXT, Demand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Names: TypeAlias = Mapping[str, Demand]

_MIRRORED = {
    ast.Operator.LESS: ast.Operator.GREATER,
    ast.Operator.LESS_EQUALS: ast.Operator.GREATER_EQUALS,
    ast.Operator.GREATER: ast.Operator.LESS,
    ast.Operator.GREATER_EQUALS: ast.Operator.LESS_EQUALS,
}
_NEGATED = {
    ast.Operator.LESS: ast.Operator.GREATER_EQUALS,
    ast.Operator.LESS_EQUALS: ast.Operator.GREATER,
    ast.Operator.GREATER: ast.Operator.LESS_EQUALS,
    ast.Operator.GREATER_EQUALS: ast.Operator.LESS,
}
_ARITHMETIC = {ast.Operator.SUBTRACT, ast.Operator.MULTIPLY, ast.Operator.DIVIDE, ast.Operator.MODULO}
_CONNECTIVES = {ast.Operator.AND, ast.Operator.OR, ast.Operator.NOT}
_EQUALITIES = {ast.Operator.EQUALS, ast.Operator.NOT_EQUALS}
_MACROS = frozenset(
    "exists exists_one existsOne all filter map sortBy transformList transformMap transformMapEntry".split()
)
_TEXT_TO_TEXT = {"lowerAscii", "upperAscii", "trim", "replace", "substring"}
_TEXT_TESTS = {"startsWith", "endsWith", "contains", "matches"}
_OF_TEXTS = _TEXT_TO_TEXT | {"charAt", "indexOf", "lastIndexOf", "find", "findAll", "reverse", "format"}
_READERS = frozenset(
    "int uint double bool duration timestamp quantity url ip cidr semver base64.decode json.unmarshal".split()
)
_READ_TYPES = {"int": INTEGER, "uint": INTEGER, "double": NUMBER, "bool": BOOLEAN, "base64.decode": TEXT}
_THROUGH = {"value", "string", "first", "last", "min", "max", "dyn", "reverse", "distinct", "flatten"}


class DemandReader:
    """Reads expressions that see certain names.

    `plain` are the values that are read as if they were there, `tested` those that are asked about before.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._guard = 0
        self.tested: set[Demand] = set()
        self.plain: set[Demand] = set()
        self.added: list[Demand] = []
        """What is added to something, as texts are."""

    def hold(self, node: ast.Node, names: Names, truth: bool = True) -> None:
        """Ask for what makes a condition true, or false."""
        match node:
            case ast.MacroCall():
                self._hold_macro(node, names, truth)
            case ast.Call(function=ast.Operator.AND | ast.Operator.OR):
                for each in node.arguments:
                    self.hold(each, names, truth)
            case ast.Call(function=ast.Operator.NOT, arguments=(inner,)):
                self.hold(inner, names, not truth)
            case ast.Call(function=ast.Operator.CONDITIONAL, arguments=(condition, then, otherwise)):
                self.hold(condition, names)
                self.hold(then, names, truth)
                self.read(otherwise, names)
            case ast.Call(function=function, arguments=(one, other)) if function in _EQUALITIES:
                self._compare(one, other, names, (function == ast.Operator.EQUALS) is truth)
            case ast.Call(function=function, arguments=(one, other)) if function in _MIRRORED:
                self._order(function if truth else _NEGATED[function], one, other, names)
            case ast.Call(function=ast.Operator.IN, arguments=(one, other)):
                self._contain(one, other, names, truth)
            case ast.Call(function=function, target=target) if target is not None and function in _TEXT_TESTS:
                self._test_text(node, function, target, names, truth)
            case _:
                found = self.read(node, names)
                if found is not None:
                    found.ask_type(BOOLEAN)
                    found.ask_value(truth)

    def read(self, node: ast.Node, names: Names) -> Demand | None:
        """Return what is asked of the value of an expression; None for one that is computed."""
        match node:
            case ast.Identifier():
                return names.get(node.name, self._names.get(node.name))
            case ast.Select():
                return self._select(node, names)
            case ast.MacroCall():
                return self._read_macro(node, names)
            case ast.Call():
                return self._call(node, names)
            case ast.ListLiteral():
                for each in node.elements:
                    self.read(each, names)
            case ast.MapLiteral():
                for entry in node.entries:
                    self.read(entry.key, names)
                    self.read(entry.value, names)
            case ast.StructLiteral():
                for each_field in node.fields:
                    self.read(each_field.value, names)
        return None

    def _select(self, node: ast.Select, names: Names) -> Demand | None:
        found = self.read(node.operand, names)
        if found is None:
            return None
        if found.same is not None and node.field == KREP_2_FORM.alias:
            return found  # of KREP-2: another word for the collection
        inner = found.field(node.field)
        (self.tested if node.optional or node.test_only or self._guard else self.plain).add(inner)
        return inner

    def _call(self, node: ast.Call, names: Names) -> Demand | None:
        function, arguments = node.function, node.arguments
        if function in _CONNECTIVES or function in _EQUALITIES or function in _MIRRORED or function == ast.Operator.IN:
            self.hold(node, names)
            return None
        if function in ast.INDICES:
            return self._index(node, names)
        if function == ast.Operator.CONDITIONAL:
            self.hold(arguments[0], names)
            found = [self.read(each, names) for each in arguments[1:]]
            return next((each for each in found if each is not None), None)
        if function == ast.Operator.ADD:
            terms = _terms(node)
            self._ask_all(terms, next(filter(None, map(_literal_type, terms)), ""), names)
            return None
        if function in _ARITHMETIC or function == ast.Operator.NEGATE:
            self._ask_all(arguments, _number_type(arguments), names)
            return None
        if node.target is None:
            return self._function(node, names)
        if isinstance(node.target, ast.Identifier) and f"{node.target.name}.{function}" in _READERS:
            found_text = self.read(arguments[0], names) if arguments else None
            return None if found_text is None else _read_as(found_text, f"{node.target.name}.{function}")
        return self._method(node, node.target, names)

    def _index(self, node: ast.Call, names: Names) -> Demand | None:
        found = self.read(node.arguments[0], names)
        if found is None:
            self.read(node.arguments[1], names)
            return None
        match node.arguments[1]:
            case ast.Literal(value=str() as step):
                inner = found.field(step)
            case ast.Literal(value=int() as step) if 0 <= step < MOST_ELEMENTS:
                inner = found.element(step)
            case other:
                self.read(other, names)
                inner = found.each()
        (self.tested if node.function == ast.Operator.OPTIONAL_INDEX else self.plain).add(inner)
        return inner

    def _ask_all(self, nodes: Sequence[ast.Node], asked: str, names: Names) -> None:
        for each in nodes:
            found = self.read(each, names)
            if found is not None:
                self.added.append(found)
                if asked and _literal_type(each) in ("", asked):
                    found.ask_type(asked)

    def _function(self, node: ast.Call, names: Names) -> Demand | None:
        found = [self.read(each, names) for each in node.arguments]
        first = found[0] if found else None
        if first is None:
            return None
        if node.function in _READERS:
            return _read_as(first, node.function)
        return first if node.function in _THROUGH else None

    def _method(self, node: ast.Call, target: ast.Node, names: Names) -> Demand | None:
        if node.function in _TEXT_TESTS:
            self.hold(node, names)
            return None
        if node.function in ("orValue", "or"):
            return self._or_value(node, target, names)
        found = self.read(target, names)
        for each in node.arguments:
            self.read(each, names)
        if found is None:
            return None
        if node.function == "split":
            found.ask_type(TEXT)
            match node.arguments:
                case (ast.Literal(value=str() as separator), *_) if separator:
                    return found.split_by(separator)
            return None
        if node.function == "join":
            found.ask_type(LIST)
            found.each().ask_type(TEXT)
        elif node.function in _OF_TEXTS:
            found.ask_type(TEXT)
            return found if node.function in _TEXT_TO_TEXT else None
        elif node.function == "hasValue":
            self.tested.add(found)
        return found if node.function in _THROUGH else None

    def _or_value(self, node: ast.Call, target: ast.Node, names: Names) -> Demand | None:
        found = self.read(target, names)
        for each in node.arguments:
            self.read(each, names)
            asked = _literal_type(each)
            if found is not None and asked:
                found.ask_type(asked)
        return found

    def _compare(self, one: ast.Node, other: ast.Node, names: Names, truth: bool) -> None:
        if self._compare_size(one, other, names, truth) or self._compare_size(other, one, names, truth):
            return
        left, right = self.read(one, names), self.read(other, names)
        for found, node in ((left, other), (right, one)):
            value = _literal(node)
            if found is not None and value is not None:
                (found.ask_value if truth else found.others.append)(value)
        if truth and left is not None and right is not None:
            left.equals.append(right)
            right.equals.append(left)

    def _compare_size(self, one: ast.Node, other: ast.Node, names: Names, truth: bool) -> bool:
        """Understand `size(a) == 3`; return whether it is that."""
        measured = _measured(one)
        value = _literal(other)
        if measured is None or not isinstance(value, int):
            return False
        found = self.read(measured, names)
        if found is not None:
            found.ask_length(value if truth else (1 if value == 0 else 0))
        return True

    def _order(self, function: str, one: ast.Node, other: ast.Node, names: Names) -> None:
        for left, right, operator in ((one, other, function), (other, one, _MIRRORED[function])):
            value = _literal(right)
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                continue
            is_least = operator in (ast.Operator.GREATER, ast.Operator.GREATER_EQUALS)
            strictly = operator in (ast.Operator.GREATER, ast.Operator.LESS)
            bound = value + (1 if is_least else -1) if strictly else value
            measured = _measured(left)
            found = self.read(measured if measured is not None else left, names)
            if found is None:
                return
            if measured is not None:
                found.ask_length(int(bound) if is_least else 0)
                return
            found.ask_type(_literal_type(right) or INTEGER)
            found.ask_number(bound if is_least else None, None if is_least else bound)
            return
        left_found, right_found = self.read(one, names), self.read(other, names)
        if left_found is not None and right_found is not None:
            left_found.equals.append(right_found)

    def _contain(self, one: ast.Node, other: ast.Node, names: Names, truth: bool) -> None:
        left, right = self.read(one, names), self.read(other, names)
        if left is not None and isinstance(other, ast.ListLiteral):
            for each in (value for value in map(_literal, other.elements) if value is not None):
                (left.ask_value if truth else left.others.append)(each)
        value = _literal(one)
        if truth and right is not None and isinstance(value, str):
            if right.same is not None:
                right.same.ask_value(value)
            else:
                right.keys.setdefault(value)

    def _test_text(self, node: ast.Call, function: str, target: ast.Node, names: Names, truth: bool) -> None:
        found = self.read(target, names)
        if found is None:
            return
        if function == "contains" and found.type == LIST:
            return
        found.ask_type(TEXT)
        text = _literal(node.arguments[0]) if node.arguments else None
        if not truth or not isinstance(text, str):
            return
        if function == "startsWith":
            found.starts = found.starts or text
        elif function == "endsWith":
            found.ends = found.ends or text
        elif function == "matches":
            found.pattern = found.pattern or text
        else:
            found.contains.append(text)

    def _hold_macro(self, node: ast.MacroCall, names: Names, truth: bool) -> None:
        call = node.call
        if call.function == "has" and len(call.arguments) == 1:
            self._guarded(call.arguments[0], names)
        elif call.function in ("exists", "exists_one", "existsOne", "all") and call.target is not None:
            self._loop(call, call.target, names, truth=truth)
        else:
            found = self._read_macro(node, names)
            if found is not None:
                found.ask_value(truth)

    def _guarded(self, node: ast.Node, names: Names) -> Demand | None:
        self._guard += 1
        try:
            return self.read(node, names)
        finally:
            self._guard -= 1

    def _read_macro(self, node: ast.MacroCall, names: Names) -> Demand | None:
        call = node.call
        if call.function == "has" and len(call.arguments) == 1:
            self._guarded(call.arguments[0], names)
            return None
        if call.target is None:
            return None
        if call.function in _MACROS:
            return self._loop(call, call.target, names)
        if call.function in ("optMap", "optFlatMap") and len(call.arguments) == 2:
            return self._bound(call.arguments[0], self.read(call.target, names), call.arguments[1], names)
        if call.function == "bind" and len(call.arguments) == 3:
            return self._bound(call.arguments[0], self.read(call.arguments[1], names), call.arguments[2], names)
        for each in call.arguments:
            self.read(each, names)
        return None

    def _bound(self, variable: ast.Node, value: Demand | None, body: ast.Node, names: Names) -> Demand | None:
        name = variable.name if isinstance(variable, ast.Identifier) else ""
        return self.read(body, {**names, name: value or Demand()})

    def _loop(self, call: ast.Call, target: ast.Node, names: Names, *, truth: bool = True) -> Demand | None:
        """Read a macro over elements; return the list that it gives, where that is made of a list's elements."""
        elements = self.read(target, names) or Demand()
        is_pair = _has_two_variables(call)
        variables = [each.name for each in call.arguments[: 1 + is_pair] if isinstance(each, ast.Identifier)]
        bodies = call.arguments[1 + is_pair :]
        if MAP not in elements.types and not is_pair:
            elements.ask_type(LIST)
        selects = call.function in ("exists", "exists_one", "existsOne", "filter")
        row = elements.row() if selects and truth else elements.each()
        here = {**names, **dict.fromkeys(variables[:-1], Demand()), **dict.fromkeys(variables[-1:], row)}
        if call.function in ("exists", "exists_one", "existsOne", "all", "filter"):
            for each in bodies:
                self.hold(each, here, truth or call.function == "filter")
            return Demand(same=row) if call.function == "filter" else None
        for each in bodies[:-1]:
            self.hold(each, here)
        made = self.read(bodies[-1], here) if bodies else None
        return Demand(same=row if call.function == "sortBy" else made) if made or call.function == "sortBy" else None


def _literal(node: ast.Node) -> bool | float | str | None:
    """Return the value of a literal; None for null, bytes and anything else."""
    match node:
        case ast.Literal(value=bool() | int() | float() | str() as value):
            return value
        case ast.Call(function=ast.Operator.NEGATE, arguments=(ast.Literal(value=int() | float() as value),)):
            return -value
    return None


def _literal_type(node: ast.Node) -> str:
    """Return the type of what a node gives where that can be seen in the text."""
    match node:
        case ast.Literal(value=bool()):
            return BOOLEAN
        case ast.Literal(value=str()) | ast.Call(function="string" | "join" | "format"):
            return TEXT
        case ast.Literal(value=int()) | ast.Call(function="size" | "int"):
            return INTEGER
        case ast.Literal(value=float()) | ast.Call(function="double"):
            return NUMBER
        case ast.ListLiteral() | ast.MacroCall(call=ast.Call(function="map" | "filter")):
            return LIST
        case ast.MapLiteral():
            return MAP
    return ""


def _number_type(nodes: tuple[ast.Node, ...]) -> str:
    return next((each for each in map(_literal_type, nodes) if each in (INTEGER, NUMBER)), INTEGER)


def _terms(node: ast.Node) -> list[ast.Node]:
    """Return what a chain of additions adds, from left to right."""
    found: list[ast.Node] = []
    while isinstance(node, ast.Call) and node.function == ast.Operator.ADD:
        node, last = node.arguments
        found.append(last)
    return [node, *reversed(found)]


def _measured(node: ast.Node) -> ast.Node | None:
    match node:
        case ast.Call(function="size", target=None, arguments=(inner,)):
            return inner
        case ast.Call(function="size", target=target, arguments=()):
            return target
    return None


def _read_as(found: Demand, form: str) -> Demand:
    asked = found.read_as(form)
    if form in _READ_TYPES:
        asked.ask_type(_READ_TYPES[form])
    return asked


def _has_two_variables(call: ast.Call) -> bool:
    count = len(call.arguments)
    if call.function.startswith("transform"):
        return True
    return call.function != "map" and count >= 3
