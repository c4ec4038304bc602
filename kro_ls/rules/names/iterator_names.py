"""Checks the names of iterators, and how many a resource has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import references
from kro_ls.kro.controller import MOST_DIMENSIONS
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case, to_lower_camel_case
from kro_ls.kro.versions.history import DIMENSIONS_LIMITED, LATER_RESERVED_WORDS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Related, ResourceDeclaration, Severity
from kro_ls.rules.fixes import rename
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Dimension, Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.diagnostics import Fix


_REPEATED = 'duplicate forEach iterator name "{name}"'
_TAKEN = 'forEach iterator name "{name}" conflicts with resource ID'


def check_conflicts(resource: Resource, scope: Scope) -> Findings:
    """Find the iterators whose name another iterator or a resource has."""
    first_of: dict[str, Dimension] = {}
    for dimension in resource.named_iterators:
        name = dimension.name
        if not is_lower_camel_case(name) or name in RESERVED_WORDS:
            continue
        first = first_of.setdefault(name, dimension)
        if first is not dimension:
            message = f"'{name}' is already an iterator of this resource; each needs its own name"
            related = (Related(first.key.span, f"the first iterator '{name}'"),)
            yield Finding(dimension.key.span, message, related, kro_message=_REPEATED.format(name=name))
        elif name in scope.resource_ids or name == resource.id:
            message = f"'{name}' is already the id of a resource; choose another name for the iterator"
            related = (Related(ResourceDeclaration(name), f"the resource '{name}'"),)
            yield Finding(dimension.key.span, message, related, kro_message=_TAKEN.format(name=name))


_NOT_VALID = 'forEach iterator name "{name}" is not valid: must be lowerCamelCase'
_RESERVED = 'forEach iterator name "{name}" is a reserved keyword'


def check_form(resource: Resource, scope: Scope) -> Findings:
    """Find the iterators whose name is not lower camel case, or is reserved."""
    for dimension in resource.named_iterators:
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
        fixes = _fixes(resource, scope, dimension, proposal)
        yield Finding(dimension.key.span, message, fixes=fixes, versions=versions, kro_message=kro_message)


def _fixes(resource: Resource, scope: Scope, dimension: Dimension, proposal: str | None) -> tuple[Fix, ...]:
    taken = resource.iterators | scope.resource_ids | RESERVED_WORDS
    if proposal is None or proposal in taken or not is_lower_camel_case(proposal):
        return ()
    if dimension.name == "schema":
        # Its uses mean the instance.
        return (rename(dimension.key.span, proposal, ()),)
    uses = (reference.span for reference in references(resource) if reference.name == dimension.name)
    return (rename(dimension.key.span, proposal, uses),)


_LETTERS = "abcdefghijk"
_TOO_MANY = "forEach cannot have more than {most} dimensions, got {count}"


def check_count(resource: Resource, _scope: Scope) -> Findings:
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


RULES = (
    # Source: kro `pkg/graph/validation.go` (reference: forEach declarations).
    Rule(
        code="conflicting-iterator-name",
        severity=Severity.ERROR,
        summary="A forEach iterator has the name of a resource or of another iterator.",
        explanation="""\
Within a resource, a name in an expression can mean one thing only. An iterator may therefore not have the id of any
resource, and a resource may not have two iterators of one name. Iterators of different resources may have one name.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: more
    forEach:
      - config: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + config}
""",
        right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: more
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + suffix}
""",
        check_resource=check_conflicts,
        kro_messages=(
            _REPEATED,
            _TAKEN,
        ),
    ),
    # Source: kro `pkg/graph/validation.go` (reference: forEach declarations).
    Rule(
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
        check_resource=check_form,
        kro_messages=(
            _NOT_VALID,
            _RESERVED,
        ),
    ),
    # Source: kro `pkg/graph/validation.go` and its flag `--rgd-max-collection-dimension-size`.
    Rule(
        code="too-many-dimensions",
        severity=Severity.ERROR,
        summary="A resource has more forEach iterators than kro allows.",
        explanation="""\
Each iterator multiplies the number of objects. kro allows ten per resource, unless the cluster was set up with another
limit.""",
        wrong=_example(_LETTERS),
        right=_example(_LETTERS[:-1]),
        check_resource=check_count,
        versions=DIMENSIONS_LIMITED,
        kro_messages=(_TOO_MANY,),
    ),
)
