"""An `apiVersion` of a template or an external reference that is not a group and a version.

Source: kro `pkg/metadata` (it splits apiVersion as apimachinery does) and `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Scalar, field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_NOT_RESOLVED = 'cannot resolve group version "{version}"'
_INVALID = 'invalid apiVersion format "{version}": unexpected GroupVersion string: {version}'


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find an apiVersion without a version, with two slashes, or with an expression."""
    node = field(resource.object, "apiVersion")
    version = text_of(node)
    if version is None or not isinstance(node, Scalar):
        return
    if extract(version).expressions:
        message = "'apiVersion' cannot hold an expression; kro must know the kind before it evaluates any"
        yield Finding(node.span, message, kro_message=_NOT_RESOLVED.format(version=version))
    elif version in ("", "/"):
        yield Finding(node.span, _message(version), kro_message=_NOT_RESOLVED.format(version=version))
    elif version.count("/") > 1:
        yield Finding(node.span, _message(version), kro_message=_INVALID.format(version=version))


def _message(version: str) -> str:
    return f"'{version}' is not a valid apiVersion; expected 'group/version', such as 'apps/v1', or 'v1'"


RULE = Rule(
    code="invalid-api-version",
    severity=Severity.ERROR,
    summary="The apiVersion of a template is not group/version.",
    explanation="""\
The `apiVersion` of an object is a version (`v1`) or a group, one slash and a version (`apps/v1`). It cannot hold an
expression, because kro looks the kind up before any expression is evaluated.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: core/v1/configmaps
      kind: ConfigMap
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
    check_resource=check,
    in_graphs=GRAPHS,
    kro_messages=(
        _NOT_RESOLVED,
        _INVALID,
    ),
)
