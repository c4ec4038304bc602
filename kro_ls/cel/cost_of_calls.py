"""What calls of the functions of Kubernetes' and cel-go's libraries cost, as ranges that never leave 64 bits.

Source: apiserver `pkg/cel/library/cost.go`; cel-go 0.26 `checker/cost.go`, `ext/lists.go`, `ext/sets.go`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.syntax.ast import Literal, LiteralKind
from kro_ls.cel.types.types import CIDR, IP, QUANTITY, SEMVER, URL, Kind, struct_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.types import Type


MOST: Final = 2**64 - 1


class Range(Struct, frozen=True):
    """A size or a cost that is at least `least` and at most `most`."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        """Return the range of the sum."""
        return Range(min(self.least + other.least, MOST), min(self.most + other.most, MOST))

    def times(self, other: Range) -> Range:
        """Return the range of the product."""
        return Range(min(self.least * other.least, MOST), min(self.most * other.most, MOST))

    def scaled(self, factor: float) -> Range:
        """Return both ends times a factor, rounded up as floating point numbers."""
        return Range(_scaled(self.least, factor), _scaled(self.most, factor))

    def union(self, other: Range) -> Range:
        """Return the range that holds both."""
        return Range(min(self.least, other.least), max(self.most, other.most))


def fixed(number: int) -> Range:
    """Return the range of one number."""
    return Range(number, number)


UNKNOWN: Final = Range(0, MOST)
NOTHING: Final = fixed(0)
ONE: Final = fixed(1)


def _scaled(number: int, factor: float) -> int:
    product = float(number) * factor
    return MOST if product >= 2.0**64 else math.ceil(product)


TRAVERSAL: Final = 0.1
"""Looking once at each character of a string."""
PATTERN: Final = 0.25
"""Matching once with a pattern, by its characters."""
NEW_LIST: Final = fixed(10)

_FORMAT: Final = struct_type("kubernetes.NamedFormat")
_LARGEST_FORMAT = 64
_LONGEST_FORMAT_PATTERN = 128


class Operand(Struct, frozen=True):
    """A receiver or argument: its size as far as it is known, and the sizes of its items and of what is in them."""

    node: Node
    type: Type
    size: Range
    known_size: Range | None
    item_size: Range


class CallCost(Struct, frozen=True):
    """What a call adds to the cost of its operands, and how large its result is, None if that is not known."""

    cost: Range
    result_size: Range | None = None


def call_cost(function: str, overload: str, target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
    """Return the cost of a call of a library's function, None for functions of the language itself."""
    if overload.startswith(("list_", "lists_")) and (estimate := _LISTS.get(overload.split("_", 1)[1])):
        found = estimate(target, arguments)
        if found is not None:
            return found
    if function in _NOMINAL:
        return CallCost(ONE)
    if function == "_==_":
        return _equality(arguments)
    if overload == "cidr_ip":
        return CallCost(ONE)
    by_receiver = _BY_RECEIVER.get(function)
    if by_receiver:
        return by_receiver(overload, target, arguments) if target else None
    by_argument = _BY_ARGUMENT.get(function)
    if by_argument is None or not arguments:
        return None
    size = arguments[0].size
    return CallCost(size.scaled(by_argument), size if function == "url" else None)


_NOMINAL: Final = frozenset(
    "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast "
    "format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor "
    "patch getScheme getHostname getHost getPort getEscapedPath getQuery".split()
)
_BY_ARGUMENT: Final[Mapping[str, float]] = {
    **dict.fromkeys("url cidr ip isIP isCIDR quantity isQuantity semver isSemver".split(), TRAVERSAL),
    "ip.isCanonical": 2 * TRAVERSAL,
}


def _equality(arguments: tuple[Operand, ...]) -> CallCost | None:
    if len(arguments) != 2 or arguments[0].type != arguments[1].type:
        return None
    compared, right = arguments[0].type, arguments[1].known_size
    if compared in (IP, CIDR, QUANTITY, SEMVER):
        return CallCost(ONE)
    if compared == URL:
        return CallCost(Range(1, right.most if right else 1).scaled(TRAVERSAL))
    if compared == _FORMAT:
        return CallCost(Range(1, _LARGEST_FORMAT).scaled(TRAVERSAL))
    return None


def _search(_overload: str, target: Operand, _arguments: tuple[Operand, ...]) -> CallCost:
    """Each item is looked at; texts are compared."""
    if not target.type.parameters:
        return CallCost(target.size.scaled(TRAVERSAL))
    each = ONE
    if target.type.parameters[0].kind in (Kind.STRING, Kind.BYTES):
        each = each.plus(target.item_size.scaled(TRAVERSAL))
    return CallCost(target.size.times(each))


def _rewrite(_overload: str, target: Operand, _arguments: tuple[Operand, ...]) -> CallCost:
    return CallCost(target.size.scaled(TRAVERSAL), target.size)


def _replace(_overload: str, target: Operand, arguments: tuple[Operand, ...]) -> CallCost | None:
    if len(arguments) < 2:
        return None
    size, old, new = target.size, arguments[0].size, arguments[1].size
    if old.least == 0:  # nothing is replaced between all characters
        most, most_kept = min(size.most + 1, MOST), size.most
    elif new.most <= old.least:
        most, most_kept = 0, size.most
    else:
        most, most_kept = math.ceil(float(size.most) / float(old.least)), 0
    if old.most == 0:
        least, least_kept = min(size.least + 1, MOST), size.least
    elif old.most <= new.least:
        least, least_kept = 0, size.least
    else:
        least, least_kept = math.ceil(float(size.least) / float(old.most)), 0
    result = Range(least, most).times(new).plus(Range(least_kept, most_kept))
    return CallCost(size.scaled(2 * TRAVERSAL), result)


