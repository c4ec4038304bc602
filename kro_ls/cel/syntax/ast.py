"""The CEL syntax tree: immutable nodes with their places in the expression text.

Every node has `start` and `end`, the half-open span of the whole sub-expression, and `position`, the offset of the
token where cel-go reports errors of that node. All three are 0-based code point offsets into the expression text.
Surrounding parentheses belong to no node of their own: `(a).b` gives `Select(start=0)` around `Identifier(start=1)`.

Nodes compare and hash by identity, so that facts about them (types, references) can be stored in dicts keyed by node.

Operators are `Call`s without target, named as in cel-go (`Operator`); only selection has a node of its own, because
editors and checkers treat the field name specially.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

T = TypeVar("T")

Span: TypeAlias = tuple[int, int]


class LiteralKind(StrEnum):
    """The CEL type of a literal."""

    NULL = "null"
    BOOL = "bool"
    INT = "int"
    UINT = "uint"
    DOUBLE = "double"
    STRING = "string"
    BYTES = "bytes"


class Operator:
    """The function names of operators, as cel-go and the standard library declare them."""

    CONDITIONAL = "_?_:_"
    OR = "_||_"
    AND = "_&&_"
    NOT = "!_"
    NEGATE = "-_"
    EQUALS = "_==_"
    NOT_EQUALS = "_!=_"
    LESS = "_<_"
    LESS_EQUALS = "_<=_"
    GREATER = "_>_"
    GREATER_EQUALS = "_>=_"
    IN = "@in"
    ADD = "_+_"
    SUBTRACT = "_-_"
    MULTIPLY = "_*_"
    DIVIDE = "_/_"
    MODULO = "_%_"
    INDEX = "_[_]"
    OPTIONAL_INDEX = "_[?_]"
    NOT_STRICTLY_FALSE = "@not_strictly_false"
    """Only in macro expansions: the loop condition of `all` and `exists`."""
    OPTIONAL_SELECT = "_?._"
    """Never the function of a `Call`: `a.?b` is `Select(optional=True)`; cel-go's messages use this name."""


INDICES: Final = (Operator.INDEX, Operator.OPTIONAL_INDEX)
"""The functions of `a[b]` and `a[?b]`."""


class Placed(Struct, frozen=True, eq=False, gc=False):
    """A node, or an entry or field of one, with its place."""

    start: int
    end: int
    position: int


class Literal(Placed, frozen=True, eq=False, gc=False):
    """A constant; `value` has the Python type of its kind (int for INT and UINT), with the `-` before a number."""

    value: bool | int | float | str | bytes | None
    kind: LiteralKind


class Identifier(Placed, frozen=True, eq=False, gc=False):
    """A name, without the dot of `.name`, for which `leading_dot` is set. `position` is that of the first letter."""

    name: str
    leading_dot: bool = False

    @property
    def declared_name(self) -> str:
        """The name that a variable is declared under; cel-go keeps a leading dot."""
        return "." + self.name if self.leading_dot else self.name


class Select(Placed, frozen=True, eq=False, gc=False):
    """`operand.field`, `operand.?field` (`optional`) or, in the expansion of `has()`, a presence test (`test_only`).

    `field` is without backticks and empty when it is not there yet (`a.`). `field_span` is the name as written, with
    backticks. `position` is the dot; cel-go gives the string literal of `a.?b` the position `field_span[0]`.
    """

    operand: Node
    field: str
    field_span: Span
    optional: bool = False
    test_only: bool = False


class Call(Placed, frozen=True, eq=False, gc=False):
    """`function(arguments)`, `target.function(arguments)`, or an operator (`target` is None, see `Operator`).

    `name_span` is the function name, or the operator's token (`?` of a conditional, `[` of an index). `position` is
    the `(`, or the operator's token. `.f(x)` has `leading_dot`. An unclosed call ends where the next token starts.
    """

    function: str
    target: Node | None
    arguments: tuple[Node, ...]
    name_span: Span
    leading_dot: bool = False


class ListLiteral(Placed, frozen=True, eq=False, gc=False):
    """`[a, ?b]`; `optional_indices` are the indices of the elements marked with `?`. `position` is the `[`."""

    elements: tuple[Node, ...]
    optional_indices: tuple[int, ...] = ()


class MapEntry(Placed, frozen=True, eq=False, gc=False):
    """One `key: value` of a map literal; `position` is the colon."""

    key: Node
    value: Node
    optional: bool = False


class MapLiteral(Placed, frozen=True, eq=False, gc=False):
    """`{key: value}`; `position` is the `{`."""

    entries: tuple[MapEntry, ...]


class StructField(Placed, frozen=True, eq=False, gc=False):
    """One `name: value` of a struct literal; `name` is without backticks, `position` is the colon."""

    name: str
    name_span: Span
    value: Node
    optional: bool = False


