"""How messages show the types of objects: by the path that leads there, never by the names that kro makes up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax import ast
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression

_OBJECT: Final = re.compile(rf"{TYPE_NAME_PREFIX}([\w.@]+)")


def shown(message: str) -> str:
    """Return a message in which `list(__type_config.@idx)` is `list(config[])`."""
    if TYPE_NAME_PREFIX not in message:
        return message
    return _OBJECT.sub(lambda found: found[1].replace(f".{ELEMENT}", "[]").replace(f".{VALUE}", "{}"), message)


def of_each(expression: Expression, node: ast.Select) -> tuple[str, int]:
    """Return what asks each item of a list for what a selection wants of the list, and where the selections end.

    For `names.metadata.name` that is `.map(x, x.metadata.name)`, which takes the place of all after `names`.
    """
    last = node
    variable = "x"
    for each in ast.walk(expression.inspection.parsed.root):
        if isinstance(each, ast.Select) and each.operand is last:
            last = each
        elif isinstance(each, ast.Identifier) and each.name == "x":
            variable = "item"
    selected = expression.text[node.operand.end : last.end].strip()
    return f".map({variable}, {variable}{selected})", last.end
