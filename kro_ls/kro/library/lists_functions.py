"""kro's functions that change one place of a list (kro `pkg/cel/library/lists.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.failures import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cel.evaluation.values import Value


def _copy(function: str, elements: Sequence[Value], index: int, *, may_append: bool = False) -> list[Value]:
    size = len(elements)
    if not 0 <= index < size + may_append:
        raise EvaluationError(f"lists.{function}: index {index} out of bounds [0, {size}{']' if may_append else ')'}")
    return list(elements)


def _set(elements: Sequence[Value], index: int, value: Value) -> list[Value]:
    changed = _copy("setAtIndex", elements, index)
    changed[index] = value
    return changed


def _insert(elements: Sequence[Value], index: int, value: Value) -> list[Value]:
    changed = _copy("insertAtIndex", elements, index, may_append=True)
    changed.insert(index, value)
    return changed


def _remove(elements: Sequence[Value], index: int) -> list[Value]:
    changed = _copy("removeAtIndex", elements, index)
    del changed[index]
    return changed


IMPLEMENTATIONS = {
    "lists.setAtIndex_list_int_T": _set,
    "lists.insertAtIndex_list_int_T": _insert,
    "lists.removeAtIndex_list_int": _remove,
}
