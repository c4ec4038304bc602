"""An instance whose kind several definitions declare, each with other fields.

The findings come from `rules/instances.py`; `workspace/nearest.py` chooses.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="several-definitions",
    severity=Severity.INFORMATION,
    summary="Several definitions in the workspace declare the kind of this instance.",
    explanation="""\
A cluster has one definition of a kind, but a workspace can hold several: versions, examples, tenants. An instance is
checked, completed and previewed by one of them. That is one which kro accepts, in the same file if there is one, else
the nearest in the tree of folders, then the first by its path. Of several in one file, one replaces those of the same
name before it when the file is applied, and otherwise the first gets the kind: kro refuses the others, because another
definition owns it. The message names the definition and says why it counts, and the others are linked. Nothing is said
where all of them declare the same fields.

Where nothing but the order of their paths tells definitions apart, an error that another of them does not find is shown
as information.""",
    wrong="",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
)
