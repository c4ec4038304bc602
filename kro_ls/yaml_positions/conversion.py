"""Turns a tree into the JSON-like value that sigs.k8s.io/yaml hands to Kubernetes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.yaml_positions.access import entries_by_name
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from kro_ls.yaml_positions.resolution import ScalarValue

JsonValue: TypeAlias = "ScalarValue | list[JsonValue] | dict[str, JsonValue]"

# go-yaml (decode.go): how large a part of a document aliases may make, shrinking as it grows.
_FEW_NODES, _MANY_NODES = 400_000, 4_000_000


class ExcessiveAliasingError(ValueError):
    """The aliases of a document expand to too much, as in the "billion laughs" attack."""

    def __init__(self) -> None:
        super().__init__("document contains excessive aliasing: repeat less by reference")


def to_python(node: Node | None) -> JsonValue:
    """Return the value of a tree: keys as strings, of a repeated key the last value, aliases and merge keys expanded.

    None for no tree, for an alias without a target, and for a value that is not there. Raise `ExcessiveAliasingError`
    by the rule of the YAML library.
    """
    return _Conversion().value(node)


class _Conversion:
    """Counts nodes as it converts, to stop at a document that is mostly aliases."""

    def __init__(self) -> None:
        self._nodes = 0
        self._from_aliases = 0
        self._alias_depth = 0

    def value(self, node: Node | None) -> JsonValue:
        self._count()
        if isinstance(node, Scalar):
            return node.value
        if isinstance(node, Mapping):
            return self._mapping(node)
        if isinstance(node, Sequence):
            items: list[JsonValue] = []
            for item in node.items:
                items.append(self.value(item))  # noqa: PERF401 - a comprehension costs a frame of the stack
            return items
        if node is None or node.target is None:
            return None
        self._alias_depth += 1
        value = self.value(node.target)
        self._alias_depth -= 1
        return value

    def _mapping(self, mapping: Mapping) -> dict[str, JsonValue]:
        result: dict[str, JsonValue] = {}
        for name, entry in entries_by_name(mapping).items():
            result[name] = self.value(entry.value)
        return result

    def _count(self) -> None:
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
