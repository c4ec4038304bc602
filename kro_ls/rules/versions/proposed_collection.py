"""A collection in the form that the proposal KREP-2 had, not in that of kro.

Source: the ResourceGraphDefinition CRD, in which `forEach`, `readyWhen` and `includeWhen` are lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.forms import KREP_2_FORM
from kro_ls.kro.krep_2 import SELECTOR
from kro_ls.kro.versions.version import KREP_2, WITHOUT_KREP_2
from kro_ls.rules.diagnostics import Finding, Findings, Fix, PartFindings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.versions.krep_2_ranges import range_calls, without_ranges
from kro_ls.yaml_positions.nodes import entry_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection

_WHICH = f"this is the form that KREP-2 proposed (choose the version '{KREP_2}' to have it checked)"


_NO_LIST = "spec.resources[{number}].forEach in body must be of type array"
_NO_SELECTOR = 'unknown field "spec.resources[{number}].externalRef.selector"'
_NO_RANGE = "uses unknown functions: [{{range}}]"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the collections in the form of the proposal; the fix gives them kro's form."""
    if not rgd.table.aliased:
        return
    for number, resource in enumerate(rgd.parts):
        if resource.collection is KREP_2_FORM:
            from kro_ls.rules.versions.krep_2_rewriting import rewriting

            found = rewriting(rgd, number)
            fixes = (Fix("Change to the form of kro", found.edits, found.keeps_meaning),) if found.edits else ()
            yield number, _finding(resource, " ".join(("", *found.obstacles)), fixes)


def _finding(resource: Resource, obstacles: str, fixes: tuple[Fix, ...]) -> Finding:
    if resource.dimensions:
        message = f"'forEach' must be a list of iterators; {_WHICH}{obstacles}"
        span = resource.dimensions[0].key.span
        return Finding(span, message, fixes=fixes, versions=WITHOUT_KREP_2, kro_message=_NO_LIST.format(number="*"))
    selector = entry_of(resource.external_reference, SELECTOR)
    message = f"unknown field 'selector'; it stands in 'metadata' of the reference; {_WHICH}{obstacles}"
    span = (selector.key if selector else resource.node).span
    kro_message = _NO_SELECTOR.format(number="*")
    return Finding(span, message, fixes=fixes, versions=WITHOUT_KREP_2, kro_message=kro_message)


def check_part(part: Resource | SchemaSection) -> Findings:
    """Find the calls of `range` in a part of kro's own form."""
    for expression in part.expressions:
        for call in range_calls(expression.inspection):
            edit = without_ranges(part, expression)
            fixes = (Fix("Change to 'lists.range'", (edit,), keeps_meaning=True),) if edit else ()
            message = "unknown function 'range', which KREP-2 proposed; kro has 'lists.range'"
            span = expression.span(*call.name_span)
            yield Finding(span, message, fixes=fixes, versions=WITHOUT_KREP_2, kro_message=_NO_RANGE.format())


RULE = Rule(
    code="proposed-collection",
    severity=Severity.ERROR,
    summary="A collection is written as KREP-2 proposed it, not as kro has it.",
    explanation="""\
The first text of the proposal KREP-2 had one expression in `forEach`, with `each.item`, `each.index`, `each.key`,
`each.value` and `each.length` in the template, one expression over the collection in `readyWhen`, `range(a, b)`,
`workers.items`, and `externalRef.selector`. kro 0.8 brought another form: a list of iterators with names, and
conditions that look at one object as `each`; selectors stand in `externalRef.metadata`. The quick fix, and
`kro-ls upgrade`, rewrite what has the same meaning there. With the version `krep-2` everything is checked, typed and
previewed as proposed.""",
    wrong="""\
resources:
  - id: configs
    forEach: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${each.item}
""",
    right="""\
resources:
  - id: configs
    forEach:
      - config: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${config}
""",
    check_resource=lambda resource, _scope: iter(()) if resource.collection is KREP_2_FORM else check_part(resource),
    check_schema=lambda section, _scope: check_part(section),
    check_document=check,
    kro_messages=(
        _NO_LIST,
        _NO_SELECTOR,
        _NO_RANGE,
    ),
)
