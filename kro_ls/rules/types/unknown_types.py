"""Tells a `dyn` that kro would see from one that only says that we do not know the type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.crd.generate import holds_broken_fields
from kro_ls.analysis.facts import instance_paths_of
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.scope import cut_down
from kro_ls.cel.types.types import ANY, Kind, Type
from kro_ls.openapi.cel_types import SchemaRoot

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression


def uses_unknown_types(checked: CheckedExpression, part: Resource | SchemaSection, scope: Scope) -> bool:
    """Whether an expression uses an object of an unknown kind, or reads fields of the instance that are in error.

    What kro itself takes for untyped is `any`.
    """
    inspection = checked.expression.inspection
    names = {use.name for use in inspection.names}
    if "each" in names and scope.kind is None:
        return True
    used = {name: binding for name, binding in scope.bindings.items() if name in names}
    if any(isinstance(binding, Type) and binding is not ANY for binding in used.values()):
        return True
    instance = used.get("schema")
    if not isinstance(instance, SchemaRoot) or not part.sees_instance:
        return False
    properties = cut_down(instance, instance_paths_of(inspection)).schema.get("properties")
    return isinstance(properties, dict) and holds_broken_fields(properties.get("spec"))


def is_left_to_runtime(part: Resource | SchemaSection, type_: Type) -> bool:
    """Whether kro looks at the value when there is one: a `dyn` in a Graph, though not what has no type whatsoever."""
    return isinstance(part, Resource) and part.form.defers_types and type_.kind is Kind.DYN
