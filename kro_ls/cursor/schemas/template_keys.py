"""The keys that an RGD's own templates write below a resource: of maps, and of kinds whose fields nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import escape
from kro_ls.yaml_positions.access import entries, field, items

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node as CelNode
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.yaml_positions.nodes import Node

_INDICES = (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)


def template_keys(owner: PlacedPart, receiver: CelNode) -> tuple[str, ...]:
    """Return the keys written under what a chain of fields and constant indices from a resource stands for."""
    chain = _chain(receiver)
    if not chain:
        return ()
    resource, path = _resource(owner, chain)
    node: Node | None = resource.object if resource else None
    for step in path:
        node = _child(node, step)
    return tuple(entry.name for entry in entries(node) if entry.name)


def _resource(owner: PlacedPart, chain: list[str | int]) -> tuple[Resource | None, list[str | int]]:
    """Return the resource that a chain begins with, and the path in its template."""
    name, path = chain[0], chain[1:]
    placed = owner.rgd.resources.get(str(name))
    if placed is None:
        part = owner.part
        is_each = name == "each" and isinstance(part, Resource) and part.type is ResourceType.COLLECTION
        return (part, path) if is_each and isinstance(part, Resource) else (None, path)
    if placed.resource.type is ResourceType.COLLECTION:
        return (placed.resource, path[1:]) if path and isinstance(path[0], int) else (None, path)
    return (None if placed.resource.type is ResourceType.EXTERNAL_COLLECTION else placed.resource), path


def _child(node: Node | None, step: str | int) -> Node | None:
    if isinstance(step, int):
        written = items(node)
        return written[step] if step < len(written) else None
    name = next((each.name for each in entries(node) if each.name and escape(each.name) == step), step)
    return field(node, name)


def _chain(node: CelNode) -> list[str | int]:
    """Return `["config", "data", "key"]` for `config.data["key"]`, nothing for anything else."""
    steps: list[str | int] = []
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select) and not node.test_only:
            steps.append(node.field)
            node = node.operand
        elif isinstance(node, ast.Call) and node.function in _INDICES and isinstance(node.arguments[1], ast.Literal):
            value = node.arguments[1].value
            if not isinstance(value, (str, int)) or (isinstance(value, int) and value < 0):
                return []
            steps.append(value)
            node = node.arguments[0]
        else:
            return []
    return [node.name, *reversed(steps)]
