"""The positioned YAML tree, and how Kubernetes reads it.

Offsets are code points in the text of the chunk that a node was parsed from. Nodes compare by identity, so that they
can be keys of tables. The functions follow aliases, apply merge keys, and treat a value of another shape as absent;
`to_python` returns the JSON-like value that sigs.k8s.io/yaml gives to Kubernetes.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, ScalarValue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from collections.abc import Mapping as ReadOnlyMapping

    from kro_ls.yaml_positions.positions import Path

JsonValue: TypeAlias = "ScalarValue | list[JsonValue] | dict[str, JsonValue]"

_MERGE_KEY = "<<"


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


def resolved(node: Node | None) -> Node | None:
    """Return the target of an alias, None if it has none; return any other node itself."""
    # Of a Struct, `isinstance` takes five times as long to say no, and nearly no node is an alias.
    return node.target if type(node) is Alias else node


def kind_of(node: Node) -> NodeKind | None:
    """Return the kind of a node, of an alias's target for an alias; None for an alias without one."""
    target = resolved(node)
    if isinstance(target, Mapping):
        return NodeKind.MAPPING
    if isinstance(target, Sequence):
        return NodeKind.SEQUENCE
    return NodeKind.SCALAR if isinstance(target, Scalar) else None


def entries(node: Node | None) -> tuple[Entry, ...]:
    """Return the entries of a mapping, merge keys applied; of anything else none."""
    node = resolved(node)
    return merged_entries(node) if isinstance(node, Mapping) else ()


def entry_of(node: Node | None, name: str) -> Entry | None:
    """Return the entry under `name` of a mapping, merge keys applied, or None."""
    if type(node) is not Mapping:
        node = resolved(node)
        if type(node) is not Mapping:
            return None
    index = node.index
    return index.get(name) if _MERGE_KEY not in index else entries_by_name(node).get(name)


def field(node: Node | None, name: str) -> Node | None:
    """Return the value under `name` of a mapping, or None. Aliases are followed."""
    entry = entry_of(node, name)
    if entry is None:
        return None
    return resolved(entry.value)


def unknown_entries(node: Node | None, known: Collection[str]) -> Iterator[Entry]:
    """Yield the entries of a mapping whose key is not among the known fields."""
    for entry in entries(node):
        if entry.name is not None and entry.name not in known:
            yield entry


def items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a sequence, aliases followed; of anything else none."""
    node = resolved(node)
    if not isinstance(node, Sequence):
        return ()
    return tuple(item for item in map(resolved, node.items) if item is not None)


def text_of(node: Node | None) -> str | None:
    """Return the text of a scalar that Kubernetes reads as a string, or None."""
    node = resolved(node)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def is_null(node: Node | None) -> bool:
    """Whether the node is absent or null, which the API server treats alike."""
    node = resolved(node)
    return node is None or (isinstance(node, Scalar) and node.value is None)


def set_entry(node: Node | None, name: str) -> Entry | None:
    """Return the entry of a field that the API server sees; it drops a field whose value is null."""
    entry = entry_of(node, name)
    return None if entry is None or is_null(entry.value) else entry


def node_at(node: Node | None, path: Path) -> Node | None:
    """Return the node at a path of keys and indices below `node`; aliases are followed except at the path's end."""
    for step in path:
        if isinstance(step, str):
            entry = entry_of(node, step)
            node = entry.value if entry else None
        else:
            parent = resolved(node)
            is_there = isinstance(parent, Sequence) and 0 <= step < len(parent.items)
            node = parent.items[step] if is_there and isinstance(parent, Sequence) else None
    return node


def key_at(node: Node | None, path: Path) -> Node | None:
    """Return the key of the value at a path; None for an item, for `()`, and if there is no value."""
    if not path or not isinstance(path[-1], str):
        return None
    entry = entry_of(node_at(node, path[:-1]), path[-1])
    return entry.key if entry else None


def nearest_at(node: Node | None, path: Path) -> Node | None:
    """Return the key or item at a path, or the last one on the way to it; None where not even the first is there."""
    found: Node | None = None
    for step in path:
        if isinstance(step, str):
            entry = entry_of(node, step)
            if entry is None:
                return found
            found, node = entry.key, entry.value
        else:
            inside = items(node)
            if step >= len(inside):
                return found
            found = node = inside[step]
    return found


def merged_entries(mapping: Mapping) -> tuple[Entry, ...]:
    """Return a mapping's entries with merge keys (`<<: *base`) replaced by what they merge in.

    The order decides, as in go-yaml v2 (`decode.go`): a merge key overrides entries above it and is overridden by
    entries below it; in a list of mappings the first wins. Of a repeated key only the last entry is returned.
    """
    if _MERGE_KEY in mapping.index:
        return _merged(mapping)
    return mapping.entries if len(mapping.index) == len(mapping.entries) else _last_entries(mapping)


def entries_by_name(mapping: Mapping) -> ReadOnlyMapping[str, Entry]:
    """Return the entries that count by the names of their keys, merge keys applied."""
    if _MERGE_KEY not in mapping.index:
        return mapping.index
    return {entry.name: entry for entry in _merged(mapping) if entry.name is not None}


def to_python(node: Node | None) -> JsonValue:
    """Return the value of a tree: keys as strings, of a repeated key the last value, aliases and merge keys expanded.

    None for no tree, for an alias without a target, and for a value that is not there.
    """
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        result: dict[str, JsonValue] = {}
        for name, entry in entries_by_name(node).items():
            result[name] = to_python(entry.value)
        return result
    if isinstance(node, Sequence):
        items: list[JsonValue] = []
        for item in node.items:
            items.append(to_python(item))  # noqa: PERF401 - a comprehension costs a frame of the stack
        return items
    return None if node is None else to_python(node.target)


def is_merge_key(key: Node) -> bool:
    """Return whether a key is YAML 1.1's merge key: a plain `<<` or one tagged `!!merge`."""
    if not isinstance(key, Scalar) or key.text != _MERGE_KEY:
        return False
    return (key.style is ScalarStyle.PLAIN and key.tag is None) or key.tag == "tag:yaml.org,2002:merge"


def _last_entries(mapping: Mapping) -> tuple[Entry, ...]:
    named = ((entry, entry.name) for entry in mapping.entries)
    return tuple(entry for entry, name in named if name is None or mapping.index[name] is entry)


def _merged(mapping: Mapping) -> tuple[Entry, ...]:
    if not any(is_merge_key(entry.key) for entry in mapping.entries):  # `"<<"` in quotes is a key like any other
        return mapping.entries
    return _merge(mapping)


@lru_cache(maxsize=128)  # few mappings have merge keys, and they are read many times while their document is checked
def _merge(mapping: Mapping) -> tuple[Entry, ...]:
    merged: dict[str | None, Entry] = {}
    for entry in mapping.entries:
        if is_merge_key(entry.key):
            for source in reversed(list(_merge_sources(entry.value))):
                merged.update((inherited.name, inherited) for inherited in merged_entries(source))
        else:
            merged[entry.name] = entry
    return tuple(merged.values())


def _merge_sources(value: Node) -> Iterator[Mapping]:
    target = resolved(value)
    candidates = target.items if isinstance(target, Sequence) else (target,)
    for candidate in map(resolved, candidates):
        if isinstance(candidate, Mapping):
            yield candidate
