"""The CEL rules of a schema (`x-kubernetes-validations`) on an object that is being created.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go. Rules about a change (`oldSelf`) say
nothing about a new object. The API server refuses rules that do not compile when it gets the schema, so here only
their evaluation can fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.cel.evaluation.failures import Budget, BudgetError, EvaluationError
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.syntax.ast import Identifier, walk
from kro_ls.cel.syntax.parser import parse
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, field_error, place_of
from kro_ls.openapi.validation.unknown import has_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.evaluation.program import Program
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path

_STEPS = 200_000
_REASONS = {"FieldValueRequired": ErrorType.REQUIRED, "FieldValueDuplicate": ErrorType.DUPLICATE}


def rule_errors(value: JsonObject, schema: JsonObject, budget: Budget | None = None) -> Iterator[FieldError]:
    """What the rules say against an object; to be passed to `validation.admit`.

    The rules share a budget, as in the API server; what uses it up is an error, and the last rule that is evaluated.
    Without one of the caller's they may take some milliseconds, and nothing is said of what takes longer.
    """
    try:
        yield from _Rules(Budget(_STEPS) if budget is None else budget).errors(value, schema, ())
    except _StoppedError as stopped:
        if budget is not None:
            yield stopped.error


class _StoppedError(Exception):
    """The budget is used up."""

    def __init__(self, error: FieldError) -> None:
        super().__init__()
        self.error = error


class _Rules:
    """The rules of a schema, each compiled once."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._programs: dict[str, Program | None] = {}

    def errors(self, value: JsonValue, schema: JsonObject, path: Path) -> Iterator[FieldError]:
        for rule in as_list(schema.get("x-kubernetes-validations")):
            error = self._check(as_object(rule), value, schema, path)
            if error is not None:
                yield error
        if isinstance(value, dict):
            properties = as_object(schema.get("properties"))
            for name, inner in value.items():
                inner_schema = properties.get(name, schema.get("additionalProperties"))
                if isinstance(inner_schema, dict) and inner is not None:
                    yield from self.errors(inner, inner_schema, (*path, name))
        elif isinstance(value, list):
            items = schema.get("items")
            for index, item in enumerate(value) if isinstance(items, dict) else ():
                yield from self.errors(item, as_object(items), (*path, index))

    def _check(self, rule: JsonObject, value: JsonValue, schema: JsonObject, path: Path) -> FieldError | None:
        text = as_text(rule.get("rule")).strip()
        program = self._program(text)
        if program is None or _is_unknown_without_schema(value, schema):
            return None
        described = as_text(rule.get("message")).strip()
        place, kind = place_of(path), as_text(schema.get("type"))
        try:
            if program.evaluate({"self": wrap(value, schema)}, self._budget) is True:
                return None
        except EvaluationError as error:
            is_over = isinstance(error, BudgetError)
            if has_unknown(value) and not is_over:
                return None
            detail = f"{error.message} evaluating rule: {text if is_over else described or text}"
            found = field_error(path, place, ErrorType.INVALID, kind, detail)
            if is_over:
                raise _StoppedError(found) from None
            return replace(found, by_rule=True)
        detail = self._message(rule, value, schema) or described or f"failed rule: {text}"
        reason = as_text(rule.get("reason"))
        if reason == "FieldValueForbidden":
            return FieldError(
                path, ErrorType.INVALID, f"{place}: Forbidden: {detail}", detail, detail=detail, by_rule=True
            )
        if kind in ("object", "array") and reason not in _REASONS:
            text = f"{place or '<nil>'}: Invalid value: {detail}"
            return FieldError(path, ErrorType.INVALID, text, detail, detail=detail, by_rule=True)
        found = field_error(path, place, _REASONS.get(reason, ErrorType.INVALID), value, detail)
        return replace(found, by_rule=True)

    def _program(self, text: str) -> Program | None:
        """Return the program of a rule, None for one that is damaged or about a change."""
        if text not in self._programs:
            parsed = parse(text, RULE_LIBRARIES.macro_set)
            skipped = parsed.errors or _is_about_a_change(parsed.root)
            self._programs[text] = None if skipped else compile_program(parsed.root, RULE_LIBRARIES)
        return self._programs[text]

    def _message(self, rule: JsonObject, value: JsonValue, schema: JsonObject) -> str:
        """Return what the rule's `messageExpression` gives, empty where it gives no usable line."""
        program = self._program(as_text(rule.get("messageExpression")))
        if program is None:
            return ""
        try:
            message = program.evaluate({"self": wrap(value, schema)}, self._budget)
        except EvaluationError:
            return ""
        return message if isinstance(message, str) and "\n" not in message else ""


def _is_about_a_change(root: Node) -> bool:
    return any(isinstance(node, Identifier) and node.name == "oldSelf" for node in walk(root))


def _is_unknown_without_schema(value: JsonValue, schema: JsonValue) -> bool:
    """Whether something unknown stands where the schema gives no type, so that a rule sees it as it is."""
    fields = as_object(schema)
    if not fields.get("type"):
        return has_unknown(value)
    if isinstance(value, dict):
        properties, others = as_object(fields.get("properties")), fields.get("additionalProperties")
        if not properties and not isinstance(others, dict):
            return has_unknown(value)
        return any(_is_unknown_without_schema(inner, properties.get(name, others)) for name, inner in value.items())
    if isinstance(value, list):
        return any(_is_unknown_without_schema(inner, fields.get("items")) for inner in value)
    return False
