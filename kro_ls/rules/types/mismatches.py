"""What to say of an expression whose result does not fit its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.paths import format_path, short_path
from kro_ls.analysis.types.checking import Types, mismatch
from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.plain_cel import type_name
from kro_ls.rules.diagnostics import Finding
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression, FindStruct, Mismatch
    from kro_ls.cel.types.types import Type

KRO_MESSAGE = (
    'type mismatch in resource "{id}" at path "{path}": expression {expression} returns type "{output}" '
    'but expected "{expected}": {problem}'
)


def mismatch_finding(
    checked: CheckedExpression, part: Resource | SchemaSection, scope: Scope, expected: Type
) -> Finding | None:
    """Return the finding about an expression that a field of type `expected` does not take, None where it does."""
    find_struct = Types(scope.bindings).find_struct
    found = mismatch(checked.result.type, expected, find_struct)
    if found is None:
        return None
    expression = checked.expression
    kro_message = KRO_MESSAGE.format(
        id=part.id if isinstance(part, Resource) else "",
        path=format_path(expression.path),
        expression=go_quoted(expression.text),
        output=checked.result.type,
        expected=expected,
        problem=found.message,
    )
    message = _message(short_path(expression.path), found, find_struct)
    return Finding(expression.span(0, len(expression.text)), message, kro_message=kro_message)


def _message(field: str, found: Mismatch, find_struct: FindStruct) -> str:
    inner = "".join(step if step.startswith("[") else f".{step}" for step in found.path)
    wanted = find_struct(found.expected.name)
    if found.is_unknown_field and wanted:
        meant = closest(found.path[-1], wanted.fields)
        advice = f"; did you mean '{meant}'?" if meant else ""
        return f"unknown field '{found.path[-1]}' in the value for '{field}'{advice}"
    return f"'{field}{inner}' needs {type_name(found.expected)}, but this gives {type_name(found.output)}"
