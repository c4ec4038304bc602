"""A resource id that is a reserved word of kro or CEL.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.sections import parts_with_expressions
from kro_ls.analysis.names.references import references
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS as CEL_WORDS
from kro_ls.kro.identifiers import RESERVED_WORDS, TYPE_NAMES
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import CONDITIONS_SEE_RESOURCES, LATER_RESERVED_WORDS, TYPES_HIDDEN
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Fix, PartFindings, PartReplacement, Section, Severity
from kro_ls.rules.rule import Repair, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, ResourceGraphDefinition, SchemaSection
    from kro_ls.rules.diagnostics import Part
    from kro_ls.yaml_positions.positions import Span


_MEANINGFUL = frozenset({"schema", "runtime", "self"})
"""Reserved words that have a meaning in expressions, and had one when they could still be ids."""

_EACH = "each"

_RESERVED = "id {id} is a reserved keyword in KRO"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the ids that are reserved words."""
    table = rgd.table
    if not table.declarations.keys().isdisjoint(TYPE_NAMES):
        yield from _names_of_types(rgd.rgd)
    if not table.has_anonymous and table.declarations.keys().isdisjoint(LATER_RESERVED_WORDS):
        return
    for number, resource in enumerate(rgd.parts):
        later = LATER_RESERVED_WORDS.get(resource.id or "")
        if resource.id is None or resource.id_node is None or not (resource.id in RESERVED_WORDS or later):
            continue
        reason = "is a word of CEL" if resource.id in CEL_WORDS else "has a meaning in kro"
        message = f"'{resource.id}' {reason} and cannot be a resource id; choose another name"
        new_name = f"{resource.id}Resource"
        fixes = () if _is_taken(rgd, new_name) else (_rename(rgd.rgd, resource.id, new_name),)
        kro_message = _RESERVED.format(id=resource.id)
        versions = Versions(since=later)
        yield number, Finding(resource.id_node.span, message, fixes=fixes, versions=versions, kro_message=kro_message)


def _is_taken(rgd: RgdAnalysis, name: str) -> bool:
    """Whether a resource has the name, or an expression uses it, perhaps for a variable."""
    parts = (*rgd.parts, *((rgd.section,) if rgd.section else ()))
    used = (each.inspection.words for part in parts for each in part.expressions)
    return name in rgd.table.declarations or any(name in words for words in used)


def _names_of_types(rgd: ResourceGraphDefinition) -> PartFindings:
    """Find the ids that are types of CEL, if an expression is checked that could refer to the resource."""
    section = (rgd.schema.section,) if rgd.schema else ()
    is_known = any(_has_expression(part, _OTHER_PLACES) for part in (*rgd.parts, *section))
    in_condition = any(map(_has_condition, rgd.parts))
    for number, resource in enumerate(rgd.parts):
        if resource.id not in TYPE_NAMES or resource.id_node is None:
            continue
        if is_known or _has_own_condition(resource):
            versions = Versions(before=TYPES_HIDDEN)
        elif in_condition:
            versions = Versions(CONDITIONS_SEE_RESOURCES, TYPES_HIDDEN)
        else:
            continue
        message = f"'{resource.id}' is a type of CEL, which kro before {TYPES_HIDDEN} does not take as a resource id"
        fix = _rename(rgd, resource.id, f"{resource.id}Resource")
        yield number, Finding(resource.id_node.span, message, fixes=(fix,), versions=versions)


_OTHER_PLACES = frozenset(Place) - {Place.READY_WHEN, Place.INCLUDE_WHEN}


def _has_condition(resource: Resource) -> bool:
    return _has_own_condition(resource) or _has_expression(resource, frozenset({Place.INCLUDE_WHEN}))


def _has_own_condition(resource: Resource) -> bool:
    """Whether the resource has a `readyWhen` that can use its id; that of a collection uses `each`."""
    return resource.type is not ResourceType.COLLECTION and _has_expression(resource, frozenset({Place.READY_WHEN}))


def _has_expression(part: Resource | SchemaSection, places: frozenset[Place]) -> bool:
    return any(each.place in places for holder in parts_with_expressions(part) for each in holder.expressions)


def _rename(rgd: ResourceGraphDefinition, name: str, new_name: str) -> Fix:
    """Return the fix that renames a resource, and its uses unless the name means something else there."""
    ids: list[tuple[Part, Span]] = [
        (number, each.id_node.span) for number, each in enumerate(rgd.parts) if each.id == name and each.id_node
    ]
    uses = list(_uses(rgd, name))
    is_clear = name not in _MEANINGFUL or not uses
    edits = tuple(PartReplacement(span, new_name, part) for part, span in [*ids, *(uses if is_clear else ())])
    return Fix(f"Change to '{new_name}'", edits, keeps_meaning=is_clear)


def _uses(rgd: ResourceGraphDefinition, name: str) -> Iterator[tuple[Part, Span]]:
    """Yield the references to a resource; 'each' is one unless the part is a collection."""
    parts: list[tuple[Part, Resource | SchemaSection]] = [
        (number, each)
        for number, each in enumerate(rgd.parts)
        if name not in each.iterators and not (name == _EACH and each.dimensions)
    ]
    if rgd.schema:
        parts.append((Section.SCHEMA, rgd.schema.section))
    for number, part in parts:
        yield from ((number, each.span) for each in references(part) if each.name == name)


RULE = Rule(
    code="reserved-resource-id",
    severity=Severity.ERROR,
    summary="A resource id is a reserved word.",
    explanation="""\
Words of CEL (`in`, `for`, `true` ...) and names that have a meaning in kro (`schema`, `instance`, `item`, `spec`,
`status` ...) cannot be ids of resources. Before kro 0.9.0, neither can the types of CEL (`list`, `map`, `string`,
`type` ...) where kro checks an expression that could name the resource.""",
    wrong="""\
resources:
  - id: instance
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_document=check,
    repairs=(Repair.RENAMED_ID,),
    prefers_repairs=True,
    kro_messages=(_RESERVED,),
)
