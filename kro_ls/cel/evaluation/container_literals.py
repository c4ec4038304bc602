"""List and map literals as closures, with elements and entries that may be left out (`?`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import NEW_LIST, NEW_MAP
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.frame import Evaluate, Frame, budget_of, spend_key
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import Optional, Value, make_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cel.evaluation.frame import StructMaker
    from kro_ls.cel.syntax.ast import ListLiteral, MapLiteral, Node, StructLiteral


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
                source = node.elements[index]
                if not isinstance(value, Optional):
                    message = f"cannot initialize optional list element from non-optional value {go_text(value)}"
                    raise EvaluationError(message, source.start, source.end)
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
                value = _optional_entry(go_text(key), value, entry.value)
                if not value.is_present:
                    continue
                value = value.value
            pairs.append((key, value))
        return make_map(pairs)

    return build


def _optional_entry(name: str, value: Value, source: Node) -> Optional:
    if isinstance(value, Optional):
        return value
    message = f"cannot initialize optional entry '{name}' from non-optional value {go_text(value)}"
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
                value = _optional_entry(field.name, value, field.value)
                if not value.is_present:
                    continue
                value = value.value
            values[field.name] = value
        return make(budget_of(frame), values)

    return build
