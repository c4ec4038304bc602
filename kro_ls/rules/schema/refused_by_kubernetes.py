"""Finds what Kubernetes refuses in the CRD that kro generates: names, labels, annotations and `validation` rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.crd.acceptance import refusals
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.identifiers import is_kind
from kro_ls.kro.versions.history import EMPTY_GROUP_KEPT
from kro_ls.kro.versions.version import ALL
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule, SchemaAs
from kro_ls.rules.schema.simple_schema_findings import findings
from kro_ls.yaml_positions.access import ExcessiveAliasingError, field, key_at, node_at, resolved, text_of, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope


def check_crd(section: SchemaSection, _scope: Scope) -> Findings:
    """Find names, groups and printer columns that no CRD can have."""
    names = ("kind", "group", "metadata", "additionalPrinterColumns")
    try:
        values = {name: to_python(field(section.node, name)) for name in names}
    except ExcessiveAliasingError:
        return
    for refusal in refusals(values):
        if refusal.path == ("kind",) and not is_kind(section.kind or ""):
            continue  # kro refuses it already
        node = (key_at if refusal.is_key else node_at)(section.node, refusal.path)
        marked = node if refusal.is_key else resolved(node)
        if marked is not None and text_of(marked) is not None:
            versions = EMPTY_GROUP_KEPT if refusal.path == ("group",) and not values["group"] else ALL
            yield Finding(marked.span, f"{refusal.message}; Kubernetes will refuse the CRD", versions=versions)


_MARKERS = frozenset({"validation", "immutable"})


def check_validation(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the faults of all rules together, because their total cost is limited."""
    result = simple_schema(section)
    if result.markers.isdisjoint(_MARKERS):
        return  # as in most schemas, for which the compiler of rules need not be loaded
    from kro_ls.analysis.crd.validation_rules import rule_warnings

    for _, finding in findings(section, rule_warnings(result)):
        yield finding


RULES = (
    # Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
    Rule(
        code="refused-crd",
        severity=Severity.WARNING,
        summary="Kubernetes refuses the CRD that kro generates.",
        explanation="""\
kro makes a CRD from `spec.schema` and does not check whether Kubernetes accepts it. The group must be a domain name,
the plural that kro forms of the kind must be a name, labels and annotations follow the rules of Kubernetes, and printer
columns need a known type and a JSON path that begins with a dot.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  group: platform
  spec:
    name: string
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  group: platform.example.com
  spec:
    name: string
""",
        check_schema=check_crd,
        schema_as=SchemaAs.HEAD,
    ),
    # Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
    Rule(
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
        check_schema=check_validation,
        schema_as=SchemaAs.WHOLE,
        kro_messages=("compilation failed: {problem}",),
    ),
)
