"""Tells a `dyn` that kro would see from one that only says that we do not know the type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.types.broken_fields import holds_broken_fields
from kro_ls.cel.types.types import ANY, Kind, Type

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.analysis.types.variables import Binding


def uses_unknown_types(checked: CheckedExpression, scope: Scope) -> bool:
    """Whether an expression uses an object of an unknown kind, or the instance while fields of it are in error.

    What kro itself takes for untyped is `any`.
    """
    names = {use.name for use in checked.expression.inspection.names}
    if "each" in names and scope.kind is None:
        return True
    return any(_is_uncertain(binding) for name, binding in scope.bindings if name in names)


def is_left_to_runtime(part: Resource | SchemaSection, type_: Type) -> bool:
    """Whether kro looks at the value when there is one: in a Graph a `dyn`, though not what has no type whatsoever."""
    return isinstance(part, Resource) and part.is_node and type_.kind is Kind.DYN


def _is_uncertain(binding: Binding) -> bool:
    if isinstance(binding, Type):
        return binding is not ANY
    properties = binding.schema.get("properties") if binding.variable == "schema" else None
    return isinstance(properties, dict) and holds_broken_fields(properties.get("spec"))
