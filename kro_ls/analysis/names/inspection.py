"""The names and functions that an expression uses, found without types, exactly as kro finds its dependencies.

Source: kro `pkg/cel/ast/inspector.go`. A macro's variables hide a resource of the same name everywhere inside the
macro, its range included: kro then sees no dependency.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from kro_ls.cel.syntax import ast
from kro_ls.kro.environment import FUNCTIONS, parse
from kro_ls.queries.cells import Interned, cached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.syntax.parser import ParseResult
    from kro_ls.queries.cells import Cells


class NameUse(Struct, frozen=True, gc=False):
    """A name that no macro of the expression declares; `path` are the fields selected from it, as far as plain."""

    name: str
    node: ast.Identifier
    path: tuple[str, ...]


class LocalVariable(Struct, frozen=True, gc=False):
    """A variable that a macro declares, where it is written, and where it is used (offsets in the CEL text)."""

    name: str
    span: ast.Span
    scope: ast.Span
    uses: tuple[ast.Identifier, ...]


class Inspection(Struct, frozen=True, eq=False, weakref=True):
    """What an expression refers to, in the order of its text; nothing is left out when a name occurs twice.

    `words` are the names and the variables, each once, in the order of the alphabet. `is_plain_read` means that the
    expression is a name, or a field of it: half of them are, and most checks find nothing there.
    """

    text: str
    parsed: ParseResult
    names: tuple[NameUse, ...]
    unknown_functions: tuple[ast.Call, ...]
    omit_calls: tuple[ast.Call, ...]
    variables: tuple[LocalVariable, ...]
    words: tuple[str, ...]
    is_plain_read: bool
    cells: Cells = field(default_factory=dict)


_living: Final[Interned[str, Inspection]] = Interned()


def inspect(text: str) -> Inspection:
    """Return what the CEL text refers to: the same object for the same text as long as it is alive.

    A text with syntax errors is inspected as far as it could be parsed.
    """
    return _living.value(text, _inspect, text)


def _inspect(text: str) -> Inspection:
    parsed = parse(text)
    inspector = _Inspector()
    inspector.run(parsed.root)
    names, variables = tuple(inspector.names.values()), tuple(inspector.local_variables())
    return Inspection(
        text,
        parsed,
        names,
        tuple(inspector.unknown_functions.values()),
        tuple(inspector.omit_calls.values()),
        variables,
        tuple(sorted({use.name for use in names} | {variable.name for variable in variables})),
        _is_plain_read(parsed.root),
    )


def _is_plain_read(node: Node) -> bool:
    while type(node) is ast.Select:
        node = node.operand
    return type(node) is ast.Identifier


def selected_path(node: Node) -> tuple[str, ...]:
    """Return the name and the fields of a selection such as `schema.spec.name`; empty for anything else."""
    fields: list[str] = []
    while isinstance(node, ast.Select):
        fields.append(node.field)
        node = node.operand
    return (node.name, *reversed(fields)) if isinstance(node, ast.Identifier) else ()


@cached
def calls_in(inspection: Inspection) -> tuple[ast.Call, ...]:
    """Return the calls of an expression, operators included, each after what it stands in."""
    if inspection.is_plain_read:
        return ()
    return tuple([node for node in ast.walk(inspection.parsed.root) if type(node) is ast.Call])


class _Scope(Struct, frozen=True, eq=False, gc=False):
    """The variables that the macros around a node declare."""

    names: frozenset[str]
    parent: _Scope | None
    comprehension: ast.Comprehension | None


class _Inspector:
    """Walks the expanded tree; a user's node that a macro repeats is recorded once."""

    def __init__(self) -> None:
        self.names: dict[Node, NameUse] = {}
        self.unknown_functions: dict[Node, ast.Call] = {}
        self.omit_calls: dict[Node, ast.Call] = {}
        self._comprehensions: dict[ast.Comprehension, None] = {}
        self._uses: dict[tuple[ast.Comprehension, str], dict[ast.Identifier, None]] = {}

    def run(self, root: Node) -> None:
        pending: list[tuple[Node, _Scope, tuple[str, ...]]] = [(root, _Scope(frozenset(), None, None), ())]
        while pending:
            node, scope, path = pending.pop()
            # A failing `isinstance` of a Struct takes five times as long.
            if type(node) is ast.Select:
                pending.append((node.operand, scope, (node.field, *path) if node.field else path))
            elif type(node) is ast.Identifier:
                self._name(node, scope, path)
            else:
                pending.extend(reversed(list(self._below(node, scope, path))))

    def _below(
        self, node: Node, scope: _Scope, path: tuple[str, ...]
    ) -> Iterator[tuple[Node, _Scope, tuple[str, ...]]]:
        if type(node) is ast.Call:
            yield from self._call(node, scope, path)
        elif type(node) is ast.MacroCall:
            yield node.expansion, scope, path
        elif type(node) is ast.Comprehension:
            self._comprehensions[node] = None
            declared = {node.variable, node.accumulator, *([node.variable2] if node.variable2 else [])}
            inner = _Scope(scope.names | declared, scope, node)
            yield node.initializer, inner, ()
            yield node.range, inner, path
            yield from ((part, inner, ()) for part in (node.condition, node.step, node.result))
        else:
            yield from ((child, scope, ()) for child in ast.children(node))

    def _name(self, node: ast.Identifier, scope: _Scope, path: tuple[str, ...]) -> None:
        if node.name in scope.names:
            enclosing: _Scope | None = scope
            while enclosing and enclosing.comprehension:
                comprehension = enclosing.comprehension
                if node.name in (comprehension.variable, comprehension.variable2, comprehension.accumulator):
                    if node.end - node.start == len(node.name):
                        # A name that the macro itself adds has the span of the whole macro.
                        self._uses.setdefault((comprehension, node.name), {})[node] = None
                    return
                enclosing = enclosing.parent
        elif node.name and not node.name.startswith(("@", "$$")):
            self.names[node] = NameUse(node.name, node, path)

    def _call(
        self, node: ast.Call, scope: _Scope, path: tuple[str, ...]
    ) -> Iterator[tuple[Node, _Scope, tuple[str, ...]]]:
        if node.target is None:
            # kro takes the dot of `.size(x)` for a part of the name, which it then does not know.
            known = node.function in FUNCTIONS and not node.leading_dot
            if known and node.function == "omit":
                self.omit_calls[node] = node
            elif node.function and not known:
                self.unknown_functions[node] = node
        elif f"{_dotted_name(node.target)}.{node.function}" not in FUNCTIONS:
            yield node.target, scope, path
        yield from ((argument, scope, ()) for argument in node.arguments)

    def local_variables(self) -> Iterator[LocalVariable]:
        for node in self._comprehensions:
            scope = (node.start, node.end)
            for name, span in (
                (node.variable, node.variable_span),
                (node.variable2, node.variable2_span),
                (node.accumulator, node.accumulator_span),
            ):
                if name and span:
                    yield LocalVariable(name, span, scope, tuple(self._uses.get((node, name), ())))


def _dotted_name(node: Node) -> str:
    """Return the text of a plain chain of names (`lists`, `a.b`), or an empty string for anything else."""
    fields: list[str] = []
    while isinstance(node, ast.Select) and not node.optional and not node.test_only:
        fields.append(node.field)
        node = node.operand
    if not isinstance(node, ast.Identifier):
        return ""
    return ".".join([node.name, *reversed(fields)])
