"""What the API server refuses in admission policies, whose expressions it compiles.

Source: k8s.io/kubernetes, pkg/apis/admissionregistration/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import label_key_problems
from kro_ls.openapi.validation.objects.checks import Shape, error, invalid, is_empty, needs, one_of, subdomain, text_of
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR
from kro_ls.openapi.validation.objects.webhooks import FAILURES, MATCHES, RULE, compiled, conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.rules.admission_expressions import Expressions
    from kro_ls.openapi.validation.field_errors import FieldError, Path

_IDENTIFIER: Final = "[_a-zA-Z][_a-zA-Z0-9]*"
_RESERVED: Final = frozenset(
    "true false null in as break const continue else for function if import let loop package namespace return var void "
    "while".split()
)
_REASON: Final = one_of("Forbidden", "Invalid", "RequestEntityTooLarge", or_empty=False)

_MATCH_RESOURCES: Final = Shape(
    ("namespaceSelector", LABEL_SELECTOR),
    ("objectSelector", LABEL_SELECTOR),
    ("resourceRules[]", RULE),
    ("excludeResourceRules[]", RULE),
    ("matchPolicy", MATCHES),
)


def _constraints(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    constraints, here = spec.get("matchConstraints"), (*path, "matchConstraints")
    if constraints is None:
        yield error(here, ErrorType.REQUIRED)
        return
    yield from needs("resourceRules")(constraints, here)
    yield from _MATCH_RESOURCES(constraints, here)


def admission_policy(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a policy."""
    fields, here = as_object(value), (*path, "spec")
    spec = fields.get("spec")
    if isinstance(spec, dict):
        yield from _FIXED(spec, here)
        yield from _decisions(spec, here, text_of(fields.get("metadata"), "name"))


def _decisions(spec: JsonObject, path: Path, policy: str | None) -> Iterator[FieldError]:
    """Yield what is wrong with the expressions of a policy, each of which can use the variables before it."""
    from kro_ls.openapi.rules.admission_expressions import Expressions  # imports CEL, which few objects need

    expressions = Expressions(has_params=spec.get("paramKind") is not None)
    yield from conditions(spec.get("matchConditions"), (*path, "matchConditions"), expressions)
    variables = as_list(spec.get("variables"))
    if variables:
        expressions = expressions.with_variables()
    for number, each in enumerate(variables):
        yield from _variable(each, (*path, "variables", number), expressions)
    validations, annotations = spec.get("validations"), spec.get("auditAnnotations")
    if is_empty(validations) and is_empty(annotations):
        for name in ("validations", "auditAnnotations"):
            detail = "validations or auditAnnotations must contain at least one item"
            yield error((*path, name), ErrorType.REQUIRED, "", detail)
    for number, each in enumerate(as_list(validations)):
        yield from _validation(each, (*path, "validations", number), expressions)
    keys: set[str] = set()
    for number, each in enumerate(as_list(annotations)):
        here, key = (*path, "auditAnnotations", number), text_of(each, "key")
        if policy and key is not None:
            yield from invalid((*here, "key"), f"{policy}/{key}", label_key_problems(f"{policy}/{key}"))
        yield from _annotation(each, here, expressions)
        if key is not None and key in keys:
            yield error((*here, "key"), ErrorType.DUPLICATE, key)
        keys.add(key or "")


def _variable(value: JsonValue, path: Path, expressions: Expressions) -> Iterator[FieldError]:
    name, expression = text_of(value, "name"), text_of(value, "expression")
    if name is not None and not name.strip():
        yield error((*path, "name"), ErrorType.REQUIRED, "", "name is not specified")
    elif name is not None and (not re.fullmatch(_IDENTIFIER, name) or name in _RESERVED):
        yield error((*path, "name"), ErrorType.INVALID, name, "must be a valid CEL identifier")
    if expression is not None and not expression.strip():
        yield error((*path, "expression"), ErrorType.REQUIRED, "", "expression is not specified")
    elif expression is not None:
        problem = expressions.add_variable(name or "", expression)
        yield from compiled((*path, "expression"), expression, problem)
    else:
        expressions.add_variable(name or "", "")


def _validation(value: JsonValue, path: Path, expressions: Expressions) -> Iterator[FieldError]:
    expression, said = text_of(value, "expression"), text_of(value, "messageExpression")
    message, reason = text_of(value, "message"), as_object(value).get("reason")
    if expression is not None and not expression.strip():
        yield error((*path, "expression"), ErrorType.REQUIRED, "", "expression is not specified")
    elif expression is not None:
        yield from compiled((*path, "expression"), expression, expressions.problem(expression))
    here = (*path, "messageExpression")
    if said and not said.strip():
        yield error(here, ErrorType.INVALID, said, "must be non-empty if specified")
    elif said:
        yield from compiled(here, said, expressions.problem(said, "string", may_authorize=False))
    if message and not message.strip():
        yield error((*path, "message"), ErrorType.INVALID, message, "must be non-empty if specified")
    elif message and re.search(r"[\n\r]", message.strip()):
        yield error((*path, "message"), ErrorType.INVALID, message, "must not contain line breaks")
    if reason is not None:
        yield from _REASON(reason, (*path, "reason"))


def _annotation(value: JsonValue, path: Path, expressions: Expressions) -> Iterator[FieldError]:
    expression, here = text_of(value, "valueExpression"), (*path, "valueExpression")
    if expression is not None and not expression.strip():
        yield error(here, ErrorType.REQUIRED, "", "valueExpression is not specified")
    elif expression is not None:
        yield from compiled(here, expression, expressions.problem(expression.strip(), "string", "null_type"))


_FIXED: Final = Shape(("failurePolicy", FAILURES), ("", _constraints))
_ACTION: Final = one_of("Deny", "Allow", or_empty=False)


def _param_ref(value: JsonValue, path: Path) -> Iterator[FieldError]:
    name, selector = text_of(value, "name"), as_object(value).get("selector")
    if not isinstance(value, dict) or name is None:
        return
    both = "name and selector are mutually exclusive"
    if name and selector is not None:
        yield error((*path, "name"), ErrorType.FORBIDDEN, name, both)
    if selector is not None:
        yield from LABEL_SELECTOR(selector, (*path, "selector"))
    if name and selector is not None:
        yield error((*path, "selector"), ErrorType.FORBIDDEN, "", both)
    if not name and selector is None:
        yield error(path, ErrorType.REQUIRED, "", "one of name or selector must be specified")
    yield from needs("parameterNotFoundAction")(value, path)
    if value.get("parameterNotFoundAction"):
        yield from _ACTION(value["parameterNotFoundAction"], (*path, "parameterNotFoundAction"))


ADMISSION_POLICY_BINDING: Final = Shape(
    ("", needs("policyName")),
    ("policyName", subdomain),
    ("paramRef", _param_ref),
    ("", needs("validationActions", detail="at least one validation action is required")),
    ("validationActions[]", one_of("Audit", "Deny", "Warn", or_empty=False)),
    ("matchResources", _MATCH_RESOURCES),
)
