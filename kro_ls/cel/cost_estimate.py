"""Estimates what evaluating a checked expression can cost, as cel-go does before Kubernetes takes a rule.

Source: cel-go 0.26 `checker/cost.go`, in which `has()` costs nothing (apiserver `pkg/cel/environment/base.go`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.cel.cost_of_calls import (
    MOST,
    NEW_LIST,
    NOTHING,
    ONE,
    PATTERN,
    TRAVERSAL,
    UNKNOWN,
    CallCost,
    Operand,
    Range,
    call_cost,
    fixed,
)
from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Identifier,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructLiteral,
)
from kro_ls.cel.syntax.macros import ACCUMULATOR, is_binding, meaning
from kro_ls.cel.types.types import DYN, Kind
from kro_ls.cel.types.unification import Resolution

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.types import Type

Path: TypeAlias = tuple[str, ...]
"""The way to a value: a variable, then fields, `@items`, `@indices`, `@keys` and `@values`."""

_NEW_MAP: Final = fixed(30)
_NEW_STRUCT: Final = fixed(40)
_SCALARS = frozenset({Kind.BOOL, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.TIMESTAMP, Kind.UINT})


def greatest_cost(root: Node, checked: CheckResult, size_of: Callable[[Path], int | None]) -> int | None:
    """Return what an expression without errors costs at most, None if it is nested too deeply.

    `size_of` returns how large the value at a path can be, None if that has no bound.
    """
    try:
        return _Estimator(checked, size_of).cost(root).most
    except RecursionError:
        return None


class _Entries(Struct, frozen=True):
    """The sizes of the keys and values of a list or map that the expression makes itself."""

    is_list: bool
    key: Range
    value: Range

    def union(self, other: _Entries | None) -> _Entries | None:
        return other and _Entries(self.is_list, self.key.union(other.key), self.value.union(other.value))


class _Local(Struct, frozen=True):
    """A variable that a macro declares."""

    path: Path
    size: Range | None
    entries: _Entries | None = None


class _Estimator:
    def __init__(self, checked: CheckResult, size_of: Callable[[Path], int | None]) -> None:
        self._checked = checked
        self._size_of = size_of
        self._paths: dict[Node, Path] = {}
        self._sizes: dict[Node, Range] = {}
        self._entries: dict[Node, _Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def cost(self, node: Node) -> Range:
        match node := meaning(node):
            case Identifier():
                local = self._local(node)
                self._paths[node] = local.path if local else (node.name,)
                return ONE
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case StructLiteral():
                return self._sum(*(field.value for field in node.fields)).plus(_NEW_STRUCT)
            case Comprehension():
                return self._bind(node) if is_binding(node) else self._loop(node)
            case _:
                return NOTHING

    def _sum(self, *nodes: Node) -> Range:
        total = NOTHING
        for node in nodes:
            total = total.plus(self.cost(node))
        return total

    # Selections

    def _select(self, node: Select) -> Range:
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        if node.optional:
            return cost.plus(ONE)
        if self._type(node.operand).kind in (Kind.MAP, Kind.STRUCT, Kind.TYPE_PARAMETER):
            cost = cost.plus(ONE)
        self._paths[node] = (*self._path(node.operand), node.field)
        return cost

    # Literals

    def _list(self, node: ListLiteral) -> Range:
        cost = self._sum(*node.elements)
        self._entries[node] = _Entries(is_list=True, key=ONE, value=self._union(node.elements))
        return cost.plus(NEW_LIST)

    def _map(self, node: MapLiteral) -> Range:
        keys, values = [entry.key for entry in node.entries], [entry.value for entry in node.entries]
        cost = self._sum(*keys, *values)
        self._entries[node] = _Entries(is_list=False, key=self._union(keys), value=self._union(values))
        return cost.plus(_NEW_MAP)

    def _union(self, nodes: tuple[Node, ...] | list[Node]) -> Range:
        found = Range(MOST, 0) if nodes else NOTHING
        for node in nodes:
            found = found.union(self._size(node) or UNKNOWN)
        return found

    # Calls

    def _call(self, node: Call) -> Range:
        if node.function == "dyn" and len(node.arguments) == 1:
            cost = self.cost(node.arguments[0]).plus(ONE)
            self._copy(node, node.arguments[0])
            return cost
        costs = [self.cost(argument) for argument in node.arguments]
        arguments = tuple(map(self._operand, node.arguments))
        resolution = self._checked.references.get(node)
        if not isinstance(resolution, Resolution):
            return NOTHING
        function, is_method = resolution.function.name, resolution.overloads[0].is_member
        total, target = NOTHING, None
        if is_method and node.target is not None:
            total, target = self.cost(node.target), self._operand(node.target)
        cost, size = Range(MOST, 0), None
        for overload in resolution.overloads:
            this_cost, this_size = self._overload(node, function, overload.id, target, arguments, costs)
            cost = cost.union(this_cost)
            if this_size is not None:
                size = size.union(this_size) if size else this_size
            if overload.id in _INDEXES:
                entries = self._entries_of(node.arguments[0])
                size = entries.value if entries else None
                self._paths[node] = (*self._path(node.arguments[0]), _INDEXES[overload.id])
            size = size or self._size(node)
        if size is not None:
            self._sizes[node] = size
        return total.plus(cost)

    def _overload(
        self,
        node: Call,
        function: str,
        overload: str,
        target: Operand | None,
        arguments: tuple[Operand, ...],
        costs: list[Range],
    ) -> tuple[Range, Range | None]:
        """Return the cost with that of the arguments, and the size of the result if it is known."""
        operands = NOTHING
        for cost in costs:
            operands = operands.plus(cost)
        found = call_cost(function, overload, target, arguments) or _text_cost(overload, target, arguments)
        if found is not None:
            return found.cost.plus(operands), found.result_size
        sizes = [argument.known_size or UNKNOWN for argument in arguments]
        match overload:
            case "logical_or" | "logical_and":
                return Range(costs[0].least, costs[0].plus(costs[1]).most), None
            case "conditional":
                self._join_entries(node, node.arguments[1], node.arguments[2])
                return costs[0].plus(costs[1].union(costs[2])), sizes[1].union(sizes[2])
            case "add_string" | "add_bytes" | "add_list":
                self._join_entries(node, *node.arguments)
                size = sizes[0].plus(sizes[1])
                cost = ONE if overload == "add_list" else size.scaled(TRAVERSAL)
                return cost.plus(operands), size
        return ONE.plus(operands), None

    def _join_entries(self, node: Node, first: Node, second: Node) -> None:
        left, right = self._entries_of(first), self._entries_of(second)
        joined = left.union(right) if left else None
        if joined:
            self._entries[node] = joined

    # Macros

    def _loop(self, node: Comprehension) -> Range:
        total = self._sum(node.range, node.initializer)
        self._declare(node.accumulator, node.initializer)
        over = node.range
        if node.variable2 is None:
            is_list = self._is_list(over)
            self._iterate(node.variable, over, "@items" if is_list else "@keys", is_value=is_list)
        else:
            self._iterate(node.variable, over, "@indices" if self._is_list(over) else "@keys", is_value=False)
            self._iterate(node.variable2, over, "@items" if self._is_list(over) else "@values", is_value=True)
        turn = self.cost(node.condition)
        turn = self.cost(node.step).plus(turn)
        self._locals[node.variable].pop()
        if node.variable2 is not None:
            self._locals[node.variable2].pop()
        total = total.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        count = self._size(over) or UNKNOWN
        match meaning(node.initializer):
            case Literal():
                self._sizes[node] = ONE
            case ListLiteral() | MapLiteral():
                self._sizes[node] = count
                entries = self._entries_of(node.step)
                if entries:
                    self._entries[node] = entries
        return total.plus(count.times(turn))

    def _bind(self, node: Comprehension) -> Range:
        total = self._sum(node.range, node.initializer)
        self._declare(node.accumulator, node.initializer)
        total = total.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        self._copy(node, node.result)
        return total

    def _declare(self, name: str, value: Node) -> None:
        local = _Local(self._path(value), self._size(value), self._entries_of(value))
        self._locals.setdefault(name, []).append(local)

    def _iterate(self, name: str, over: Node, step: str, *, is_value: bool) -> None:
        entries = self._entries_of(over)
        size = None if entries is None else entries.value if is_value else entries.key
        self._locals.setdefault(name, []).append(_Local((*self._path(over), step), size))

    def _is_list(self, over: Node) -> bool:
        entries = self._entries_of(over)
        return entries.is_list if entries else self._type(over).kind is Kind.LIST

    # What is known of a node

    def _local(self, node: Node) -> _Local | None:
        stack = self._locals.get(node.name) if isinstance(node, Identifier) else None
        return stack[-1] if stack else None

    def _type(self, node: Node) -> Type:
        return self._checked.types.get(meaning(node), DYN)

    def _path(self, node: Node) -> Path:
        node = meaning(node)
        local = self._local(node)
        return local.path if local else self._paths.get(node, ())

    def _copy(self, to: Node, source: Node) -> None:
        size, entries = self._size(source), self._entries_of(source)
        if size is not None:
            self._sizes[to] = size
        if entries is not None:
            self._entries[to] = entries

    def _entries_of(self, node: Node) -> _Entries | None:
        node = meaning(node)
        local = self._local(node)
        return self._entries.get(node) or (local.entries if local else None)

    def _size(self, node: Node) -> Range | None:
        """Return how large the value of a node is, None if that is not known."""
        node = meaning(node)
        found = self._sizes.get(node) or _literal_size(node) or self._size_at(self._path(node))
        if found is not None:
            self._sizes[node] = found
            return found
        kind = self._type(node)
        while kind.is_optional:
            kind = kind.parameters[0]
        if kind.kind in _SCALARS:
            return ONE
        local = self._local(node)
        return local.size if local else None

    def _size_at(self, path: Path) -> Range | None:
        most = self._size_of(path) if path else None
        return None if most is None else Range(0, most)

    def _operand(self, node: Node) -> Operand:
        node = meaning(node)
        path = self._path(node)
        if path and path[0] == ACCUMULATOR:
            path = ()
        known = self._size(node)
        items = self._size_at((*path, "@items")) if path else None
        return Operand(node, self._type(node), known or UNKNOWN, known, items or UNKNOWN)


_INDEXES: Final = {"index_list": "@items", "index_map": "@values"}
_COMPARISONS: Final = frozenset(
    {
        "equals",
        "not_equals",
        *(
            f"{comparison}_{kind}"
            for comparison in ("less", "less_equals", "greater", "greater_equals")
            for kind in ("string", "bytes")
        ),
    }
)


def _text_cost(overload: str, target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
    """Return the cost of what looks at texts and lists, None for another call."""
    sizes = [argument.known_size or UNKNOWN for argument in arguments]
    receiver = (target.known_size or UNKNOWN) if target else UNKNOWN
    if overload in _COMPARISONS:
        most = min(sizes[0].most, sizes[1].most)
        return CallCost(Range(1 if most else 0, most).scaled(TRAVERSAL))
    match overload:
        case "string_format":
            return CallCost(receiver.scaled(TRAVERSAL))
        case "string_to_bytes":
            return CallCost(sizes[0].scaled(TRAVERSAL), Range(sizes[0].least, sizes[0].most * 4 % 2**64))
        case "bytes_to_string":
            return CallCost(sizes[0].scaled(TRAVERSAL), Range(sizes[0].least // 4, sizes[0].most))
        case "strings_quote":
            size = Range(sizes[0].least + 2, (sizes[0].most * 2 + 2) % 2**64)
            return CallCost(sizes[0].scaled(TRAVERSAL), size)
        case "starts_with_string" | "ends_with_string":
            return CallCost(sizes[0].scaled(TRAVERSAL))
        case "in_list":
            return CallCost(sizes[1])
        case "matches_string":
            return CallCost(receiver.plus(ONE).scaled(TRAVERSAL).times(sizes[0].scaled(PATTERN)))
        case "contains_string":
            return CallCost(receiver.scaled(TRAVERSAL).times(sizes[0].scaled(TRAVERSAL)))
        case _:
            return None


def _literal_size(node: Node) -> Range | None:
    match node:
        case Literal(value=str() | bytes() as value):
            return fixed(len(value))
        case Literal():
            return ONE
        case ListLiteral():
            return fixed(len(node.elements))
        case MapLiteral():
            return fixed(len(node.entries))
        case _:
            return None
