"""A definition that is too large for the annotation in which `kubectl apply` keeps what it applied.

Source: k8s.io/apimachinery, pkg/api/validation (ValidateAnnotationsSize); kubectl, pkg/util/apply.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kro_ls.openapi.written_fields import LAST_APPLIED
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, PartFindings, Section, Severity
from kro_ls.rules.rule import BrokenYaml, InTemplates, Rule
from kro_ls.yaml_positions.nodes import key_at, node_at, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.queries.cells import Block

_MOST_BYTES: Final = 262_144
"""Of the annotations of an object together."""
_FEW_CHARACTERS: Final = 200_000
"""Less text is not measured: as JSON it is even smaller, unless it has little ASCII."""
_TOO_LONG = "metadata.annotations: Too long: may not be more than {most} bytes"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find a definition whose resources as JSON exceed the limit of annotations.

    The schema does not count: it is small in comparison, and would be measured with each edit.
    """
    document = rgd.rgd.document
    if document.end - document.start < _FEW_CHARACTERS:
        return
    if len(LAST_APPLIED) + sum(map(_bytes_of_block, rgd.parts.blocks)) <= _MOST_BYTES:
        return
    root = rgd.frame.root
    name = node_at(root, ("metadata", "name")) or key_at(root, ("kind",))
    if name is not None:
        limit = f"{_MOST_BYTES // 1024} KiB as JSON, which 'kubectl apply' refuses"
        message = f"the definition has more than {limit}; use 'kubectl apply --server-side'"
        yield Section.FRAME, Finding(name.span, message, kro_message=_TOO_LONG.format(most=_MOST_BYTES))


@cached
def _bytes_of_block(block: Block[Resource]) -> int:
    return sum(map(_bytes, block))


@cached
def _bytes(resource: Resource) -> int:
    """Return the size of a resource as JSON written by Go, which takes six bytes for each of `<`, `>` and `&`."""
    try:
        text = msgspec.json.encode(to_python(resource.node))
    except (RecursionError, UnicodeEncodeError):
        return 0
    return len(text) + 5 * sum(map(text.count, b"<>&"))


RULE = Rule(
    code="large-definition",
    severity=Severity.WARNING,
    in_broken_yaml=BrokenYaml.HIDDEN,
    summary="A definition is too large for kubectl apply.",
    explanation="""\
`kubectl apply` writes what it applies into an annotation of the object, as JSON, and the annotations of an object have
262,144 bytes at most. A larger definition is refused with `metadata.annotations: Too long`, though kro would take it.
`kubectl apply --server-side`, `kubectl create` and Flux need no such annotation; in Argo CD set
`ServerSideApply=true`. Or take a part of the definition out into one of its own, and use its kind.""",
    check_document=check,
    in_templates=InTemplates.NEVER,
    kro_messages=(_TOO_LONG,),
)
