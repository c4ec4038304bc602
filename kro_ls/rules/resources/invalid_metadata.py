"""Metadata of a template that the API server refuses for an object of any kind: labels, annotations and the like.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go. What a name may be depends on the kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.validation.object_meta import metadata_errors
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import entries, field, items, key_at, node_at, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.yaml_positions.nodes import Node

_EXPRESSION = "${"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find the faults of a template's metadata that no value of its expressions avoids."""
    metadata = field(resource.template, "metadata")
    value: JsonObject = {"name": "checked-elsewhere", "namespace": _literal(field(metadata, "namespace"))}
    for name in ("labels", "annotations"):
        written = entries(field(metadata, name))
        value[name] = {
            each.name: _literal(each.value) for each in written if each.name is not None and _is_literal(each.name)
        }
    value["finalizers"] = [_literal(each) for each in items(field(metadata, "finalizers"))]
    seen: set[tuple[Path, bool]] = set()
    for error in metadata_errors({"metadata": value}, namespaced=True, name_problems=lambda _: ()):
        path = error.path[1:]
        node = (key_at if error.in_key else node_at)(metadata, path)
        if node is not None and (path, error.in_key) not in seen:
            seen.add((path, error.in_key))
            yield Finding(node.span, plain(error), kro_message=error.text)


def _is_literal(text: str | None) -> bool:
    return text is not None and _EXPRESSION not in text


def _literal(node: Node | None) -> JsonValue:
    """Return a literal text; None for expressions and other types, which kro checks."""
    text = text_of(node)
    return text if _is_literal(text) else None


RULE = Rule(
    code="invalid-metadata",
    severity=Severity.WARNING,
    summary="The API server refuses the labels, annotations or finalizers of a template.",
    explanation="""\
kro takes any text in `metadata`, and the API server refuses the object when kro applies it. The value of a label and
the name in a key have at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; a key may have
a domain and a slash before its name. Annotations have at most 256 KiB together. Values of expressions are not looked
at.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          team: web shop
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
          team: web-shop
""",
    check_resource=check,
    kro_messages=(
        "{path}: Invalid value: {value}: a valid label must be an empty string or consist of {characters}",
        "{path}: Invalid value: {value}: name part must consist of {characters}",
        "{path}: Invalid value: {value}: prefix part {problem}",
    ),
)
