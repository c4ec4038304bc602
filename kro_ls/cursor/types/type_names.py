"""Types as people read them: a struct is named by the kind of the object that it is part of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.cel.types.types import Kind, Type, checker_name, struct_type
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.cursor.parts import PlacedPart

_STEPS = {ELEMENT: "[]", VALUE: "{}"}
_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def type_name(type_: Type, owner: PlacedPart) -> str:
    """Return a type's text in an expression of a part: `list(Pod.spec.containers)`, `map(string, string)`.

    An item of that list is `Pod.spec.containers[]`.
    """
    return checker_name(_renamed(type_, owner))


def _renamed(type_: Type, owner: PlacedPart) -> Type:
    if type_.kind is Kind.STRUCT and type_.name.startswith(TYPE_NAME_PREFIX):
        return struct_type(_struct_name(type_.name.removeprefix(TYPE_NAME_PREFIX).split("."), owner))
    if not type_.parameters:
        return type_
    parameters = [_renamed(each, owner) for each in type_.parameters]
    if type_.kind is Kind.LIST:  # which says already that these are items
        parameters = [_without_brackets(each) for each in parameters]
    return Type(type_.kind, type_.name, tuple(parameters), type_.nullable)


def _without_brackets(type_: Type) -> Type:
    is_item = type_.kind is Kind.STRUCT and type_.name.endswith(_STEPS[ELEMENT])
    return struct_type(type_.name.removesuffix(_STEPS[ELEMENT])) if is_item else type_


def _struct_name(path: list[str], owner: PlacedPart) -> str:
    """Return `Pod.spec.containers[]` for the path `pod`, `spec`, `containers`, `@idx`."""
    variable, below = path[0], path[1:]
    placed = owner.rgd.resources.get(variable)
    resource = placed.resource if placed else None
    if resource and resource.type in _COLLECTIONS and below[:1] == [ELEMENT]:
        below = below[1:]
    elif variable == "each" and resource is None and isinstance(owner.part, Resource):
        resource = owner.part
    kind = text_of(field(resource.object, "kind")) if resource else None
    if variable == "schema" and owner.rgd.rgd.schema:
        kind = owner.rgd.rgd.schema.section.kind
    return "".join([kind or variable, *(_STEPS.get(step, f".{step}") for step in below)])
