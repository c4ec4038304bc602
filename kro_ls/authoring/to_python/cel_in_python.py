"""CEL trees as expressions of Python: operators, attributes, and the functions of `kro_ls.authoring.cel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.python_fields import python_name
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.ast import LiteralKind, Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import UnionType

_BINARY: Final = {
    Operator.OR: ("|", 4),
    Operator.AND: ("&", 6),
    Operator.EQUALS: ("==", 3),
    Operator.NOT_EQUALS: ("!=", 3),
    Operator.LESS: ("<", 3),
    Operator.LESS_EQUALS: ("<=", 3),
    Operator.GREATER: (">", 3),
    Operator.GREATER_EQUALS: (">=", 3),
    Operator.ADD: ("+", 8),
    Operator.SUBTRACT: ("-", 8),
    Operator.MULTIPLY: ("*", 9),
    Operator.DIVIDE: ("//", 9),
    Operator.MODULO: ("%", 9),
}
"""The signs of Python, and how tightly they bind there; `//` builds CEL's `/` of any numbers."""
_UNARY: Final = {Operator.NOT: "~", Operator.NEGATE: "-"}
_UNARY_RANK: Final = 10
_WHOLE: Final = 12
_COMPARISONS: Final = 3
_NUMBERS: Final = (LiteralKind.INT, LiteralKind.DOUBLE)
_LITERALS: Final = frozenset({LiteralKind.NULL, LiteralKind.BOOL, LiteralKind.STRING, *_NUMBERS})


class NotInPythonError(Exception):
    """The expression, or a part that cannot be written as text by itself, has no form in Python."""


class Python(Struct, frozen=True):
    """An expression of Python, how tightly it binds, and whether it is a constant that Python would compute."""

    text: str
    rank: int = _WHOLE
    is_constant: bool = False

    def within(self, rank: int) -> str:
        """Return the text as an operand of what binds so tightly."""
        return self.text if self.rank >= rank else f"({self.text})"


