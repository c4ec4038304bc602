"""Changed values of templates that no object which exists can take over, since the API server keeps these fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.openapi.validation.objects.edits import immutable_part
from kro_ls.yaml_positions.access import entries, entry_of
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Entry, Node

_EXPRESSION = "${"


class FrozenChange(Struct, frozen=True):
    """A value that was changed though its field cannot be: of which resource, where, its offset, and what is wrong.

    The resource is empty where the field is one of the definition itself.
    """

    resource: str
    field: str
    offset: int
    message: str


def frozen_changes(old: RgdAnalysis, new: RgdAnalysis) -> Iterator[FrozenChange]:
    """Yield the values of templates that differ from those in an older definition though no object can take them."""
    for id_, placed in new.resources.items():
        before, after = old.resources.get(id_), placed.resource
        if before is None or kind_name(before.resource) != kind_name(after):
            continue
        kind = new.kind(after)
        if kind is None or after.template is None or before.resource.template is None:
            continue
        for path, entry in _changed(before.resource.template, after.template, kind, ()):
            start, name = placed.placed.document_span(entry.key.span).start, ".".join(path)
            yield FrozenChange(id_, name, start, f"'{name}' of resource '{id_}' cannot be changed after creation")


def _changed(old: Node, new: Node, kind: KindSchema, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    """Yield the paths and the entries of what cannot be changed and was, in values without expressions."""
    for entry in entries(new):
        before = entry_of(old, entry.name) if entry.name is not None else None
        if before is None or entry.name is None:
            continue
        place = (*path, entry.name)
        if immutable_part(kind, place) is not None:
            if _differ(before.value, entry.value):
                yield place, entry
        elif isinstance(entry.value, Mapping):
            yield from _changed(before.value, entry.value, kind, place)


def _differ(old: Node, new: Node) -> bool:
    try:
        values = to_python(old), to_python(new)
    except (ExcessiveAliasingError, RecursionError):
        return False
    return values[0] != values[1] and _EXPRESSION not in f"{values}"
