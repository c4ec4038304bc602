"""The fields of `schema` and of resources that the RGD itself tells, by what it declares and what it sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.model import ResourceType
from kro_ls.analysis.reading import entries, field, resolved, text_of
from kro_ls.cel import ast
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.locate import PlacedPart
    from kro_ls.analysis.model import SchemaSection
    from kro_ls.cel.ast import Node as CelNode
    from kro_ls.yaml_positions.nodes import Node

_INSTANCE_FIELDS = (("apiVersion", "string"), ("kind", "string"), ("metadata", "object"), ("spec", "object"))
_METADATA_FIELDS = (
    "annotations",
    "creationTimestamp",
    "generation",
    "labels",
    "name",
    "namespace",
    "resourceVersion",
    "uid",
)


@dataclass(frozen=True, slots=True)
class KnownField:
    """A field that can follow a dot; `detail` is how the RGD declares it."""

    name: str
    detail: str | None


def known_fields(placed_part: PlacedPart, receiver: CelNode) -> tuple[KnownField, ...]:
    """Return the fields that the RGD tells of a receiver: a chain of names that begins with `schema` or a resource."""
    chain = _chain(receiver)
    if not chain:
        return ()
    rgd = placed_part.rgd
    if chain[0] == "schema" and rgd.rgd.schema:
        return tuple(_instance_fields(rgd.rgd.schema.section, chain[1:]))
    placed = rgd.resources.get(chain[0])
    if placed is None or placed.resource.type in (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION):
        return ()
    found = _fields_at(placed.resource.object, chain[1:])
    return found if len(chain) > 1 else tuple(dict.fromkeys((*found, KnownField("status", None))))


def _instance_fields(section: SchemaSection, path: tuple[str, ...]) -> Iterator[KnownField]:
    if not path:
        yield from (KnownField(name, detail) for name, detail in _INSTANCE_FIELDS)
    elif path == ("metadata",):
        yield from (KnownField(name, None) for name in _METADATA_FIELDS)
    elif path[0] == "spec":
        custom_types = field(section.node, "types")
        node = field(section.node, "spec")
        for step in path[1:]:
            node = _expand(field(node, step), custom_types)
        yield from _fields_at(node, ())


def _expand(node: Node | None, custom_types: Node | None) -> Node | None:
    """Return the declaration of a custom type that a field names, or the node itself."""
    declared = text_of(node)
    return node if declared is None else field(custom_types, declared.partition("|")[0].strip())


def _fields_at(node: Node | None, path: tuple[str, ...]) -> tuple[KnownField, ...]:
    for step in path:
        node = field(node, step)
    if not isinstance(resolved(node), Mapping):
        return ()
    return tuple(KnownField(entry.name, text_of(entry.value)) for entry in entries(node) if entry.name)


def _chain(node: CelNode) -> tuple[str, ...]:
    fields: list[str] = []
    while isinstance(node, ast.Select) and not node.test_only:
        fields.append(node.field)
        node = node.operand
    return (node.name, *reversed(fields)) if isinstance(node, ast.Identifier) else ()
