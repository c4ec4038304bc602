"""Lists, maps and structs as closures: literals that make them, and selections and indexes that read them.

Elements, entries and fields of a literal may be left out (`?`). The error texts are those of cel-go's attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import NEW_LIST, NEW_MAP, READ, Evaluate, Frame, budget_of, spend_key
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MIN_INT,
    MISSING,
    NONE,
    CustomValue,
    EvaluationError,
    ListValue,
    MapValue,
    Optional,
    Value,
    find,
    is_list,
    is_map,
    make_map,
    type_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kro_ls.cel.evaluation.costs import StructMaker
    from kro_ls.cel.syntax.ast import Call, ListLiteral, MapLiteral, Node, Select, StructLiteral


def compile_list(node: ListLiteral, elements: Sequence[Evaluate]) -> Evaluate:
    """Return the list of the elements, without optional ones that are absent."""
    optional = frozenset(node.optional_indices)
    cost = NEW_LIST + len(elements)

    def plain(frame: Frame) -> Value:
        budget_of(frame).spend(cost)
        return [element(frame) for element in elements]

    def with_optional(frame: Frame) -> Value:
        budget_of(frame).spend(cost)
        collected = []
        for index, element in enumerate(elements):
            value = element(frame)
            if index in optional:
                value = _optional("list element", value, node.elements[index])
                if not value.is_present:
                    continue
                value = value.value
            collected.append(value)
        return collected

    return with_optional if optional else plain


def compile_map(node: MapLiteral, parts: Sequence[tuple[Evaluate, Evaluate]]) -> Evaluate:
    """Return the map of the entries, without optional ones that are absent. A later entry wins over an equal key."""
    entries = list(zip(node.entries, parts, strict=True))
    cost = NEW_MAP + 2 * len(entries)

    def build(frame: Frame) -> Value:
        budget_of(frame).spend(cost)
        pairs = []
        for entry, (key_part, value_part) in entries:
            key, value = key_part(frame), value_part(frame)
            spend_key(frame, key)
            if entry.optional:
                value = _optional(f"entry '{go_text(key)}'", value, entry.value)
                if not value.is_present:
                    continue
                value = value.value
            pairs.append((key, value))
        return make_map(pairs)

    return build


def _optional(what: str, value: Value, source: Node) -> Optional:
    if isinstance(value, Optional):
        return value
    message = f"cannot initialize optional {what} from non-optional value {go_text(value)}"
    raise EvaluationError(message, source.start, source.end)


def compile_struct(node: StructLiteral, make: StructMaker, parts: Sequence[Evaluate]) -> Evaluate:
    """Return what `make` makes of the fields, without optional ones that are absent; the last one of a name counts."""
    fields = list(zip(node.fields, parts, strict=True))
    cost = 2 * (NEW_MAP + len(fields))

    def build(frame: Frame) -> Value:
        budget_of(frame).spend(cost)
        values: dict[str, Value] = {}
        for field, part in fields:
            value = part(frame)
            if field.optional:
                value = _optional(f"entry '{field.name}'", value, field.value)
                if not value.is_present:
                    continue
                value = value.value
            values[field.name] = value
        return make(budget_of(frame), values)

    return _placed(node, build)


def compile_select(node: Select, operand: Evaluate) -> Evaluate:
    """Return what reads a field, or an optional with it (`.?`), or tests for it (`has`)."""
    start, end, field = node.start, node.end, node.field
    if node.test_only:
        return _placed(node, lambda frame: _is_present(operand(frame), field))
    if node.optional:
        return _placed(node, lambda frame: _select_optional(operand(frame), field))

    def read(frame: Frame) -> Value:
        value = operand(frame)
        if value.__class__ is dict:
            try:
                return value[field]
            except KeyError:
                raise EvaluationError(f"no such key: {field}", start, end) from None
        budget_of(frame).spend(READ)
        try:
            return _select(value, field)
        except EvaluationError as error:
            error.at(start, end)
            raise

    return read


def compile_index(node: Call, operand: Evaluate, key: Evaluate, *, optional: bool) -> Evaluate:
    """Return what reads the element under a key; if the container is absent, the key is not evaluated."""
    find_element = _select_optional if optional else _select

    def read(frame: Frame) -> Value:
        value = operand(frame)
        if isinstance(value, Optional) and not value.is_present:
            return value
        wanted = _checked_key(key(frame))
        spend_key(frame, wanted)
        if isinstance(value, (ListValue, MapValue)):
            budget_of(frame).spend(READ)
        return find_element(value, wanted)

    return _placed(node, read)


def _select(operand: Value, key: Value) -> Value:
    """Return the field, element or value under a key; of an optional an optional. Raises when it is absent."""
    if isinstance(operand, Optional):
        return _select_optional(operand, key)
    found = _lookup(operand, key)
    if found is not MISSING:
        return found
    kind = "index out of bounds" if is_list(operand) else "no such key"
    raise EvaluationError(f"{kind}: {go_text(key)}")


def _select_optional(operand: Value, key: Value) -> Value:
    """Return an optional with the field or element, which may be absent."""
    if isinstance(operand, Optional):
        if not operand.is_present:
            return NONE
        operand = operand.value
    found = _lookup(operand, key)
    return NONE if found is MISSING else Optional(found)


_GO_TYPES: Final = {
    "bytes": "types.Bytes",
    "null_type": "types.Null",
    "type": "*types.Type",
    "list": "*types.baseList",
    "map": "*types.baseMap",
    "optional_type": "*types.Optional",
    "google.protobuf.Duration": "types.Duration",
    "google.protobuf.Timestamp": "types.Timestamp",
    "net.IP": "cel.IP",
    "net.CIDR": "cel.CIDR",
    "kubernetes.Quantity": "cel.Quantity",
    "kubernetes.URL": "cel.URL",
    "kubernetes.Semver": "cel.Semver",
}


def _checked_key(key: Value) -> Value:
    """Return a key that stands in brackets. Raises EvaluationError where nothing can have a key of its type."""
    if isinstance(key, (str, int, float)):
        return key
    name = type_name(key)
    raise EvaluationError(f"invalid qualifier type: {_GO_TYPES.get(name, name)}")


def _is_present(operand: Value, field: str) -> bool:
    """Return what `has(operand.field)` does."""
    if isinstance(operand, Optional):
        return operand.is_present and _lookup(operand.value, field) is not MISSING
    return _lookup(operand, field) is not MISSING


def _lookup(operand: Value, key: Value) -> Value:
    """Return what is under the key, MISSING when nothing is. Raises for a list index that is not a whole number."""
    if is_map(operand):
        return find(operand, key)
    if is_list(operand):
        return _element(operand, key)
    return operand.field(key) if isinstance(operand, CustomValue) else MISSING


def _element(elements: Sequence[Value], key: Value) -> Value:
    if isinstance(key, bool) or not isinstance(key, (int, float)):
        raise EvaluationError(f"unsupported index type '{type_name(key)}' in list")
    if (isinstance(key, float) and not key.is_integer()) or not MIN_INT <= key <= MAX_INT:
        raise EvaluationError(f"unsupported index value {go_text(key)} in list")
    if not 0 <= key < len(elements):
        return MISSING
    if isinstance(elements, ListValue) and key.__class__ is not int:
        raise EvaluationError(f"unsupported index: {go_text(key)}")
    return elements[int(key)]


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
