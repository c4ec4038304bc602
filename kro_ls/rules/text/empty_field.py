"""A field with nothing after it, which some clients drop and the API server refuses from the others.

Source: the ResourceGraphDefinition CRD; kubectl, which drops nulls; a real cluster's answer to a server-side apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.forms import RESOURCE as OF_A_DEFINITION
from kro_ls.kro.rgd_schema import RESOURCE, SCHEMA_SECTION
from kro_ls.openapi.schema import Schema
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import BrokenYaml, InTemplates, Rule
from kro_ls.yaml_positions.nodes import entries, is_null

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.yaml_positions.nodes import Node

_REPORTED = ("template", "externalRef")
"""Other rules report these, and required fields, if they are empty."""


def _refused(schema: JsonObject) -> dict[str, str]:
    """Return the types of the fields that are refused if they are empty. The API server fills in defaults itself."""
    fields = Schema(schema)
    others = (*_REPORTED, *fields.required)
    return {
        name: field.types[0] if field.types else "object"
        for name, field in fields.properties.items()
        if name not in others and "default" not in field.raw
    }


_OF_A_RESOURCE = _refused(RESOURCE)
_OF_THE_SCHEMA = _refused(SCHEMA_SECTION)
_REFUSED = '{path}: Invalid value: "null": {path} in body must be of type {type}: "null"'


def check_resource(resource: Resource, _scope: Scope) -> Findings:
    """Find the empty fields of an entry of `spec.resources`."""
    if resource.form is OF_A_DEFINITION:
        yield from _empty(resource.node, _OF_A_RESOURCE, resource.chunk_text, "spec.resources[*].")


def check_outline(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the empty fields of the schema section."""
    yield from _empty(section.node, _OF_THE_SCHEMA, section.chunk_text, "spec.schema.")


def _empty(node: Node, types: dict[str, str], text: str, above: str) -> Findings:
    for entry in entries(node):
        expected = types.get(entry.name or "")
        if expected is None or not is_null(entry.value):
            continue
        message = f"'{entry.name}' is empty; a server-side apply, as of Flux and Argo CD, is refused"
        edit = remove_entry(text, entry, ())
        fixes = (Fix(f"Remove '{entry.name}'", (edit,)),) if edit else ()
        kro_message = _REFUSED.format(path=f"{above}{entry.name}", type=expected)
        yield Finding(entry.key.span, message, fixes=fixes, kro_message=kro_message)


RULE = Rule(
    code="empty-field",
    severity=Severity.HINT,
    in_broken_yaml=BrokenYaml.HIDDEN,
    summary="A field has no value, which server-side apply refuses.",
    explanation="""\
A key with nothing after it has the value null. `kubectl apply` and `kubectl create` leave such fields out, so all is
well with them. Server-side apply sends the null, and the API server refuses it: with `kubectl apply --server-side`,
with Flux, and with Argo CD where it uses `ServerSideApply=true`. Remove the key, or give it a value.""",
    wrong="""\
resources:
  - id: config
    readyWhen:
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_resource=check_resource,
    check_outline=check_outline,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    kro_messages=(_REFUSED,),
)
