"""An iterator name that is not lower camel case, or reserved.

Source: kro `pkg/graph/validation.go` (reference: forEach declarations).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import references
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case, to_lower_camel_case
from kro_ls.kro.versions.history import LATER_RESERVED_WORDS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import rename
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Dimension, SchemaSection
    from kro_ls.analysis.scope import NamedScope
    from kro_ls.rules.diagnostics import Fix

_NOT_VALID = 'forEach iterator name "{name}" is not valid: must be lowerCamelCase'
_RESERVED = 'forEach iterator name "{name}" is a reserved keyword'


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the iterators whose name is not lower camel case, or is reserved."""
    if not isinstance(part, Resource):
        return
    for dimension in part.named_iterators:
        name = dimension.name
        versions = Versions(since=LATER_RESERVED_WORDS.get(name))
        if not is_lower_camel_case(name):
            kro_message, proposal = _NOT_VALID.format(name=name), to_lower_camel_case(name)
            example = proposal if proposal and is_lower_camel_case(proposal) else "myName"
            message = f"'{name}' is not a valid iterator name; expected lower camel case, such as '{example}'"
        elif name in RESERVED_WORDS or name in LATER_RESERVED_WORDS:
            kro_message, proposal = _RESERVED.format(name=name), f"{name}Value"
            message = f"'{name}' is reserved and cannot be an iterator; choose another name"
        else:
            continue
        fixes = _fixes(part, scope, dimension, proposal)
        yield Finding(dimension.key.span, message, fixes=fixes, versions=versions, kro_message=kro_message)


def _fixes(resource: Resource, scope: NamedScope, dimension: Dimension, proposal: str | None) -> tuple[Fix, ...]:
    taken = resource.iterators | scope.resource_ids | RESERVED_WORDS
    if proposal is None or proposal in taken or not is_lower_camel_case(proposal):
        return ()
    if dimension.name == "schema":
        # Its uses mean the instance.
        return (rename(dimension.key.span, proposal, ()),)
    uses = (reference.span for reference in references(resource) if reference.name == dimension.name)
    return (rename(dimension.key.span, proposal, uses),)


RULE = Rule(
    code="invalid-iterator-name",
    severity=Severity.ERROR,
    summary="The name of a forEach iterator is not lower camel case, or reserved.",
    explanation="""\
An iterator is a name in CEL: it begins with a lower-case letter and holds letters and digits only. The words that are
reserved for resource ids are reserved for iterators too; `item`, `items` and `each` are among them.""",
    wrong="""\
resources:
  - id: configs
    forEach:
      - item: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + item}
""",
    right="""\
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + suffix}
""",
    check_names=check,
    kro_messages=(
        _NOT_VALID,
        _RESERVED,
    ),
)