class StructLiteral(Placed, frozen=True, eq=False, gc=False):
    """`pkg.Type{name: value}`; `type_name` without spaces, with a leading dot if written. `position` is the `{`."""

    type_name: str
    type_name_span: Span
    fields: tuple[StructField, ...]


class Comprehension(Placed, frozen=True, eq=False, gc=False):
    """The loop that a macro stands for; it appears only inside `MacroCall.expansion`.

    `variable` runs over the elements (or keys) of `range`; with `variable2` the two are index and element, or key
    and value. `accumulator` starts as `initializer` and becomes `step` while `condition` holds; `result` is the value.
    The variables are visible in `condition` and `step`, the accumulator also in `result`. The spans are where the user
    wrote the variables, None for synthesised names (`cel.bind(x, ...)` has its span in `accumulator_span`).
    """

    range: Node
    variable: str
    variable2: str | None
    accumulator: str
    initializer: Node
    condition: Node
    step: Node
    result: Node
    variable_span: Span | None = None
    variable2_span: Span | None = None
    accumulator_span: Span | None = None


class MacroCall(Placed, frozen=True, eq=False, gc=False):
    """A macro: `call` as written, and the tree it stands for.

    The user's sub-expressions are the same objects in both, so a fact about a node in the expansion is one about
    the node as written; only names that declare variables, and the argument of `has()` itself, are in `call` alone.
    Nodes that the macro adds have the span of the call and the position of its `(`. A macro with a wrong argument
    expands to a `Hole`.
    """

    call: Call
    # Left out of repr: it shows the arguments again, which doubles the text with every nested macro.
    expansion: Node


class Hole(Placed, frozen=True, eq=False, gc=False):
    """A missing expression: the gap between the tokens around it, where a cursor would be. Checkers ignore it."""


Node: TypeAlias = (
    Literal | Identifier | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension | MacroCall | Hole
)


_CHILDREN: Final[Mapping[type[Node], Callable[[Any], tuple[Node, ...]]]] = {
    Select: lambda node: (node.operand,),
    Call: lambda node: node.arguments if node.target is None else (node.target, *node.arguments),
    ListLiteral: lambda node: node.elements,
    MapLiteral: lambda node: tuple(part for entry in node.entries for part in (entry.key, entry.value)),
    StructLiteral: lambda node: tuple(field.value for field in node.fields),
    Comprehension: lambda node: (node.range, node.initializer, node.condition, node.step, node.result),
    MacroCall: lambda node: (node.call,),
}


_LEAVES: Final = frozenset({Identifier, Literal, Hole})


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct sub-expressions in source order. A macro's only child is its call as written."""
    find = _CHILDREN.get(type(node))
    return find(node) if find else ()


def walk(root: Node) -> Iterator[Node]:
    """Yield `root` and everything below it as written, parents first, in source order."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if type(node) is Select:  # as half of the nodes are, and most others are leaves
            pending.append(node.operand)
        elif type(node) not in _LEAVES:
            pending.extend(reversed(children(node)))


def fold(root: Node, combine: Callable[[Node, list[T]], T], parts: Callable[[Node], tuple[Node, ...]] = children) -> T:
    """Return `combine(root, values)` where `values` are the folded `parts` of the node, computed without recursion."""
    values: list[T] = []
    pending: list[tuple[Node, int]] = [(root, -1)]
    while pending:
        node, count = pending.pop()
        if count < 0:
            below = parts(node)
            pending.append((node, len(below)))
            pending.extend((part, -1) for part in reversed(below))
        else:
            first = len(values) - count
            values[first:] = [combine(node, values[first:])]
    return values[0]


def path_at(root: Node, offset: int) -> tuple[Node, ...]:
    """Return the nodes as written that touch `offset`, from `root` to the innermost; empty when `root` does not.

    Both ends count as touching, so that a cursor right after a name finds the name.
    """
    path: list[Node] = []
    candidates: tuple[Node, ...] = (root,)
    while touching := [node for node in candidates if node.start <= offset <= node.end]:
        path.append(touching[-1])
        candidates = children(touching[-1])
    return tuple(path)


def node_at(root: Node, offset: int) -> Node | None:
    """Return the innermost node as written that touches `offset`."""
    path = path_at(root, offset)
    return path[-1] if path else None


def qualified_name(node: Node) -> list[str] | None:
    """Return `["a", "b", "c"]` for plain selections `a.b.c` (`[".a", ...]` for `.a.b`), None for anything else."""
    names: list[str] = []
    while type(node) is Select and not node.optional and not node.test_only:
        names.append(node.field)
        node = node.operand
    if type(node) is not Identifier:
        return None
    names.append("." + node.name if node.leading_dot else node.name)
    names.reverse()
    return names
