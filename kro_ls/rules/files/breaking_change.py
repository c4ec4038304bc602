"""A change of a definition since a commit that kro would not apply to the CRD in a cluster.

Source: kro pkg/graph/crd/compat; `workspace/evolution.py` compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.files.reported_places import reported
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.crd.compatibility import Change
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.positions import Span


def check_change(change: Change, field: str, span: Span, ref: str, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the diagnostic about a change since the commit `ref` that kro does not apply."""
    about = f"{field}: " if field else ""
    message = f"{about}{change.plain} since {ref}; kro would not apply this breaking change"
    yield from reported(RULE, settings, span, message, change.description)


RULE = Rule(
    code="breaking-change",
    severity=Severity.WARNING,
    summary="A change since a commit would break the instances that exist.",
    explanation="""\
kro compares the CustomResourceDefinition of a changed definition with the one in the cluster and does not apply a
breaking change: a removed field, another type, a field that is newly required, a removed enum value, a pattern or a
bound that is new or tighter. With the annotation `kro.run/allow-breaking-changes: "true"` it does. This rule compares
with the commit that the setting `kro.compareWith` names; `kro-ls diff` also shows the affected instances.""",
)
