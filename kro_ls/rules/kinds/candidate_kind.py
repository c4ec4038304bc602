"""The kind Graph, which comes with kro 0.10; so far there are candidates of that version.

Source: kro `api/v1alpha1/graph_types.go`, `pkg/features/features.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.rules.diagnostics import Finding, PartFindings, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import field

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find each Graph."""
    kind = field(rgd.frame.root, "kind") if rgd.form.versions is not ALL and rgd.rgd.outer is None else None
    if kind is None:
        return
    before = "the kind 'Graph' needs kro 0.10; choose that version to have it checked"
    yield Section.FRAME, Finding(kind.span, before, versions=Versions(before=GRAPHS.since), severity=Severity.WARNING)
    candidate = "the kind 'Graph' may still change; its feature gate 'GraphKind' is off by default"
    yield Section.FRAME, Finding(kind.span, candidate, versions=GRAPHS)


RULE = Rule(
    code="candidate-kind",
    severity=Severity.HINT,
    summary="A kind that only candidates of kro have.",
    explanation="""\
kro 0.10 brings the kind Graph: nodes that need no kind of their own. It is checked as the commits before that release
have it, where the version 0.10 is set; what it means may change. Clusters with an older kro do not know the kind.""",
    check_document=check,
    in_graphs=ALL,
)
