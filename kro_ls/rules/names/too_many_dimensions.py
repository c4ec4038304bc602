"""More iterators than kro allows in one resource.

Source: kro `pkg/graph/validation.go` and its flag `--rgd-max-collection-dimension-size`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.controller import MOST_DIMENSIONS
from kro_ls.kro.versions.history import DIMENSIONS_LIMITED
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_LETTERS = "abcdefghijk"
_TOO_MANY = "forEach cannot have more than {most} dimensions, got {count}"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find the first iterator over the limit."""
    if len(resource.dimensions) > MOST_DIMENSIONS:
        count = len(resource.dimensions)
        message = f"forEach has {count} iterators; kro allows at most {MOST_DIMENSIONS}"
        kro_message = _TOO_MANY.format(most=MOST_DIMENSIONS, count=count)
        yield Finding(resource.dimensions[MOST_DIMENSIONS].key.span, message, kro_message=kro_message)


def _example(letters: str) -> str:
    iterators = "\n".join(f'      - {letter}: ${{["0", "1"]}}' for letter in letters)
    name = " + ".join(letters)
    return f"""\
resources:
  - id: configs
    forEach:
{iterators}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{{name}}}
"""


RULE = Rule(
    code="too-many-dimensions",
    severity=Severity.ERROR,
    summary="A resource has more forEach iterators than kro allows.",
    explanation="""\
Each iterator multiplies the number of objects. kro allows ten per resource, unless the cluster was set up with another
limit.""",
    wrong=_example(_LETTERS),
    right=_example(_LETTERS[:-1]),
    check_resource=check,
    versions=DIMENSIONS_LIMITED,
    kro_messages=(_TOO_MANY,),
)
