"""An iterator that does not change the name of the objects.

Source: kro `pkg/graph/builder.go` (all forEach dimensions must be used to produce a unique resource identity).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType, TextFault
from kro_ls.analysis.model.sections import misspelling
from kro_ls.analysis.names.references import Meaning, meaning, references
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Related, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entries, field, items
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, written_as_is

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Dimension, SchemaSection
    from kro_ls.analysis.scope import NamedScope

_REFUSED = frozenset({Meaning.UNKNOWN, Meaning.SELF, Meaning.EACH, Meaning.RUNTIME})
_IDENTITY_FIELDS = ("name", "namespace")
_IDENTITY = tuple(("metadata", name) for name in _IDENTITY_FIELDS)

_MISSING = "all forEach dimensions must be used to produce a unique resource identity, missing: [{names}]"


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the iterators that neither `metadata.name` nor `metadata.namespace` uses."""
    if isinstance(part, Resource) and part.type is ResourceType.COLLECTION and not _unclear(part, scope):
        yield from _unused(part, scope)


def _unused(resource: Resource, scope: NamedScope) -> Findings:
    metadata = field(resource.object, "metadata")
    if not isinstance(metadata, Mapping):
        return
    used = {
        reference.name
        for reference in references(resource)
        if reference.expression.place is Place.TEMPLATE and reference.expression.path in _IDENTITY
    }
    name = field(metadata, "name")
    related = (Related(name.span, "this name has to differ"),) if name and name.end > name.start else ()
    # A second name in one entry of the list has another error.
    surplus = {entry.key for item in items(field(resource.node, "forEach")) for entry in entries(item)[1:]}
    for dimension in {each.name: each for each in reversed(resource.named_iterators)}.values():
        is_id = dimension.name == resource.id or dimension.name in scope.resource_ids
        conflicts = is_id and not resource.form.iterators_hide_ids
        # Text that is no expression yet has another error, and its name may still come to be used.
        is_expression = dimension.expression is not None and dimension.expression.inspection.parsed.is_valid
        if dimension.name not in used and not conflicts and dimension.key not in surplus and is_expression:
            message = f"the iterator '{dimension.name}' is not part of 'metadata.name'; each object needs its own name"
            kro_message = _MISSING.format(names=dimension.name)
            fixes = _fixes(resource, dimension, name)
            yield Finding(dimension.key.span, message, related, fixes, kro_message=kro_message)


def _unclear(resource: Resource, scope: NamedScope) -> bool:
    """Whether the identity has another error, which may hide the use of an iterator."""
    metadata = field(resource.object, "metadata")
    if any(misspelling(metadata, name, _IDENTITY_FIELDS) for name in _IDENTITY_FIELDS):
        return True
    for faulty in resource.faulty_texts:
        if faulty.fault is TextFault.NESTED and faulty.path in _IDENTITY:
            return True
    in_identity = [each for each in resource.expressions if each.path in _IDENTITY and each.place is Place.TEMPLATE]
    if any(not expression.inspection.parsed.is_valid for expression in in_identity):
        return True
    return any(
        reference.expression in in_identity and meaning(reference.name, resource, scope.resource_ids) in _REFUSED
        for reference in references(resource)
    )


def _fixes(resource: Resource, dimension: Dimension, name: object) -> tuple[Fix, ...]:
    quotes = written_as_is(resource.chunk_text, name) if isinstance(name, Scalar) and name.text else None
    if quotes is None or not isinstance(name, Scalar):
        return ()
    end = name.end - quotes
    addition = f"-${{{dimension.name}}}"
    return (Fix(f"Add '{addition}' to metadata.name", (Replacement(Span(end, end), addition),)),)


RULE = Rule(
    code="unused-iterator",
    severity=Severity.ERROR,
    summary="An iterator of forEach is not part of the name.",
    explanation="""\
`forEach` makes one object per combination of its iterators, and each object needs a name of its own. So every iterator
has to occur in `metadata.name`, or in `metadata.namespace` of a namespaced kind.""",
    wrong="""\
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${suffix}
""",
    check_names=check,
    in_graphs=GRAPHS,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    kro_messages=(_MISSING,),
)
