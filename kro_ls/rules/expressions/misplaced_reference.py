"""A declared name that its place does not allow.

Source: kro `pkg/graph/builder.go` (reference: what each expression may reference).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType, SchemaSection
from kro_ls.analysis.model.sections import misspelling
from kro_ls.analysis.names.references import Meaning, Reference, allowed_meanings, meaning, references
from kro_ls.kro.places import STATUS_PLACES, Place
from kro_ls.kro.rgd_schema import RESOURCE_FIELDS
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import UNKNOWN_IDENTIFIERS, Rule

if TYPE_CHECKING:
    from kro_ls.analysis.scope import NamedScope

_ONLY_IN_CONDITIONS = "runtime is only available in status.conditions expressions"
_NO_EACH = "node each does not exist"


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find declared names that their place does not allow; some cases have rules of their own."""
    for reference in references(part):
        found = meaning(reference.name, part, scope.resource_ids)
        place = reference.expression.place
        if found in allowed_meanings(place, part) or found is Meaning.UNKNOWN:
            continue
        if found is Meaning.SELF and place is not Place.READY_WHEN:
            continue
        if found is Meaning.ITERATOR and place is Place.FOR_EACH:
            continue
        if found is Meaning.RUNTIME and reference.expression.in_field_of_conditions:
            continue  # it needs a newer kro
        if found is Meaning.EACH and misspelling(part.node, "forEach", RESOURCE_FIELDS):
            continue
        if reference.expression.inspection.parsed.is_valid:
            yield _finding(reference, found, part)


def _finding(reference: Reference, found: Meaning, part: Resource | SchemaSection) -> Finding:
    place = reference.expression.place
    unknown = UNKNOWN_IDENTIFIERS.format(names=reference.name)
    if place is Place.READY_WHEN and isinstance(part, Resource):
        return _in_ready_when(reference, unknown, part)
    if found is Meaning.RUNTIME:
        message = "'runtime' is only available in status.conditions"
        return Finding(reference.span, message, kro_message=unknown if place is Place.STATUS else _ONLY_IN_CONDITIONS)
    if found is Meaning.EACH:
        message = "'each' is only available in the readyWhen of a resource with forEach"
        return Finding(reference.span, message, kro_message=unknown if place in STATUS_PLACES else _NO_EACH)
    message = f"the iterator '{reference.name}' is only available in the template, not in {place.value}"
    return Finding(reference.span, message, kro_message=unknown)


def _in_ready_when(reference: Reference, unknown: str, resource: Resource) -> Finding:
    message = f"'{reference.name}' is not available in readyWhen"
    if resource.type is ResourceType.COLLECTION:
        message += "; with forEach, only 'each' is: the object that is looked at"
        fixes = (change_to(reference.span, "each"),) if reference.name == resource.id else ()
        return Finding(reference.span, message, fixes=fixes, kro_message=unknown)
    if resource.id:
        message += f"; only the resource itself is: '{resource.id}'"
    fixes = (change_to(reference.span, resource.id),) if reference.name == "each" and resource.id else ()
    return Finding(reference.span, message, fixes=fixes, kro_message=unknown)


RULE = Rule(
    code="misplaced-reference",
    severity=Severity.ERROR,
    summary="An expression names something that it may not refer to in its place.",
    explanation="""\
What an expression may refer to depends on its place:

- a template: `schema`, other resources, its own iterators;
- `forEach` and `includeWhen`: `schema` and other resources;
- `readyWhen`: the resource itself by its id, or `each` where the resource has a `forEach`;
- a status field: `schema` and resources;
- an entry of `status.conditions`: these and `runtime`.""",
    wrong="""\
resources:
  - id: config
    readyWhen:
      - ${schema.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    readyWhen:
      - ${has(config.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_names=check,
    in_graphs=GRAPHS,
    kro_messages=(
        UNKNOWN_IDENTIFIERS,
        _ONLY_IN_CONDITIONS,
        _NO_EACH,
    ),
)