class CelInPython:
    """Writes the expressions of a definition. `names` maps its names to those in Python."""

    def __init__(self, text: str, names: Mapping[str, str], namespaces: Iterable[str]) -> None:
        self._text = text
        self._names = dict(names)
        self._namespaces = frozenset(namespaces)
        self.texts = 0
        """How many parts had to stay CEL as text."""
        self.used: set[str] = set()
        """The names that the expression reads as Python."""

    def of(self, root: ast.Node) -> str:
        """Return an expression of Python. Raises NotInPythonError."""
        found = self._of(root)
        return self._as_text(root).text if found.is_constant and not isinstance(root, ast.Literal) else found.text

    def _of(self, node: ast.Node) -> Python:
        match node:
            case ast.Literal():
                return _literal(node)
            case ast.Identifier():
                return self._name(node)
            case ast.Select():
                return self._selected(node)
            case ast.ListLiteral() if not node.optional_indices:
                return self._items([self._part(each) for each in node.elements])
            case ast.MapLiteral() if not any(each.optional for each in node.entries):
                return self._map(node)
            case ast.MacroCall():
                return self._macro(node.call)
            case ast.Call():
                return self._call(node)
            case _:
                raise NotInPythonError

    def _part(self, node: ast.Node, uncomputed: type | UnionType = ast.Literal) -> Python:
        """Return a part of an expression, as text where Python has nothing for it or would compute it."""
        try:
            found = self._of(node)
        except NotInPythonError:
            return self._as_text(node)
        return self._as_text(node) if found.is_constant and not isinstance(node, uncomputed) else found

    def _given(self, node: ast.Node) -> Python:
        """Return an argument of a function: constant lists and maps are not computed, unlike operators."""
        return self._part(node, ast.Literal | ast.ListLiteral | ast.MapLiteral)

    def _as_text(self, node: ast.Node) -> Python:
        """Return a part as CEL. Raises NotInPythonError where it has a variable of a loop, which Python renames."""
        if any(isinstance(each, ast.Identifier) and each.name in self._variables for each in ast.walk(node)):
            raise NotInPythonError
        self.texts += 1
        return Python(f"cel.expression({python_text(self._text[node.start : node.end])})")

    @property
    def _variables(self) -> set[str]:
        return {name for name, python in self._names.items() if python.endswith(_LOOP)}

    def _name(self, node: ast.Identifier) -> Python:
        if node.leading_dot or node.name not in self._names or node.name == "schema":
            raise NotInPythonError
        self.used.add(node.name)
        return Python(self._names[node.name].removesuffix(_LOOP))

    def _selected(self, node: ast.Select) -> Python:
        if node.optional or node.test_only or not node.field or "`" in self._text[slice(*node.field_span)]:
            raise NotInPythonError
        above = node.operand
        if isinstance(above, ast.Identifier) and above.name == "schema" and "schema" in self._names:
            if node.field not in ("spec", "metadata"):
                raise NotInPythonError
            return Python(node.field)
        if "__" in node.field:
            raise NotInPythonError  # an escaped name
        operand = self._of(above)  # a chain of fields becomes text as a whole
        if operand.is_constant:
            raise NotInPythonError
        return Python(f"{operand.within(_WHOLE)}{attribute(node.field)}")

    def _items(self, items: list[Python]) -> Python:
        is_constant = all(each.is_constant for each in items)
        return Python(f"[{', '.join(each.text for each in items)}]", is_constant=is_constant)

    def _map(self, node: ast.MapLiteral) -> Python:
        entries = [(self._part(each.key), self._part(each.value)) for each in node.entries]
        if not all(key.is_constant for key, _ in entries):
            raise NotInPythonError  # a reference is no key of a dictionary
        text = ", ".join(f"{key.text}: {value.text}" for key, value in entries)
        return Python(f"{{{text}}}", is_constant=all(value.is_constant for _, value in entries))

    def _call(self, node: ast.Call) -> Python:
        if node.leading_dot:
            raise NotInPythonError
        if node.target is None and node.function in _BINARY:
            return self._binary(node)
        arguments = [self._given(each) for each in node.arguments]
        if node.target is not None:
            return self._method(node, node.target, arguments)
        if node.function in _UNARY:
            operand = arguments[0]
            text = f"{_UNARY[node.function]}{operand.within(_UNARY_RANK)}"
            return Python(text, _UNARY_RANK, operand.is_constant)
        if node.function == Operator.INDEX:
            if arguments[0].is_constant:
                raise NotInPythonError
            return Python(f"{arguments[0].within(_WHOLE)}[{arguments[1].text}]")
        if node.function == Operator.CONDITIONAL:
            tested, first, second = (each.text for each in arguments)
            return Python(f"when({tested}).then({first}).otherwise({second})")
        if node.function == Operator.IN:
            return self._contained(arguments)
        if not node.function.isidentifier():
            raise NotInPythonError
        return self._function(node.function, arguments)

    def _contained(self, arguments: list[Python]) -> Python:
        item, values = arguments
        is_constant = item.is_constant and values.is_constant
        return Python(
            f"{item.within(_COMPARISONS + 1)} in {values.within(_COMPARISONS + 1)}", _COMPARISONS, is_constant
        )

    def _binary(self, node: ast.Call) -> Python:
        sign, rank = _BINARY[node.function]
        left, right = (self._part(each) for each in node.arguments)
        is_comparison = rank == _COMPARISONS
        if left.is_constant and not right.is_constant and is_comparison and sign not in ("==", "!="):
            left = self._as_text(node.arguments[0])  # Python would turn the comparison round
        text = f"{left.within(rank + is_comparison)} {sign} {right.within(rank + 1)}"
        return Python(text, rank, left.is_constant and right.is_constant)

    def _method(self, node: ast.Call, target: ast.Node, arguments: list[Python]) -> Python:
        if isinstance(target, ast.Identifier) and target.name in self._namespaces - self._names.keys():
            return self._function(f"{target.name}.{node.function}", arguments)
        return self._function(node.function, [self._given(target), *arguments])

    def _function(self, path: str, arguments: list[Python]) -> Python:
        name = ".".join(python_name(each) for each in path.split("."))
        return Python(f"cel.{name}({', '.join(each.text for each in arguments)})")

    def _macro(self, call: ast.Call) -> Python:
        if call.target is None:  # has(...), and others with a plain argument
            return self._function(call.function, [self._of(each) for each in call.arguments])
        is_bind = isinstance(call.target, ast.Identifier) and call.target.name == "cel"
        variables, bodies = _variables(call, is_bind=is_bind)
        value = bodies.pop(0) if is_bind else call.target
        given = [self._given(value).text]
        inner = CelInPython(
            self._text, self._names | {name: f"{python_name(name)}{_LOOP}" for name in variables}, self._namespaces
        )
        parameters = ", ".join(map(python_name, variables))
        given += (f"lambda {parameters}: {inner._part(each).text}" for each in bodies)
        self.texts += inner.texts
        self.used |= inner.used
        return Python(f"cel.{python_name(call.function)}({', '.join(given)})")


_LOOP: Final = "\0"
"""Ends the Python name of a loop variable."""


def _variables(call: ast.Call, *, is_bind: bool) -> tuple[list[str], list[ast.Node]]:
    """Return the variables of a macro, and its other arguments. Raises NotInPythonError."""
    arguments = list(call.arguments)
    is_test = call.function in ("all", "exists", "exists_one", "existsOne") and len(arguments) == 3
    count = 2 if not is_bind and (is_test or call.function.startswith("transform")) else 1
    found = []
    for each in arguments[:count]:
        if not isinstance(each, ast.Identifier):
            raise NotInPythonError
        found.append(each.name)
    if not arguments[count:] or not found:
        raise NotInPythonError
    return found, arguments[count:]


def _literal(node: ast.Literal) -> Python:
    if node.kind not in _LITERALS:
        raise NotInPythonError
    if isinstance(node.value, str):
        return Python(python_text(node.value), is_constant=True)
    rank = (
        _UNARY_RANK if node.kind in _NUMBERS and not isinstance(node.value, bytes | None) and node.value < 0 else _WHOLE
    )
    if node.kind is LiteralKind.INT:  # an attribute of a number needs parentheses; CEL has none
        return Python(str(node.value), rank, is_constant=True)
    return Python(repr(node.value), rank, is_constant=True)


def attribute(name: str) -> str:
    """Return what selects a field in Python."""
    if name.isidentifier() and name.isascii() and not name.startswith("_"):
        return f".{python_name(name)}"
    return f"[{python_text(name)}]"


def python_text(text: str) -> str:
    """Return a text as a literal of Python, in double quotes where that needs no escape."""
    shown = repr(text)
    if shown.startswith("'") and '"' not in text and "\\'" not in shown:
        return f'"{shown[1:-1]}"'
    return shown