def _split(_overload: str, target: Operand, arguments: tuple[Operand, ...]) -> CallCost:
    most = _integer(arguments[1], target.size.most) if len(arguments) > 1 else target.size.most
    return CallCost(target.size.scaled(2 * TRAVERSAL), Range(0, most % 2**64))


def _join(_overload: str, target: Operand, arguments: tuple[Operand, ...]) -> CallCost:
    count = target.size
    size = count.times(target.item_size) if target.type.parameters else NOTHING
    if arguments:
        size = size.plus(arguments[0].size.times(Range(max(count.least - 1, 0), max(count.most - 1, 0))))
    return CallCost(size.scaled(TRAVERSAL), size)


def _find(_overload: str, target: Operand, arguments: tuple[Operand, ...]) -> CallCost | None:
    if not arguments:
        return None
    cost = target.size.plus(ONE).scaled(TRAVERSAL).times(arguments[0].size.scaled(PATTERN))
    return CallCost(cost, Range(0, target.size.most))


_ADDRESS = Range(4, 16)


def _contains_address(overload: str, _target: Operand, arguments: tuple[Operand, ...]) -> CallCost | None:
    return _contains(_ADDRESS.plus(_ADDRESS).scaled(TRAVERSAL), overload, arguments)


def _contains_network(overload: str, _target: Operand, arguments: tuple[Operand, ...]) -> CallCost | None:
    cost = _ADDRESS.plus(_ADDRESS).scaled(TRAVERSAL).plus(_ADDRESS.scaled(TRAVERSAL)).plus(ONE)
    return _contains(cost, overload, arguments)


def _contains(cost: Range, overload: str, arguments: tuple[Operand, ...]) -> CallCost | None:
    if not arguments:
        return None
    return CallCost(cost.plus(arguments[0].size.scaled(TRAVERSAL)) if overload.endswith("_string") else cost)


def _validate(_overload: str, _target: Operand, arguments: tuple[Operand, ...]) -> CallCost | None:
    return (
        CallCost(arguments[0].size.scaled(TRAVERSAL).scaled(_LONGEST_FORMAT_PATTERN * PATTERN)) if arguments else None
    )


_BY_RECEIVER: Final[Mapping[str, Callable[[str, Operand, tuple[Operand, ...]], CallCost | None]]] = {
    **dict.fromkeys("isSorted sum max min indexOf lastIndexOf".split(), _search),
    **dict.fromkeys("lowerAscii upperAscii substring trim".split(), _rewrite),
    "replace": _replace,
    "split": _split,
    "join": _join,
    "find": _find,
    "findAll": _find,
    "containsIP": _contains_address,
    "containsCIDR": _contains_network,
    "validate": _validate,
}


def _integer(operand: Operand, default: int) -> int:
    node = operand.node
    if isinstance(node, Literal) and node.kind is LiteralKind.INT and isinstance(node.value, int):
        return node.value
    return default


def _new_list(factor: float, size: Range) -> CallCost:
    return CallCost(size.scaled(factor).plus(ONE).plus(NEW_LIST), size)


def _slice(target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
    if target is None:
        return None
    start, end = max(_integer(arguments[0], 0), 0), max(_integer(arguments[1], target.size.most), 0)
    return _new_list(1, fixed((end - start) % 2**64))


def _flatten(target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
    depth = max(_integer(arguments[0], MOST), 0) if arguments else 1
    return _new_list(depth, target.size) if target else None


def _range(_target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost:
    return _new_list(1, fixed(max(_integer(arguments[0], MOST), 0)))


def _reverse(target: Operand | None, _arguments: tuple[Operand, ...]) -> CallCost | None:
    return _new_list(1, target.size) if target else None


def _sort(text: bool = False) -> Callable[[Operand | None, tuple[Operand, ...]], CallCost | None]:
    factor = 2 + TRAVERSAL if text else 2.0

    def estimate(target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
        sorted_by = arguments[0] if arguments else target
        return _new_list(factor, sorted_by.size.times(sorted_by.size)) if sorted_by else None

    return estimate


def _sets(factor: float) -> Callable[[Operand | None, tuple[Operand, ...]], CallCost | None]:
    def estimate(_target: Operand | None, arguments: tuple[Operand, ...]) -> CallCost | None:
        return CallCost(arguments[0].size.times(arguments[1].size).scaled(factor).plus(ONE))

    return estimate


_ORDERED: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_LISTS: Final[Mapping[str, Callable[[Operand | None, tuple[Operand, ...]], CallCost | None]]] = {
    "slice": _slice,
    "flatten": _flatten,
    "flatten_int": _flatten,
    "range": _range,
    "reverse": _reverse,
    "distinct": _sort(),
    "sets_contains_list": _sets(1),
    "sets_intersects_list": _sets(1),
    "sets_equivalent_list": _sets(2),
    **{
        f"{element}_{name}": _sort(text=element in ("string", "bytes"))
        for element in _ORDERED
        for name in ("sort", "sortByAssociatedKeys")
    },
}
