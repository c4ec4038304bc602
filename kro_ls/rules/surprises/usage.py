"""What the expressions of an RGD use of the instance."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.names.references import foreign_names
from kro_ls.cel.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection

FieldNames: TypeAlias = tuple[str, ...]


def parts(analysis: RgdAnalysis) -> Iterator[Resource | SchemaSection]:
    """Yield the resources and the schema section."""
    yield from (placed.resource for placed in analysis.rgd.resources)
    if analysis.rgd.schema:
        yield analysis.rgd.schema.section


def is_readable(analysis: RgdAnalysis) -> bool:
    """Whether every expression could be read, and its names are known: where one is wrong, anything may be meant."""
    document = analysis.rgd.document
    if any(placed.chunk.errors for placed in (document.frame, *document.chunks)):
        return False
    known = {*analysis.resources, "each", "runtime"}
    return all(_is_readable(part) and foreign_names(part) <= known for part in parts(analysis))


@lru_cache(maxsize=8192)
def _is_readable(part: Resource | SchemaSection) -> bool:
    return not part.faulty_texts and not any(inspect(each.text).parsed.errors for each in part.expressions)


@lru_cache(maxsize=8192)
def instance_paths(part: Resource | SchemaSection) -> frozenset[FieldNames]:
    """Return the fields behind `schema` that a part's expressions select, each as far as plain selections go."""
    return frozenset(path for each in part.expressions for path in _paths(each.text))


@lru_cache(maxsize=16384)
def _paths(text: str) -> frozenset[FieldNames]:
    found: set[FieldNames] = set()
    pending = [inspect(text).parsed.root]
    while pending:
        node = pending.pop()
        fields: list[str] = []
        while isinstance(node, ast.Select):
            fields.append(node.field)
            node = node.operand
        if isinstance(node, ast.Identifier):
            if node.name == "schema":
                found.add(tuple(reversed(fields)))
        else:
            pending.extend(ast.children(node))
    return frozenset(found)
