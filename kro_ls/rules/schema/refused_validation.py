"""A `validation` rule that the API server refuses.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import PartFindings, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.schema.simple_schema_findings import findings

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis

_MARKERS = frozenset({"validation", "immutable"})


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the faults of all rules together, because their total cost is limited."""
    section = rgd.section
    if section is None:
        return
    result = simple_schema(section)
    if result.markers.isdisjoint(_MARKERS):
        return  # as in most schemas, for which the compiler of rules need not be loaded
    from kro_ls.analysis.crd.validation_rules import rule_warnings

    for _, finding in findings(section, rule_warnings(result)):
        yield Section.SCHEMA, finding


RULE = Rule(
    code="refused-validation",
    severity=Severity.WARNING,
    summary="Kubernetes refuses a validation rule of the schema.",
    explanation="""\
kro copies the rules of `validation` into the CRD without looking at them. Kubernetes compiles them: a rule must be a
boolean expression about `self`, with the functions of Kubernetes alone (kro's own are not there, nor is `cel.bind`).
It also estimates what a rule can cost for the largest instance that the schema allows, and refuses one that costs too
much: then bound the lists, maps and texts with `maxItems` and `maxLength`. `oldSelf`, and with it `immutable`, cannot
be used inside lists other than those of `listType=map`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: integer | validation="self.startsWith('a')"
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: integer | validation="self % 2 == 0"
""",
    check_document=check,
    kro_messages=("compilation failed: {problem}",),
)
