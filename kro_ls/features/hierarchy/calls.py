"""The dependency graph as a call hierarchy: a resource calls those that its expressions read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, references
from kro_ls.cursor.names.symbol import Symbol
from kro_ls.cursor.parts import PlacedPart, resource_part
from kro_ls.features.convert import to_offset, to_range
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document

    _Place: TypeAlias = tuple[RgdAnalysis, str]


def prepare_calls(cursor: Cursor) -> list[types.CallHierarchyItem]:
    """Return the resource whose id is at the cursor, or in whose entry the cursor is."""
    symbol, part = cursor.symbol, cursor.part
    owner = symbol.owner if isinstance(symbol, Symbol) and symbol.meaning is Meaning.RESOURCE else part
    if owner is None or not isinstance(owner.part, Resource) or owner.part.id is None:
        return []
    return [_item(cursor.document, owner)]


def incoming_calls(document: Document, item: types.CallHierarchyItem) -> list[types.CallHierarchyIncomingCall]:
    """Return the resources that depend on one, with the places where they name it."""
    found = _resource(document, item)
    if found is None:
        return []
    rgd, name = found
    dependents = [each for each, needs in rgd.graph.dependencies if name in needs]
    return [
        types.CallHierarchyIncomingCall(_item(document, owner), _uses(document, owner, name))
        for owner in (resource_part(rgd, rgd.resources[each]) for each in dependents)
    ]


def outgoing_calls(document: Document, item: types.CallHierarchyItem) -> list[types.CallHierarchyOutgoingCall]:
    """Return the resources that one depends on, with the places where it names them."""
    found = _resource(document, item)
    if found is None:
        return []
    rgd, name = found
    needs = dict(rgd.graph.dependencies).get(name, ())
    own = resource_part(rgd, rgd.resources[name])
    return [
        types.CallHierarchyOutgoingCall(
            _item(document, resource_part(rgd, rgd.resources[each])), _uses(document, own, each)
        )
        for each in needs
    ]


def _item(document: Document, owner: PlacedPart) -> types.CallHierarchyItem:
    part = owner.part
    is_resource = isinstance(part, Resource)
    key = part.id_node if isinstance(part, Resource) and part.id_node else part.node
    return types.CallHierarchyItem(
        name=(part.id or "") if isinstance(part, Resource) else "schema",
        kind=types.SymbolKind.Object,
        uri=document.uri,
        range=to_range(document, owner.span(part.node.span)),
        selection_range=to_range(document, owner.span(key.span)),
        detail=text_of(field(part.object, "kind")) if isinstance(part, Resource) and is_resource else None,
    )


def _uses(document: Document, owner: PlacedPart, name: str) -> list[types.Range]:
    return [to_range(document, owner.span(each.span)) for each in references(owner.part) if each.name == name]


def _resource(document: Document, item: types.CallHierarchyItem) -> _Place | None:
    """Return the resource of an item: the document may have been edited since the item was made."""
    offset = to_offset(document, item.selection_range.start)
    named = [rgd for rgd in document.analysis.rgds if item.name in rgd.resources]
    at = [rgd for rgd in named if rgd.rgd.document.start <= offset <= rgd.rgd.document.end]
    return next(((rgd, item.name) for rgd in (*at, *named)), None)
