"""A resource that is neither one thing nor the other: `template` or `externalRef`, `name` or `selector`.

Source: kro `pkg/graph/builder.go` and the CEL rules in the ResourceGraphDefinition CRD. An unknown key that looks like
the missing one is only reported as an unknown field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import misspelling
from kro_ls.kro.forms import REFERENCE_FORMS, RESOURCE_FORMS
from kro_ls.kro.rgd_schema import REFERENCE_METADATA_FIELDS, RESOURCE_FIELDS
from kro_ls.rules.diagnostics import Finding, Findings, Related, Severity
from kro_ls.rules.rule import BrokenYaml, InTemplates, Repair, Rule
from kro_ls.spelling import listed
from kro_ls.yaml_positions.nodes import Mapping, entry_of, items, resolved, set_entry

if TYPE_CHECKING:
    from collections.abc import Collection

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

_NO_COLLECTION = "cannot use externalRef with forEach"
_EXACTLY_ONE = "exactly one of {one} or {other} must be provided"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find resources and external references with neither or both of two alternatives."""
    node = resolved(resource.node)
    if not isinstance(node, Mapping):
        return
    empty = next(filter(None, (entry_of(node, name) for name in RESOURCE_FORMS)), None)
    place = empty.key.span if empty else resource.id_node.span if resource.id_node else _first_key(node)
    lacking = "this is empty; expected an object" if empty else ""
    yield from _exactly_one(node, RESOURCE_FORMS, RESOURCE_FIELDS, place, lacking)
    reference = set_entry(node, "externalRef")
    for_each = set_entry(node, "forEach")
    if reference is None or set_entry(node, "template"):
        return
    if for_each and items(for_each.value):
        related = (Related(reference.key.span, "kro only reads what this refers to"),)
        message = "'forEach' cannot repeat an 'externalRef'; it repeats templates alone"
        yield Finding(for_each.key.span, message, related, kro_message=_NO_COLLECTION)
    metadata = set_entry(reference.value, "metadata")
    if metadata and isinstance(resolved(metadata.value), Mapping):
        yield from _exactly_one(metadata.value, REFERENCE_FORMS, REFERENCE_METADATA_FIELDS, metadata.key.span)


def _exactly_one(
    node: Node, names: tuple[str, str], known: Collection[str], place: Span, lacking: str = ""
) -> Findings:
    """Find neither or both of two entries; `lacking` replaces the usual message for neither."""
    found = [entry for name in names if (entry := set_entry(node, name))]
    if len(found) == 1:
        return
    kro_message = _EXACTLY_ONE.format(one=names[0], other=names[1])
    if found:
        found.sort(key=lambda entry: entry.start)
        message = f"both {listed(names, 'and')} are given; remove one of the two"
        related = (Related(found[0].key.span, "the other"),)
        yield Finding(found[1].key.span, message, related, kro_message=kro_message)
    elif not any(misspelling(node, name, known) for name in names):
        message = lacking or f"neither {listed(names, 'nor')} is given; expected one of the two"
        yield Finding(place, message, kro_message=kro_message)


def _first_key(node: Mapping) -> Span:
    return node.entries[0].key.span if node.entries else node.span


RULE = Rule(
    code="resource-form",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.HIDDEN,
    summary="A resource has neither or both of template and externalRef.",
    explanation="""\
A resource is an object that kro creates (`template`), several of them (`template` with `forEach`), or objects that
exist already and are only read (`externalRef`). An external reference finds its objects either by `metadata.name` or by
`metadata.selector`, and cannot have a `forEach`.""",
    wrong="""\
resources:
  - id: config
    readyWhen:
      - ${has(config.metadata.annotations)}
""",
    right="""\
resources:
  - id: config
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
    readyWhen:
      - ${has(config.metadata.annotations)}
""",
    check_resource=check,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    repairs=(Repair.GLUED_KEYS, Repair.MENDED_LINES, Repair.ADDED_TEMPLATE),
    kro_messages=(
        _NO_COLLECTION,
        _EXACTLY_ONE,
    ),
)
