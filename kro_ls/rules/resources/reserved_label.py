"""Labels and annotations that kro reserves.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.labels import RESERVED_PREFIXES
from kro_ls.kro.versions.history import INTERNAL_LABELS_REFUSED, KRO_LABELS_REFUSED
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import entries, field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_RESERVED = 'invalid {what} for resource "{id}": {names} with prefix "{prefix}" are reserved for internal use'


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find the labels and annotations of a template with a reserved prefix."""
    metadata = field(resource.template, "metadata")
    for name, singular in (("labels", "label"), ("annotations", "annotation")):
        for entry in entries(field(metadata, name)):
            prefix = next((each for each in RESERVED_PREFIXES if (entry.name or "").startswith(each)), None)
            if prefix:
                is_old = name == "labels" and prefix == RESERVED_PREFIXES[0]
                yield Finding(
                    entry.key.span,
                    f"{name} that begin with '{prefix}' are reserved for kro; choose another prefix",
                    kro_message=_RESERVED.format(what=singular, id=resource.id or "", names=name, prefix=prefix),
                    versions=KRO_LABELS_REFUSED if is_old else INTERNAL_LABELS_REFUSED,
                )


RULE = Rule(
    code="reserved-label",
    severity=Severity.ERROR,
    summary="A label or annotation has a prefix that is reserved for kro.",
    explanation="""\
kro marks what it creates with labels and annotations under `kro.run/` and `internal.kro.run/`. A template cannot set
these itself. Prefixes such as `app.kro.run/` are free.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          kro.run/team: web
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          example.com/team: web
""",
    check_resource=check,
    kro_messages=(_RESERVED,),
)
