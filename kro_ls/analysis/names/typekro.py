"""How older versions of TypeKro read the instance and resources, and how kro does.

`self.spec.x` is `schema.spec.x`; `resources.web.status` and `external.web.status` are `web.status`. Some wrote double
braces: `{{schema.spec.x}}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from kro_ls.cel.syntax import ast

if TYPE_CHECKING:
    from kro_ls.analysis.candidates import Candidates
    from kro_ls.analysis.names.references import Reference
    from kro_ls.yaml_positions.positions import Span

_INSTANCE: Final = "self"
_OF_INSTANCE: Final = ("spec", "metadata")
_RESOURCES: Final = frozenset({"resources", "external"})

READ_IN_BRACES: Final = re.compile(r"\{\{\s*(?:schema|self)\.(?P<path>(?:spec|metadata)(?:\.\w+)+)\s*\}\}")
"""Only reads of the instance: `{{workflow.name}}` is meant for whoever runs the object."""


def has_braces(text: str) -> bool:
    """Whether a text reads the instance in double braces."""
    return "{{" in text and READ_IN_BRACES.search(text) is not None


class NameOfKro(NamedTuple):
    """What to write in the place of a span of the part's text, for kro to read the same."""

    span: Span
    name: str


def name_of_kro(reference: Reference, ids: Candidates) -> NameOfKro | None:
    """Return how kro names what TypeKro means by an undeclared name, None for another one; `ids` are of resources."""
    use, expression = reference.use, reference.expression
    first = use.path[0] if use.path else None
    if use.name == _INSTANCE and first in _OF_INSTANCE:
        return NameOfKro(reference.span, "schema")
    if use.name in _RESOURCES and first is not None and first in ids:
        for node in ast.walk(expression.inspection.parsed.root):
            if isinstance(node, ast.Select) and node.operand is use.node:
                return NameOfKro(expression.span(use.node.start, node.end), first)
    return None
