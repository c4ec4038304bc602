"""The objects of live instances that an edit of a definition deletes: kro prunes what no resource makes any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource

_Identity = tuple[str, str, str, str]


class PrunedObjects(Struct, frozen=True):
    """Which resource made the objects, their kind and the name in its template, and where the edit is.

    `offset` is that of the resource in the new definition, or where the definition starts if it has none of that id.
    """

    resource: str
    kind: str
    name: str
    offset: int
    is_gone: bool

    @property
    def message(self) -> str:
        """What becomes of the objects, in a sentence."""
        why = "is gone" if self.is_gone else "makes another object"
        return f"kro deletes {self.kind} '{self.name}' of each instance: resource '{self.resource}' {why}"


def pruned_objects(old: RgdAnalysis, new: RgdAnalysis) -> Iterator[PrunedObjects]:
    """Yield what resources of an older definition made, and no resource makes after the edit.

    Names are compared as they are written: what expressions give is not known.
    """
    made = {identity for each in new.resources.values() if (identity := _identity(each.resource))}
    for id_, placed in old.resources.items():
        identity = _identity(placed.resource)
        if identity is None or identity in made:
            continue
        after = new.resources.get(id_)
        start = after.placed.document_span(after.resource.node.span).start if after else new.rgd.document.start
        yield PrunedObjects(id_, identity[1], identity[3], start, is_gone=after is None)


def _identity(resource: Resource) -> _Identity | None:
    """Return group, kind, namespace and name of what kro applies, as written; None for what it only reads."""
    named = kind_name(resource)
    if named is None or resource.template is None:
        return None
    metadata = field(resource.object, "metadata")
    namespace, name = (text_of(field(metadata, each)) or "" for each in ("namespace", "name"))
    group, _, _ = named[0].rpartition("/")
    return group, named[1], namespace, name
