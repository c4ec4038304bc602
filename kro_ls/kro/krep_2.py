"""Collections as the proposal KREP-2 had them, before kro 0.8 brought `forEach` in another form.

A `forEach` is one `${...}` that gives a list or a map, and `each` is one entry of it. kro has never accepted this form;
people find it in the first text of the proposal. Other rooms see it as the `collection` of a resource, `KREP_2_FORM`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kro_ls.cel.library.macros import expand_map
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.declarations import Library
from kro_ls.cel.types.types import DYN, Kind, Type
from kro_ls.kro.forms import KREP_2_FORM
from kro_ls.openapi.cel_types import declare

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Call, Node
    from kro_ls.cel.syntax.macros import Expansion
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.openapi.cel_types import SchemaRoot, SchemaTypes
    from kro_ls.openapi.json_values import JsonObject

ITERATOR: Final = KREP_2_FORM.iterator
ITEMS: Final = KREP_2_FORM.alias
INDEX: Final = "index"
LENGTH: Final = "length"
ITEM: Final = "item"
KEY: Final = "key"
VALUE: Final = "value"

SELECTOR: Final = "selector"
"""The field of `externalRef` itself by whose labels objects are found; kro has it in `externalRef.metadata`."""


def places(collection: Any) -> list[dict[str, Any]] | None:
    """Return the value of `each` for each object, None if the value is neither a list nor a map.

    The keys of a map are sorted, so that objects keep their order.
    """
    if isinstance(collection, list):
        found = [{ITEM: item, INDEX: index} for index, item in enumerate(collection)]
    elif isinstance(collection, dict):
        found = [{KEY: key, VALUE: collection[key]} for key in sorted(collection)]
    else:
        return None
    return [{**each, LENGTH: len(found)} for each in found]


def key_of(place: dict[str, Any]) -> str:
    """Return the identity of an entry: its key in a map, or its index in a list."""
    return str(place[KEY] if KEY in place else place[INDEX])


RANGE: Final = "range"
"""`range(a, b)`: the whole numbers from `a` up to, not including, `b`.

It is a macro, so that the function that it stands for, `lists.range`, is checked and run in its place. It is never
offered, and a rule refuses it where the dialect is not chosen.
"""


def expand_range(expansion: Expansion, call: Call) -> Node:
    """Turn `range(a, b)` into `lists.range(b - a).map(x, x + a)`."""
    first, end = call.arguments
    variable = expansion.identifier("@number")
    size = expansion.function(Operator.SUBTRACT, end, first)
    numbers = expansion.function("range", size, target=expansion.identifier("lists"))
    shifted = expansion.function(Operator.ADD, expansion.identifier("@number"), first)
    return expand_map(expansion, expansion.function("map", variable, shifted, target=numbers))


LIBRARY = Library(__name__, (), expanders={(RANGE, 2, False): expand_range})


_SCALARS = {Kind.INT: "integer", Kind.BOOL: "boolean", Kind.STRING: "string", Kind.DOUBLE: "number"}
_INTEGER: JsonObject = {"type": "integer"}


def each_binding(ranged: Type, schemas: SchemaTypes) -> SchemaRoot | Type:
    """Return the type of `each` in a collection over a value of a type: dyn if that is neither a list nor a map.

    `schemas` know the structs in the type.
    """
    if ranged.kind is Kind.LIST:
        properties: JsonObject = {ITEM: _schema(ranged.parameters[0], schemas), INDEX: _INTEGER}
    elif ranged.kind is Kind.MAP:
        key, value = ranged.parameters
        properties = {KEY: _schema(key, schemas), VALUE: _schema(value, schemas)}
    else:
        return DYN
    return declare(ITERATOR, {"type": "object", "properties": {**properties, LENGTH: _INTEGER}})


def _schema(type_: Type, schemas: SchemaTypes) -> JsonObject:
    """Return a schema whose values have a type; a type that no schema can express becomes any type."""
    if type_.kind is Kind.LIST:
        return {"type": "array", "items": _schema(type_.parameters[0], schemas)}
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": _schema(type_.parameters[1], schemas)}
    if type_.kind is Kind.STRUCT:
        return dict(schemas.find_schema(type_.name) or {"type": "object"})
    if type_.kind in _SCALARS:
        return {"type": _SCALARS[type_.kind]}
    return {"x-kubernetes-int-or-string": True}  # which expressions see as dyn


def without_items(result: CheckResult) -> CheckResult:
    """Return a check result in which `workers.items` means `workers`."""
    return replace(
        result,
        references={
            node: replace(reference, name=reference.name.removesuffix(f".{ITEMS}"))
            if isinstance(reference, NameReference)
            else reference
            for node, reference in result.references.items()
        },
    )
