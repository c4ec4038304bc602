"""Why the API server refuses the rules in CEL of a CustomResourceDefinition: by their form, when compiled, by cost.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go, and `ValidFieldPath` in
pkg/apiserver/schema/cel/validation.go.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.cel_types import with_object_metadata
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.rules.compilation import (
    GREATEST_RULE_COST,
    GREATEST_TOTAL_COST,
    NO_TEXT,
    NOTHING_COMPILED,
    compile_rule,
    total_cost,
)
from kro_ls.openapi.rules.rule_places import RULES, rule_places
from kro_ls.openapi.rules.self_declaration import declaration
from kro_ls.openapi.sources.crds.constraints import StructuralProblem, answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.rules.compilation import CompiledRule
    from kro_ls.openapi.rules.rule_places import RulePlace
    from kro_ls.openapi.rules.self_declaration import Declaration
    from kro_ls.openapi.validation.field_errors import Path


REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_TOKENS: Final = re.compile(r"'(?:\\.|[^'\\])*'?|[.\[\]]|[^.\[\]]+")


class _ShapeError(Struct, frozen=True):
    """What is wrong with a rule: the keyword, the API server's text, and the same in plain words."""

    keyword: str
    printed: str
    message: str
    is_absent: bool = False


def _shape_errors(rule: JsonObject, schema: JsonObject) -> Iterator[_ShapeError]:
    """Yield what is wrong with a rule of a schema before it is compiled."""
    text, given = as_text(rule.get("rule")).strip(), as_text(rule.get("message"))
    message = given.strip()
    if not text:
        yield _ShapeError("rule", "Required value: rule is not specified", "this has no rule", is_absent=True)
    elif given and not message:
        yield _invalid("message", given, "must be non-empty if specified", "'message' is empty")
    elif _is_broken(message):
        yield _invalid("message", given, "must not contain line breaks", "'message' must be one line")
    elif _is_broken(text) and not message:
        printed = "Required value: message must be specified if rule contains line breaks"
        yield _ShapeError("message", printed, "a rule of several lines needs a 'message'", is_absent=True)
    expression = as_text(rule.get("messageExpression"))
    if expression and not expression.strip():
        printed = "Required value: messageExpression must be non-empty if specified"
        yield _ShapeError("messageExpression", printed, "'messageExpression' is empty")
    reason = rule.get("reason")
    if isinstance(reason, str) and reason not in REASONS:
        known = ", ".join(map(go_quoted, REASONS))
        printed = f"Unsupported value: {go_quoted(reason)}: supported values: {known}"
        yield _ShapeError("reason", printed, f"'{reason}' is no reason; expected one of {', '.join(REASONS)}")
    yield from _field_path_errors(as_text(rule.get("fieldPath")), schema)


def _field_path_errors(path: str, schema: JsonObject) -> Iterator[_ShapeError]:
    if path and not path.strip():
        yield _invalid("fieldPath", path, "must be non-empty if specified", "'fieldPath' is empty")
    if _is_broken(path):
        yield _invalid("fieldPath", path, "must not contain line breaks", "'fieldPath' must be one line")
    if path and not _leads_to_field(path, schema):
        said = f"'{path}' leads to no field of this schema; a path is like .spec.name or .labels['a.b']"
        yield _invalid("fieldPath", path, "must be a valid path", said)


def _invalid(keyword: str, value: str, printed: str, message: str) -> _ShapeError:
    return _ShapeError(keyword, f"Invalid value: {go_quoted(value)}: {printed}", message)


def _is_broken(text: str) -> bool:
    return "\n" in text or "\r" in text


def _leads_to_field(path: str, schema: JsonObject) -> bool:
    """Whether a path such as `.spec['a.b']` leads through properties, or through the values of a map."""
    tokens = iter(_TOKENS.findall(path))
    for step in tokens:
        name = next(tokens, "")
        if step == "[":
            is_quoted = len(name) > 1 and name[0] == name[-1] == "'"
            if not is_quoted or next(tokens, "") != "]":
                return False
            name = re.sub(r"\\(.)", r"\1", name[1:-1])
        elif step != "." or not name:
            return False
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if isinstance(properties, dict):
            if name not in properties:
                return False
            schema = as_object(properties[name])
        elif others:
            schema = as_object(others)
        else:
            return False
    return True


_MOST_PLACES: Final = 500
"""More parts with rules than any real definition has."""
_ADVICE = (
    "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
    "declared"
)
_QUOTE = "'"
_BOUND = "bound what it reads with 'maxItems', 'maxProperties' and 'maxLength'"


