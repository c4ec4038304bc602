"""Evaluates the CEL rules of a schema (`x-kubernetes-validations`) on an object that is created or changed.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go, schema/cel/maplist.go. Rules about a
change (`oldSelf`) do not apply to a new value, unless they declare that they do (`optionalOldSelf`); the others do not
apply to what does not change. The API server refuses a schema whose rules do not compile, so only their evaluation can
fail here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cel.evaluation.costs import Budget, BudgetError
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import NONE, EvaluationError, Optional
from kro_ls.cel.syntax.ast import Identifier, walk
from kro_ls.cel.syntax.parser import parse
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.json_values import as_list, as_object, as_text, has_unknown
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, field_error, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cel.evaluation.program import Program
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path

_STEPS = 200_000
_SELF, _OLD_SELF = "self", "oldSelf"
_STEP = re.compile(r"\.([^.\[\]]+)|\['([^']*)'\]")
_REASONS = {"FieldValueRequired": ErrorType.REQUIRED, "FieldValueDuplicate": ErrorType.DUPLICATE}


def rule_errors(
    value: JsonObject, schema: JsonObject, old: JsonObject | None = None, budget: Budget | None = None
) -> Iterator[FieldError]:
    """Yield the errors of rules on an object, or on an edit of an `old` one; pass it to `validation.admit`.

    The rules share a budget, as in the API server; the rule that exhausts it is an error, and the last one evaluated.
    Without a budget of the caller's, evaluation stops after some milliseconds, without an error.
    """
    try:
        yield from _Rules(Budget(_STEPS) if budget is None else budget).errors(
            _Edit(value, old, value == old), schema, ()
        )
    except _StoppedError as stopped:
        if budget is not None:
            yield stopped.error


class _StoppedError(Exception):
    """The budget is exhausted."""

    def __init__(self, error: FieldError) -> None:
        super().__init__()
        self.error = error


class _Edit(Struct, frozen=True):
    """A value and its previous one, None where there was none or it cannot be identified.

    `is_same` is true if it, or a value around it, did not change.
    """

    value: JsonValue
    old: JsonValue = None
    is_same: bool = False

    def below(self, value: JsonValue, old: JsonValue) -> _Edit:
        return _Edit(value, old, self.is_same or (old is not None and value == old))


class _Compiled(Struct, frozen=True):
    program: Program
    uses_old: bool


class _Rules:
    """The rules of a schema, each compiled once."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._compiled: dict[str, _Compiled | None] = {}

    def errors(self, edit: _Edit, schema: JsonObject, path: Path) -> Iterator[FieldError]:
        for rule in as_list(schema.get("x-kubernetes-validations")):
            error = self._check(as_object(rule), edit, schema, path)
            if error is not None:
                yield error
        if isinstance(edit.value, dict):
            properties, before = as_object(schema.get("properties")), as_object(edit.old)
            for name, inner in edit.value.items():
                inner_schema = properties.get(name, schema.get("additionalProperties"))
                if isinstance(inner_schema, dict) and inner is not None:
                    yield from self.errors(edit.below(inner, before.get(name)), inner_schema, (*path, name))
        elif isinstance(edit.value, list) and isinstance(schema.get("items"), dict):
            old_items = _items_by_key(as_list(edit.old), schema)
            for index, item in enumerate(edit.value):
                key = _key(item, schema)
                old = old_items.get(key) if key else None
                yield from self.errors(edit.below(item, old), as_object(schema["items"]), (*path, index))

    def _check(self, rule: JsonObject, edit: _Edit, schema: JsonObject, path: Path) -> FieldError | None:
        text = as_text(rule.get("rule")).strip()
        compiled, is_optional = self._program(text), rule.get("optionalOldSelf") is True
        if compiled is None or _is_unknown_without_schema(edit.value, schema):
            return None
        if edit.is_same if not compiled.uses_old else edit.old is None and not is_optional:
            return None
        described = as_text(rule.get("message")).strip()
        place, kind = place_of(path), as_text(schema.get("type"))
        try:
            if compiled.program.evaluate(_variables(edit, schema, is_optional=is_optional), self._budget) is True:
                return None
        except EvaluationError as error:
            is_over = isinstance(error, BudgetError)
            if (has_unknown(edit.value) or has_unknown(edit.old)) and not is_over:
                return None
            detail = f"{error.message} evaluating rule: {text if is_over else described or text}"
            found = field_error(path, place, ErrorType.INVALID, kind, detail)
            if is_over:
                raise _StoppedError(found) from None
            return replace(found, by_rule=True)
        detail = self._message(rule, edit, schema) or described or f"failed rule: {text}"
        path = (*path, *_field_path(rule))
        return _refused(rule, edit.value, kind, path, detail)

    def _program(self, text: str) -> _Compiled | None:
        """Return the program of a rule, None for one that is damaged."""
        if text not in self._compiled:
            parsed = parse(text, RULE_LIBRARIES.macro_set)
            uses_old = _is_about_a_change(parsed.root)
            self._compiled[text] = (
                _Compiled(compile_program(parsed.root, RULE_LIBRARIES), uses_old) if parsed.is_valid else None
            )
        return self._compiled[text]

    def _message(self, rule: JsonObject, edit: _Edit, schema: JsonObject) -> str:
        """Return the line that the rule's `messageExpression` gives, empty where it gives none."""
        compiled = self._program(as_text(rule.get("messageExpression")))
        if compiled is None:
            return ""
        try:
            message = compiled.program.evaluate(_variables(edit, schema, is_optional=False), self._budget)
        except EvaluationError:
            return ""
        return message if isinstance(message, str) and "\n" not in message else ""


