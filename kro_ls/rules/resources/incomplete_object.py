"""A template that is not a Kubernetes object: `apiVersion`, `kind` or `metadata` are missing or have a wrong type.

Source: kro `pkg/graph/validation.go`. External references are checked by the ResourceGraphDefinition's own schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import misspelling
from kro_ls.kro.identifiers import REQUIRED_TEMPLATE_FIELDS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import BrokenYaml, InTemplates, Repair, Rule
from kro_ls.spelling import listed
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entry_of, is_null, resolved, set_entry

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Entry

_FIELDS = ("apiVersion", "kind", "metadata")
_NOT_FOUND = "resource {id} is not a valid Kubernetes object: {field} field not found"
_WRONG_TYPE = "resource {id} is not a valid Kubernetes object: {field} field is not {type}"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find the missing fields of a template; a similar key beside a missing one is marked instead."""
    template = resource.template
    if not isinstance(template, Mapping) or set_entry(resource.node, "externalRef"):
        # A resource with both has another error.
        return
    id_ = resource.id or ""
    missing: list[str] = []
    for name in REQUIRED_TEMPLATE_FIELDS:
        entry = entry_of(template, name)
        if entry:
            yield from _check_type(entry, name, id_)
        elif typo := misspelling(template, name, REQUIRED_TEMPLATE_FIELDS):
            message = f"unknown field '{typo.name}'; did you mean '{name}' (which is required)?"
            kro_message = _NOT_FOUND.format(id=id_, field=name)
            yield Finding(typo.key.span, message, fixes=(change_to(typo.key.span, name),), kro_message=kro_message)
        else:
            missing.append(name)
    key = entry_of(resource.node, "template")
    if missing and key:
        verb = "is" if len(missing) == 1 else "are"
        needed = "them" if len(missing) == len(_FIELDS) else listed(_FIELDS, "and")
        message = f"{listed(missing, 'and')} {verb} missing; every Kubernetes object needs {needed}"
        yield Finding(key.key.span, message, kro_message=_NOT_FOUND.format(id=id_, field=missing[0]))


def _check_type(entry: Entry, name: str, id_: str) -> Findings:
    value = resolved(entry.value)
    if name == "metadata":
        valid, expected, wanted = isinstance(value, Mapping), "a map", "a mapping"
    else:
        valid, expected, wanted = isinstance(value, Scalar) and isinstance(value.value, str), "a string", "a string"
    if not valid:
        place = entry.value if entry.value.end > entry.value.start else entry.key
        kro_message = _WRONG_TYPE.format(id=id_, field=name, type=expected)
        message = f"'{name}' is empty; it must be {wanted}" if is_null(value) else f"'{name}' must be {wanted}"
        yield Finding(place.span, message, kro_message=kro_message)


RULE = Rule(
    code="incomplete-object",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.HIDDEN,
    summary="A template lacks apiVersion, kind or metadata.",
    explanation="""\
A template is a Kubernetes object. kro has to know its kind before anything runs, so `apiVersion` and `kind` are plain
strings and `metadata` is a mapping; none of the three can come from an expression as a whole.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      knd: ConfigMap
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
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    repairs=(Repair.LINES_OF_EMPTY_FIELD, Repair.GLUED_KEYS, Repair.WRONG_VALUE, Repair.COMPLETED_OBJECT),
    kro_messages=(
        _NOT_FOUND,
        _WRONG_TYPE,
    ),
)
