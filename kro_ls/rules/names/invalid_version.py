"""A version for the new API that the API server refuses.

Source: the pattern of `spec.schema.apiVersion` in kro's ResourceGraphDefinition CRD.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.kro.identifiers import is_version
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entry_of, field, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope

_REFUSED = (
    'spec.schema.apiVersion: Invalid value: "{version}": spec.schema.apiVersion in body should match '
    "'^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$'"
)


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find a `spec.schema.apiVersion` that is not a bare Kubernetes version."""
    node = field(section.node, "apiVersion")
    version = text_of(node)
    if version is None or is_version(version) or not isinstance(node, Scalar):
        return
    group, slash, bare_version = version.rpartition("/")
    if slash:
        message = f"'{version}' must be a version alone; the group goes into 'group'"
        fixes = _split(section, node, group, bare_version) if is_version(bare_version) else ()
    else:
        message = f"'{version}' is not a version; expected one such as 'v1', 'v1beta1' or 'v1alpha1'"
        fixes = tuple(change_to(node.span, proposal) for proposal in _proposals(version)[:1])
    yield Finding(node.span, message, fixes=fixes, kro_message=_REFUSED.format(version=version))


def _proposals(version: str) -> list[str]:
    lower = version.strip().lower()
    major = re.match(r"v?[0-9]+", lower)
    candidates = (lower, f"v{lower}", f"v1{lower}", re.sub(r"[-_\s]", "", lower), major.group() if major else "")
    spelled = (candidate if candidate.startswith("v") else f"v{candidate}" for candidate in candidates)
    return [proposal for proposal in spelled if is_version(proposal)]


def _split(section: SchemaSection, node: Scalar, group: str, version: str) -> tuple[Fix, ...]:
    """Return the fix that keeps the version, and moves the group to its own field if that is missing."""
    keep_version = Replacement(node.span, version)
    present = entry_of(section.node, "group")
    if present or group == DEFAULT_GROUP:
        return (Fix(f"Change to '{version}'", (keep_version,)),)
    key = entry_of(section.node, "apiVersion")
    if key is None or not isinstance(section.node, Mapping) or section.node.flow:
        return ()
    text = section.chunk_text
    indentation = text[text.rfind("\n", 0, key.start) + 1 : key.start]
    if indentation.strip():
        return ()
    add_group = Replacement(Span(key.start, key.start), f"group: {group}\n{indentation}")
    return (Fix(f"Move the group to 'group: {group}'", (add_group, keep_version)),)


RULE = Rule(
    code="invalid-version",
    severity=Severity.ERROR,
    summary="The version of the new API is not a Kubernetes version.",
    explanation="""\
`spec.schema.apiVersion` is the bare version of the new API: `v1`, `v1beta2`, `v1alpha1`. Unlike the `apiVersion` of an
object it holds no group; the group stands in `spec.schema.group` and is `kro.run` if left out.""",
    wrong="""\
schema:
  apiVersion: example.com/v1alpha1
  kind: WebApp
""",
    right="""\
schema:
  apiVersion: v1alpha1
  group: example.com
  kind: WebApp
""",
    check_outline=check,
    repairs=(Repair.VERSION_FORM,),
    kro_messages=(_REFUSED,),
)