def rule_problems(schema: JsonObject) -> Iterator[StructuralProblem]:
    """Yield what is wrong with the rules of a structural schema, and with what they all cost together."""
    total = 0
    costly: tuple[int, Path] = (0, ())
    is_reported = False
    places = list(islice(rule_places(schema), _MOST_PLACES))
    misshapen = [place.keywords for place in places if any(True for _ in _shape_problems(place))]
    for place in places:
        yield from _shape_problems(place)
        if any(keywords[: len(place.keywords)] == place.keywords for keywords in misshapen):
            continue  # the API server compiles no rules in or below such a part
        is_object = not place.path or place.schema.get("x-kubernetes-embedded-resource") is True
        self_ = declaration(dict(with_object_metadata(place.schema)) if is_object else place.schema)
        for number, rule in enumerate(place.rules):
            path: Path = (*place.keywords, RULES, number)
            compiled = compile_rule(
                as_text(rule.get("rule")), self_, old_is_optional=rule.get("optionalOldSelf") is True
            )
            yield from _own_problems(rule, compiled, place, path)
            message = _compiled_message(rule, compiled, self_)
            yield from _message_problems(message, (*path, "messageExpression"))
            is_reported = is_reported or (message.cost or 0) > GREATEST_RULE_COST
            cost = total_cost(compiled.cost or 0, place.most_values, self_)
            total += cost + (message.cost or 0)
            costly = max(costly, (cost, path), key=lambda each: each[0])
            if cost > GREATEST_RULE_COST:
                is_reported = True
                yield _costs((*path, "rule"), "this rule", "estimated rule cost", cost / GREATEST_RULE_COST)
    if total > GREATEST_TOTAL_COST and not is_reported:
        what = f"{RULES} estimated rule cost total for entire OpenAPIv3 schema"
        yield _costs(
            (*costly[1], "rule"), "all rules, of which this is the dearest,", what, total / GREATEST_TOTAL_COST
        )


def _shape_problems(place: RulePlace) -> Iterator[StructuralProblem]:
    """Yield what is wrong with the rules of a place before they are compiled."""
    for number, rule in enumerate(place.rules):
        path: Path = (*place.keywords, RULES, number)
        for error in _shape_errors(rule, place.schema):
            at_keyword = (*path, error.keyword)
            printed = answer(at_keyword, error.printed)
            if error.is_absent:
                yield StructuralProblem(path, error.message, printed, absent=error.keyword)
            else:
                yield StructuralProblem(at_keyword, error.message, printed, at_value=True)


def _compiled_message(rule: JsonObject, compiled: CompiledRule, self_: Declaration) -> CompiledRule:
    """Return the compiled `messageExpression` of a rule, which the API server reads where the rule itself compiles."""
    text = as_text(rule.get("messageExpression"))
    if not text or compiled.errors:
        return NOTHING_COMPILED
    return compile_rule(text, self_, old_is_optional=rule.get("optionalOldSelf") is True, is_message=True)


def _message_problems(message: CompiledRule, path: Path) -> Iterator[StructuralProblem]:
    for error in message.errors:
        said = f"this does not compile: {error.plain or error.message.replace('`', _QUOTE)}"
        failed = "" if error.message == NO_TEXT else "messageExpression compilation failed: "
        printed = answer(path, f"Invalid value: {failed}{error.message}")
        yield StructuralProblem(path, said, printed, at_value=True)
    if message.cost and message.cost > GREATEST_RULE_COST:
        factor = message.cost / GREATEST_RULE_COST
        yield _costs(path, "this message", "estimated messageExpression cost", factor)


def _own_problems(
    rule: JsonObject, compiled: CompiledRule, place: RulePlace, path: Path
) -> Iterator[StructuralProblem]:
    at_rule = (*path, "rule")
    for error in compiled.errors[:1]:
        said = f"this rule does not compile: {error.plain or error.message.replace('`', _QUOTE)}"
        printed = answer(at_rule, f"Invalid value: compilation failed: {error.message}")
        yield StructuralProblem(at_rule, said, printed, at_value=True)
    if compiled.uses_old_self and not place.is_correlated:
        said = (
            "'oldSelf' cannot be used in a list without 'x-kubernetes-list-type: map', whose items have no old values"
        )
        printed = answer(at_rule, "oldSelf cannot be used on the uncorrelatable portion of the schema")
        yield StructuralProblem(at_rule, said, printed, at_value=True)
    if "optionalOldSelf" in rule and not compiled.errors and not compiled.uses_old_self:
        printed = answer((*path, "optionalOldSelf"), "may not be set if oldSelf is not used in rule")
        yield StructuralProblem((*path, "optionalOldSelf"), "the rule does not use 'oldSelf'", printed)


def _costs(place: Path, which: str, what: str, factor: float) -> StructuralProblem:
    times = "more than 100" if factor > 100 else f"{factor:f}" if factor < 1.5 else f"{factor:.1f}"
    printed = answer(place, f"Forbidden: {what} exceeds budget by factor of {times}x ({_ADVICE})")
    message = (
        f"{which} can cost {'more than 100' if factor > 100 else f'{factor:.2f}'} times of what is allowed; {_BOUND}"
    )
    return StructuralProblem(place, message, printed, at_value=True)
