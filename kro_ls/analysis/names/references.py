"""What the names in an expression mean, and which meanings each place allows.

Source: kro `pkg/graph/builder.go` and `pkg/graph/validation.go`.

Older versions of TypeKro read the instance and resources by other names, which kro does not have: `self.spec.x` is
`schema.spec.x`, `resources.web.status` and `external.web.status` are `web.status`. Some wrote double braces:
`{{schema.spec.x}}`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType, SchemaSection
from kro_ls.analysis.model.sections import CutSection, in_parts
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import DEPENDING_PLACES, Place
from kro_ls.queries.cells import cached, set_of

if TYPE_CHECKING:
    from collections.abc import Container

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import NameUse
    from kro_ls.yaml_positions.positions import Span


class Meaning(StrEnum):
    """What a free name of an expression refers to."""

    SCHEMA = "the instance"
    RESOURCE = "a resource"
    SELF = "the resource itself"
    ITERATOR = "a forEach iterator"
    EACH = "each item of the collection"
    RUNTIME = "the runtime"
    UNKNOWN = "nothing"


# Members of an enumeration take ten times as long to look up as names of a module.
_SCHEMA, _RESOURCE, _SELF, _ITERATOR = Meaning.SCHEMA, Meaning.RESOURCE, Meaning.SELF, Meaning.ITERATOR
_READY_WHEN = Place.READY_WHEN
_OTHER_NAMES = {"each": Meaning.EACH, "runtime": Meaning.RUNTIME}
_UNKNOWN = Meaning.UNKNOWN

_DEPENDING_MEANINGS = frozenset({Meaning.SCHEMA, Meaning.RESOURCE})

_ALLOWED: dict[Place, frozenset[Meaning]] = {
    Place.TEMPLATE: _DEPENDING_MEANINGS | {Meaning.ITERATOR},
    Place.EXTERNAL_REFERENCE: _DEPENDING_MEANINGS,
    Place.FOR_EACH: _DEPENDING_MEANINGS,
    Place.INCLUDE_WHEN: _DEPENDING_MEANINGS,
    Place.STATUS: _DEPENDING_MEANINGS,
    Place.CONDITION: _DEPENDING_MEANINGS | {Meaning.RUNTIME},
}


class Reference(Struct, frozen=True, gc=False):
    """A free name in an expression of one part."""

    expression: Expression
    use: NameUse

    @property
    def name(self) -> str:
        """The name as written."""
        return self.use.name

    @property
    def span(self) -> Span:
        """Where the name stands, as offsets in the part's text."""
        return self.expression.span(self.use.node.end - len(self.use.name), self.use.node.end)


@cached
def references(part: Resource | SchemaSection) -> tuple[Reference, ...]:
    """Return the free names in the part's expressions, in their order."""
    return tuple(Reference(expression, use) for expression in part.expressions for use in expression.inspection.names)


@cached
def captures(resource: Resource) -> tuple[Reference, ...]:
    """Return the free names in a child graph that its own nodes do not declare: they mean nodes outside."""
    own = {each.id for each in resource.children}
    return tuple(
        each
        for child in resource.children
        for each in (*references(child), *captures(child))
        if each.name not in own and (each.name not in child.iterators or each.expression not in child.expressions)
    )


def depending_references(resource: Resource) -> tuple[Reference, ...]:
    """Return the references that make a resource depend on others; `readyWhen` does not."""
    return (*own_depending_references(resource), *captures(resource))


def own_depending_references(resource: Resource) -> tuple[Reference, ...]:
    """Return those in the resource's own expressions, without those in a child graph."""
    return tuple(each for each in references(resource) if each.expression.place in DEPENDING_PLACES)


@cached
def names(part: Resource | SchemaSection) -> frozenset[str]:
    """Return every name that the part's expressions use, its macro variables and a resource's iterators."""
    if isinstance(part, CutSection):
        return in_parts(part, names)
    inspections = [each.inspection for each in part.expressions]
    found = {use.name for each in inspections for use in each.names}
    found.update([variable.name for each in inspections for variable in each.variables])
    return set_of(found | part.iterators if isinstance(part, Resource) else found)


@cached
def foreign_names(part: Resource | SchemaSection) -> frozenset[str]:
    """Return the free names that neither the part itself nor kro declares: ids of resources, in a correct RGD."""
    if isinstance(part, CutSection):
        return in_parts(part, foreign_names)
    found = {use.name for each in part.expressions for use in each.inspection.names}
    if part.sees_instance:
        found.discard("schema")
    return set_of(found - part.iterators if isinstance(part, Resource) else found)


@cached
def mentioned_names(part: Resource | SchemaSection) -> frozenset[str]:
    """Return the `names` of the part, and a resource's own id."""
    return names(part) | {part.id} if isinstance(part, Resource) and part.id is not None else names(part)


def meaning(name: str, part: Resource | SchemaSection, resource_ids: Container[str]) -> Meaning:
    """Return what a free name means in a part of an RGD with these resource ids."""
    if name == "schema" and part.sees_instance:
        return _SCHEMA
    if isinstance(part, Resource):
        if name == part.id:
            return _SELF
        if part.dimensions and name in part.iterators:
            return _ITERATOR
    if name in resource_ids:
        return _RESOURCE
    return _OTHER_NAMES.get(name, _UNKNOWN)


def allowed_meanings(place: Place, part: Resource | SchemaSection) -> frozenset[Meaning]:
    """Return what an expression in this place may refer to."""
    if place is not _READY_WHEN:
        return _ALLOWED[place]
    if isinstance(part, Resource) and part.form.sees_itself:
        is_list = part.type in (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)
        return frozenset({Meaning.SELF, Meaning.EACH} if is_list else {Meaning.SELF})
    collection = isinstance(part, Resource) and part.type is ResourceType.COLLECTION and part.collection.tests_each
    return frozenset({Meaning.EACH if collection else Meaning.SELF})


@cached
def dependency_names(resource: Resource) -> tuple[str, ...]:
    """Return the names that become dependencies if they are ids of other resources, each once, in order."""
    excluded = (resource.id, "schema") if resource.sees_instance else (resource.id,)
    used = (each.name for each in depending_references(resource))
    return tuple(dict.fromkeys(name for name in used if name not in excluded))


_INSTANCE: Final = "self"
_OF_INSTANCE: Final = ("spec", "metadata")
_RESOURCES: Final = frozenset({"resources", "external"})

READ_IN_BRACES: Final = r"\{\{\s*(?:schema|self)\.(?P<path>(?:spec|metadata)(?:\.\w+)+)\s*\}\}"
"""Only reads of the instance: `{{workflow.name}}` is for the program that runs the object."""


def has_braces(text: str) -> bool:
    """Whether a text reads the instance in double braces."""
    return "{{" in text and re.search(READ_IN_BRACES, text) is not None


class NameOfKro(Struct, frozen=True):
    """The text that makes kro read the same, in place of a span of the part's text."""

    span: Span
    name: str


def name_of_kro(reference: Reference, ids: Container[str]) -> NameOfKro | None:
    """Return kro's name for what TypeKro means by an undeclared name, None for other names; `ids` are of resources."""
    use, expression = reference.use, reference.expression
    first = use.path[0] if use.path else None
    if use.name == _INSTANCE and first in _OF_INSTANCE:
        return NameOfKro(reference.span, "schema")
    if use.name in _RESOURCES and first is not None and first in ids:
        for node in ast.walk(expression.inspection.parsed.root):
            if isinstance(node, ast.Select) and node.operand is use.node:
                return NameOfKro(expression.span(use.node.start, node.end), first)
    return None
