"""Checks `apiVersion` and `kind` of templates and external references: kro must be able to look up the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.kro.identifiers import is_template_kind
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


_NOT_RESOLVED = 'cannot resolve group version "{version}"'
_API_VERSION_INVALID = 'invalid apiVersion format "{version}": unexpected GroupVersion string: {version}'


def check_api_version(resource: Resource, _scope: Scope) -> Findings:
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
        yield Finding(node.span, _message(version), kro_message=_API_VERSION_INVALID.format(version=version))


def _message(version: str) -> str:
    return f"'{version}' is not a valid apiVersion; expected 'group/version', such as 'apps/v1', or 'v1'"


_KIND_INVALID = 'invalid kind "{kind}": must be a valid DNS-1035 label when lowercased'


def check_kind(resource: Resource, _scope: Scope) -> Findings:
    """Find a kind that cannot be the name of a kind."""
    node = field(resource.object, "kind")
    kind = text_of(node)
    if kind is None or is_template_kind(kind) or not isinstance(node, Scalar):
        return
    message = f"'{kind}' is not a valid kind; expected letters, digits and '-', such as 'ConfigMap'"
    if extract(kind).expressions:
        message = "'kind' cannot hold an expression; kro must know the kind before it evaluates any"
    trimmed = kind.strip()
    fixes = (change_to(node.span, trimmed),) if is_template_kind(trimmed) else ()
    yield Finding(node.span, message, fixes=fixes, kro_message=_KIND_INVALID.format(kind=kind))


RULES = (
    # Source: kro `pkg/metadata` (it splits apiVersion as apimachinery does) and `pkg/graph/builder.go`.
    Rule(
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
        check_resource=check_api_version,
        in_graphs=GRAPHS,
        kro_messages=(
            _NOT_RESOLVED,
            _API_VERSION_INVALID,
        ),
    ),
    # Source: kro `pkg/metadata` (the lower-cased kind has to be a DNS-1035 label).
    Rule(
        code="invalid-template-kind",
        severity=Severity.ERROR,
        summary="The kind of a template cannot be the name of a kind.",
        explanation="""\
A kind begins with a letter and holds letters, digits and `-`, at most 63 of them. It cannot hold an expression, because
kro looks the kind up before any expression is evaluated.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: Config_Map
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
        check_resource=check_kind,
        kro_messages=(_KIND_INVALID,),
    ),
)
