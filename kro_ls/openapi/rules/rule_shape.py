"""What the API server asks of a rule in a schema before it compiles it.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go, and `ValidFieldPath` in
pkg/apiserver/schema/cel/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject

REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_TOKENS: Final = re.compile(r"'(?:\\.|[^'\\])*'?|[.\[\]]|[^.\[\]]+")


class ShapeError(Struct, frozen=True):
    """What is wrong with a rule: the keyword, what the API server says of it, and the same in plain words."""

    keyword: str
    printed: str
    message: str
    is_absent: bool = False


def shape_errors(rule: JsonObject, schema: JsonObject) -> Iterator[ShapeError]:
    """Yield what is wrong with a rule of a schema, whatever it says in CEL."""
    text, given = as_text(rule.get("rule")).strip(), as_text(rule.get("message"))
    message = given.strip()
    if not text:
        yield ShapeError("rule", "Required value: rule is not specified", "this has no rule", is_absent=True)
    elif given and not message:
        yield _invalid("message", given, "must be non-empty if specified", "'message' is empty")
    elif _is_broken(message):
        yield _invalid("message", given, "must not contain line breaks", "'message' must be one line")
    elif _is_broken(text) and not message:
        printed = "Required value: message must be specified if rule contains line breaks"
        yield ShapeError("message", printed, "a rule of several lines needs a 'message'", is_absent=True)
    expression = as_text(rule.get("messageExpression"))
    if expression and not expression.strip():
        printed = "Required value: messageExpression must be non-empty if specified"
        yield ShapeError("messageExpression", printed, "'messageExpression' is empty")
    reason = rule.get("reason")
    if isinstance(reason, str) and reason not in REASONS:
        known = ", ".join(map(go_quoted, REASONS))
        printed = f"Unsupported value: {go_quoted(reason)}: supported values: {known}"
        yield ShapeError("reason", printed, f"'{reason}' is no reason; expected one of {', '.join(REASONS)}")
    yield from _field_path_errors(as_text(rule.get("fieldPath")), schema)


def _field_path_errors(path: str, schema: JsonObject) -> Iterator[ShapeError]:
    if path and not path.strip():
        yield _invalid("fieldPath", path, "must be non-empty if specified", "'fieldPath' is empty")
    if _is_broken(path):
        yield _invalid("fieldPath", path, "must not contain line breaks", "'fieldPath' must be one line")
    if path and not _leads_to_field(path, schema):
        said = f"'{path}' leads to no field of this schema; a path is like .spec.name or .labels['a.b']"
        yield _invalid("fieldPath", path, "must be a valid path", said)


def _invalid(keyword: str, value: str, printed: str, message: str) -> ShapeError:
    return ShapeError(keyword, f"Invalid value: {go_quoted(value)}: {printed}", message)


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
