"""Names, labels and annotations in `spec.schema` for which Kubernetes refuses the CRD that kro generates.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.crd.acceptance import refusals
from kro_ls.kro.identifiers import is_kind
from kro_ls.kro.versions.history import EMPTY_GROUP_KEPT
from kro_ls.kro.versions.version import ALL
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import field, key_at, node_at, resolved, text_of, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find names, groups and printer columns that no CRD can have."""
    names = ("kind", "group", "metadata", "additionalPrinterColumns")
    values = {name: to_python(field(section.node, name)) for name in names}
    for refusal in refusals(values):
        if refusal.path == ("kind",) and not is_kind(section.kind or ""):
            continue  # kro refuses it already
        node = (key_at if refusal.is_key else node_at)(section.node, refusal.path)
        marked = node if refusal.is_key else resolved(node)
        if marked is not None and text_of(marked) is not None:
            versions = EMPTY_GROUP_KEPT if refusal.path == ("group",) and not values["group"] else ALL
            yield Finding(marked.span, f"{refusal.message}; Kubernetes will refuse the CRD", versions=versions)


RULE = Rule(
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
    check_outline=check,
)