def _variables(edit: _Edit, schema: JsonObject, *, is_optional: bool) -> dict[str, Value]:
    found = {_SELF: wrap(edit.value, schema)}
    if edit.old is not None:
        old = wrap(edit.old, schema)
        found[_OLD_SELF] = Optional(old) if is_optional else old
    elif is_optional:
        found[_OLD_SELF] = NONE
    return found


def _refused(rule: JsonObject, value: JsonValue, kind: str, path: Path, detail: str) -> FieldError:
    """Return the error of a value, whose type is `kind`, that breaks a rule."""
    place, reason = place_of(path), as_text(rule.get("reason"))
    if reason == "FieldValueForbidden":
        return FieldError(path, ErrorType.INVALID, f"{place}: Forbidden: {detail}", detail, detail=detail, by_rule=True)
    if kind in ("object", "array") and reason not in _REASONS:
        text = f"{place or '<nil>'}: Invalid value: {detail}"
        return FieldError(path, ErrorType.INVALID, text, detail, detail=detail, by_rule=True)
    found = field_error(path, place, _REASONS.get(reason, ErrorType.INVALID), value, detail)
    return replace(found, by_rule=True)


def _field_path(rule: JsonObject) -> Path:
    """Return the `fieldPath` of a rule: the field below the value that its error is about."""
    return tuple(name or quoted for name, quoted in _STEP.findall(as_text(rule.get("fieldPath"))))


def _items_by_key(items: list[JsonValue], schema: JsonObject) -> Mapping[tuple[str, ...], JsonValue]:
    """Return the items of a list by their keys; the items of other lists cannot be identified."""
    return {key: item for item in reversed(items) if (key := _key(item, schema)) is not None}


def _key(item: JsonValue, schema: JsonObject) -> tuple[str, ...] | None:
    keys = as_list(schema.get("x-kubernetes-list-map-keys"))
    if schema.get("x-kubernetes-list-type") != "map" or not isinstance(item, dict):
        return None
    return tuple(repr(item.get(as_text(key))) for key in keys)


def _is_about_a_change(root: Node) -> bool:
    return any(isinstance(node, Identifier) and node.name == _OLD_SELF for node in walk(root))


def _is_unknown_without_schema(value: JsonValue, schema: JsonValue) -> bool:
    """Whether a value has an unknown one where the schema has no type, so that rules would read it as it is."""
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
