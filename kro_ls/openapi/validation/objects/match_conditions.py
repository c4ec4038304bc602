"""The conditions under which admission asks a webhook or a policy.

Source: k8s.io/kubernetes, pkg/apis/admissionregistration/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonValue, as_list
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_names import label_key_problems
from kro_ls.openapi.validation.objects.checks import error, invalid, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.rules.admission_expressions import Expressions
    from kro_ls.openapi.validation.field_errors import FieldError, Path


def match_conditions(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the conditions of a webhook."""
    from kro_ls.openapi.rules.admission_expressions import Expressions  # CEL, which few objects need

    yield from conditions(value, path, Expressions(has_params=False))


def conditions(value: JsonValue, path: Path, expressions: Expressions) -> Iterator[FieldError]:
    """Yield what is wrong with conditions whose expressions can use what is given."""
    names: set[str] = set()
    for number, each in enumerate(as_list(value)):
        here = (*path, number)
        expression, name = text_of(each, "expression"), text_of(each, "name")
        if expression is not None and not expression.strip():
            yield error((*here, "expression"), ErrorType.REQUIRED)
        elif expression is not None:
            yield from compiled((*here, "expression"), expression.strip(), expressions.problem(expression.strip()))
        if name == "":
            yield error((*here, "name"), ErrorType.REQUIRED)
        elif name is not None:
            yield from invalid((*here, "name"), name, label_key_problems(name))
            if name in names:
                yield error((*here, "name"), ErrorType.DUPLICATE, name)
            names.add(name)


def compiled(path: Path, text: str, problem: str) -> Iterator[FieldError]:
    """Yield what compiling an expression found."""
    if problem:
        yield error(path, ErrorType.INVALID, text, problem)
