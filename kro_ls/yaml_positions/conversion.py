"""Turns a tree into the JSON-like value that sigs.k8s.io/yaml hands to Kubernetes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.yaml_positions.access import entries_by_name
from kro_ls.yaml_positions.nodes import Alias, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from kro_ls.yaml_positions.resolution import ScalarValue

JsonValue: TypeAlias = "ScalarValue | list[JsonValue] | dict[str, JsonValue]"

# go-yaml (decode.go): how large a part of a document aliases may make, shrinking as it grows.
_FEW_NODES, _MANY_NODES = 400_000, 4_000_000


class ExcessiveAliasingError(ValueError):
    """The aliases of a document expand to too many nodes, as in the "billion laughs" attack."""

    def __init__(self) -> None:
        super().__init__("the aliases make the document too large; repeat less by reference")


def to_python(node: Node | None) -> JsonValue:
    """Return the value of a tree: keys as strings, of a repeated key the last value, aliases and merge keys expanded.

    None for no tree, for an alias without a target, and for a value that is not there. Raise `ExcessiveAliasingError`
    by the rule of the YAML library.
    """
    refuse_excess(node)
    return _value(node)


def refuse_excess(node: Node | None) -> None:
    """Raise `ExcessiveAliasingError` for a tree that is mostly aliases, without expanding them."""
    _Count().add(node)


def _value(node: Node | None) -> JsonValue:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        result: dict[str, JsonValue] = {}
        for name, entry in entries_by_name(node).items():
            result[name] = _value(entry.value)
        return result
    if isinstance(node, Sequence):
        items: list[JsonValue] = []
        for item in node.items:
            items.append(_value(item))  # noqa: PERF401 - a comprehension costs a frame of the stack
        return items
    return None if node is None else _value(node.target)


class _Count:
    """Counts the nodes of a value as the YAML library does, with those that aliases repeat once for each alias."""

    def __init__(self) -> None:
        self._nodes = 0
        self._from_aliases = 0
        self._alias_depth = 0

    def add(self, node: Node | None) -> None:
        self._add_one()
        if isinstance(node, Mapping):
            for entry in entries_by_name(node).values():
                self.add(entry.value)
        elif isinstance(node, Sequence):
            for item in node.items:
                self.add(item)
        elif isinstance(node, Alias) and node.target is not None:
            self._alias_depth += 1
            self.add(node.target)
            self._alias_depth -= 1

    def _add_one(self) -> None:
        self._nodes += 1
        if not self._alias_depth:
            return
        self._from_aliases += 1
        if (
            self._from_aliases > 100
            and self._nodes > 1000
            and self._from_aliases > _allowed_share(self._nodes) * self._nodes
        ):
            raise ExcessiveAliasingError


def _allowed_share(nodes: int) -> float:
    if nodes <= _FEW_NODES:
        return 0.99
    if nodes >= _MANY_NODES:
        return 0.10
    return 0.99 - 0.89 * (nodes - _FEW_NODES) / (_MANY_NODES - _FEW_NODES)
