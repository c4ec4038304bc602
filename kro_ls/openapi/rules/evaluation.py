"""The CEL rules of a schema (`x-kubernetes-validations`) on an object that is being created.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go. Rules about a change (`oldSelf`) say
nothing about a new object. The API server refuses rules that do not compile when it gets the schema, so here only
their evaluation can fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.errors import EvaluationError
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.syntax.ast import Identifier, walk
from kro_ls.cel.syntax.parser import parse
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.rules.environment import RULE_LIBRARIES
from kro_ls.openapi.validation.errors import ErrorType, FieldError, field_error, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.errors import Path

_REASONS = {"FieldValueRequired": ErrorType.REQUIRED, "FieldValueDuplicate": ErrorType.DUPLICATE}


def rule_errors(value: JsonObject, schema: JsonObject) -> Iterator[FieldError]:
    """What the rules say against an object; to be passed to `validation.admit`."""
    yield from _errors(value, schema, ())


def _errors(value: JsonValue, schema: JsonObject, path: Path) -> Iterator[FieldError]:
    for rule in as_list(schema.get("x-kubernetes-validations")):
        error = _check(as_object(rule), value, schema, path)
        if error is not None:
            yield error
    if isinstance(value, dict):
        properties = as_object(schema.get("properties"))
        for name, inner in value.items():
            inner_schema = properties.get(name, schema.get("additionalProperties"))
            if isinstance(inner_schema, dict) and inner is not None:
                yield from _errors(inner, inner_schema, (*path, name))
    elif isinstance(value, list):
        items = schema.get("items")
        for index, item in enumerate(value) if isinstance(items, dict) else ():
            yield from _errors(item, as_object(items), (*path, index))


def _check(rule: JsonObject, value: JsonValue, schema: JsonObject, path: Path) -> FieldError | None:
    text = as_text(rule.get("rule")).strip()
    parsed = parse(text, RULE_LIBRARIES.macro_set)
    if parsed.errors or _is_about_a_change(parsed.root):
        return None
    described = as_text(rule.get("message")).strip()
    place, kind = place_of(path), as_text(schema.get("type"))
    try:
        if compile_program(parsed.root, RULE_LIBRARIES).evaluate({"self": wrap(value, schema)}) is True:
            return None
    except EvaluationError as error:
        detail = f"{error.message} evaluating rule: {described or text}"
        return field_error(path, place, ErrorType.INVALID, kind, detail)
    detail = _message(rule, value, schema) or described or f"failed rule: {text}"
    reason = as_text(rule.get("reason"))
    if reason == "FieldValueForbidden":
        return FieldError(path, ErrorType.INVALID, f"{place}: Forbidden: {detail}", detail)
    if kind in ("object", "array") and reason not in _REASONS:
        return FieldError(path, ErrorType.INVALID, f"{place or '<nil>'}: Invalid value: {detail}", detail)
    return field_error(path, place, _REASONS.get(reason, ErrorType.INVALID), value, detail)


def _is_about_a_change(root: Node) -> bool:
    return any(isinstance(node, Identifier) and node.name == "oldSelf" for node in walk(root))


def _message(rule: JsonObject, value: JsonValue, schema: JsonObject) -> str:
    """Return what the rule's `messageExpression` gives, empty where it gives no usable line."""
    text = as_text(rule.get("messageExpression"))
    if not text:
        return ""
    root = parse(text, RULE_LIBRARIES.macro_set).root
    try:
        message = compile_program(root, RULE_LIBRARIES).evaluate({"self": wrap(value, schema)})
    except EvaluationError:
        return ""
    return message if isinstance(message, str) and "\n" not in message else ""
