"""A custom kind that no known CustomResourceDefinition declares.

kro refuses a kind that its cluster does not have, but only the cluster knows which it has.
"""

from __future__ import annotations

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.missing_kinds import NOT_RESOLVED
from kro_ls.rules.rule import Repair, Rule

RULE = Rule(
    code="unknown-kind",
    severity=Severity.HINT,
    summary="No known CustomResourceDefinition declares this kind.",
    explanation="""\
Nothing is checked in templates of a kind whose schema is unknown, and expressions may read anything from it. Add the
CustomResourceDefinition to the workspace, or name the folder that holds it in the setting `kro.crds`. kro itself needs
the kind in its cluster; where all kinds are known, raise the severity of this rule to `error`.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: example.com/v1
      kind: Bucket
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    in_graphs=GRAPHS,
    waits_for="kinds",
    repairs=(Repair.KNOWN_KIND,),
    kro_messages=(NOT_RESOLVED,),
)
