"""The positioned YAML tree. Offsets are code points in the text of the chunk a node was parsed from.

Nodes compare by identity, so that they can be keys of memo tables.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, ScalarValue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as ReadOnlyMapping

__all__ = ["Alias", "Entry", "Mapping", "Node", "NodeKind", "Scalar", "ScalarStyle", "Sequence", "kind_of", "walk"]


class NodeKind(StrEnum):
    """What a message calls a node."""

    SCALAR = "scalar"
    MAPPING = "mapping"
    SEQUENCE = "sequence"


class _Positioned(Struct, frozen=True, eq=False, gc=False):
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The span in the chunk's text."""
        return Span(self.start, self.end)


class Scalar(_Positioned, frozen=True, eq=False, gc=False):
    """One value.

    `text` is the decoded string. `start` and `end` include quotes and the block header but no tag and no anchor.
    `value` is what Kubernetes reads; see `resolution.resolve`.
    A missing value has the style `missing` and is zero-width, where it would be typed.
    `damaged`: YAML cannot read the scalar as it is written; `text` is then what the author probably means.
    """

    text: str
    value: ScalarValue
    style: ScalarStyle
    tag: str | None = None
    damaged: bool = False


class Entry(Struct, frozen=True, eq=False, gc=False):
    """A key and its value.

    `name` is the key as Kubernetes reads it (`1`, `true`, a string), None for a key that cannot be one.
    """

    key: Node
    value: Node
    name: str | None

    @property
    def start(self) -> int:
        """The start of the key."""
        return self.key.start

    @property
    def end(self) -> int:
        """The end of the value, or of the key if there is no value."""
        return max(self.key.end, self.value.end)


class Mapping(_Positioned, frozen=True, eq=False, gc=True, weakref=True):
    """A mapping. Of a repeated key the last entry counts, as in Kubernetes: `index` has it; `entries` has all."""

    entries: tuple[Entry, ...]
    flow: bool
    index: ReadOnlyMapping[str, Entry]

    def entry(self, name: str) -> Entry | None:
        """Return the last entry whose key reads as the name."""
        return self.index.get(name)

    def get(self, name: str) -> Node | None:
        """Return the value of the last entry whose key reads as the name."""
        entry = self.index.get(name)
        return entry.value if entry is not None else None


class Sequence(_Positioned, frozen=True, eq=False, gc=False):
    """A sequence. In block style it starts at its first dash."""

    items: tuple[Node, ...]
    flow: bool


class Alias(_Positioned, frozen=True, eq=False, gc=False):
    """A reference `*name`. `target` is None if no such anchor precedes it, or if it would contain itself."""

    name: str
    target: Scalar | Mapping | Sequence | None


Node: TypeAlias = Scalar | Mapping | Sequence | Alias


def kind_of(node: Node) -> NodeKind | None:
    """Return the kind of a node, of an alias's target for an alias; None for an alias without one."""
    target = node.target if isinstance(node, Alias) else node
    if isinstance(target, Mapping):
        return NodeKind.MAPPING
    if isinstance(target, Sequence):
        return NodeKind.SEQUENCE
    return NodeKind.SCALAR if isinstance(target, Scalar) else None


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and every node written below it, keys included, in the order of the text, following no alias."""
    pending: list[Node] = [node]
    while pending:
        current = pending.pop()
        yield current
        if type(current) is Mapping:  # a text has many nodes: `isinstance` takes five times as long to say no
            for entry in reversed(current.entries):
                pending += (entry.value, entry.key)
        elif type(current) is Sequence:
            pending.extend(reversed(current.items))
