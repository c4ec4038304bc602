"""Markers onto the schema of their field: what each sets, what it refuses (kro pkg/simpleschema/markers.go).

kro stops at the first marker that it refuses; here the others still take effect, so that the schema stays useful.
"""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.simpleschema.results import FieldError, JsonSchema, Marker
from kro_ls.analysis.simpleschema.tokenizer import unescape
from kro_ls.golang.numbers import NumberError, parse_bool, parse_float, parse_int, trim
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.simple_schema_words import MARKERS
from kro_ls.kro.versions.dialect import SchemaDialect
from kro_ls.shortening import shortened
from kro_ls.spelling import listed
from kro_ls.yaml_positions.positions import Span

_LIST_TYPE = "x-kubernetes-list-type"
_LIST_MAP_KEYS = "x-kubernetes-list-map-keys"
_VALIDATIONS = "x-kubernetes-validations"

_TRUTHS = {"yes": "true", "y": "true", "on": "true", "no": "false", "n": "false", "off": "false"}


class MarkedSchema(Struct):
    """A field's schema while markers are applied to it.

    `required` counts the requests to make the field required. `has_default` is also true where the default cannot be
    written as JSON and is therefore missing from `schema`. `warnings` are what kro accepts and Kubernetes refuses.
    """

    text: str
    schema: JsonSchema
    dialect: SchemaDialect
    has_default: bool = False
    required: int = 0
    errors: list[FieldError] = field(default_factory=list)
    warnings: list[FieldError] = field(default_factory=list)

    @property
    def type(self) -> str | None:
        """The OpenAPI type, None where the field's type is unknown."""
        return self.schema.get("type")

    def apply(self, markers: tuple[Marker, ...]) -> None:
        """Apply the markers from left to right and check them against each other."""
        for marker in markers:
            function = _FUNCTIONS.get(marker.name)
            if function is None:
                continue
            count = len(self.errors)
            function(self, marker)
            if marker.damaged:  # reported where it is damaged
                self.errors[count:] = _errors_where_intact(marker, self.errors[count:])
        if not self.errors and not any(marker.damaged for marker in markers):
            self._check_list_map_keys(markers)

    def refuse(
        self, marker: Marker, kro_message: str, message: str, *suggestions: str, span: Span | None = None
    ) -> None:
        """Add an error about the marker's value."""
        self.errors.append(
            FieldError(span or value_span(marker), message, kro_message, "invalid-marker-value", suggestions)
        )

    def warn(self, marker: Marker, message: str) -> None:
        """Add a warning that the API server refuses the marker's value."""
        message += ", so the CRD cannot be created"
        self.warnings.append(FieldError(value_span(marker), message, "", "unusable-marker-value"))

    def expect_type(self, marker: Marker, kro_message: str) -> bool:
        """Return whether the marker may stand on this field's type; add an error if not."""
        allowed = MARKERS[marker.name].applies_to
        if self.type is None:
            return False
        if self.type in allowed:
            return True
        kinds = " or ".join(sorted(_KIND_NAMES[kind] for kind in allowed))
        message = f"'{marker.name}' is only for {kinds}; this field is {_KIND_NAMES[self.type]}"
        self.errors.append(FieldError(marker.key_span, message, kro_message, "marker-not-applicable"))
        return False

    def _check_list_map_keys(self, markers: tuple[Marker, ...]) -> None:
        keys, list_type = self.schema.get(_LIST_MAP_KEYS), self.schema.get(_LIST_TYPE)
        if not keys or list_type == "map":
            return
        state = "unset" if list_type is None else f"set to {list_type}"
        marker = next((marker for marker in reversed(markers) if marker.name in ("listMapKey", "listType")), None)
        self.errors.append(
            FieldError(
                marker.span if marker else Span(0, len(self.text)),
                f"'listMapKey' needs 'listType=map'; the list type is {state}",
                f"listMapKey set while listType is {state}, listType must be set to map",
                "conflicting-markers",
            )
        )


def _errors_where_intact(marker: Marker, errors: list[FieldError]) -> list[FieldError]:
    """Return the errors about a damaged marker for the versions that see no damage, which may be none."""
    seen = marker.intact_in
    return [] if seen is None else [replace(error, versions=error.versions & seen) for error in errors]


_KIND_NAMES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a float",
    "boolean": "a boolean",
    "array": "a list",
    "object": "an object",
}


def value_span(marker: Marker) -> Span:
    """Return where to point for the marker's value: the value, or the whole marker where the value is empty."""
    return marker.value_span if marker.value_span.start < marker.value_span.end else marker.span


def span_in_value(text: str, marker: Marker, start: int, end: int) -> Span:
    """Return the place in the field's text of the code points `[start, end)` of the marker's value."""
    written = text[marker.value_span.start : marker.value_span.end]
    if marker.quoted:
        offsets = unescape(written)[1]
        return Span(marker.value_span.start + offsets[start], marker.value_span.start + offsets[end])
    trimmed = marker.value_span.start + written.index(marker.value)
    return Span(trimmed + start, trimmed + end)


def _read_bool(state: MarkedSchema, marker: Marker, kro_prefix: str) -> bool | None:
    try:
        return parse_bool(marker.value)
    except NumberError as error:
        bare = marker.value.rstrip(",;")
        if bare != marker.value and bare in ("true", "false"):
            message = f"unexpected '{marker.value[len(bare) :]}'; markers are separated by blanks alone"
            suggestions = [bare]
        else:
            message = f"{_shown(marker.value)} is not allowed for '{marker.name}'; expected 'true' or 'false'"
            suggestions = [_TRUTHS[marker.value.lower()]] if marker.value.lower() in _TRUTHS else ["true", "false"]
        state.refuse(marker, f"{kro_prefix}: {error}", message, *suggestions)
        return None


def _read_number(
    state: MarkedSchema, marker: Marker, read: Callable[[str], int | float], kind: str, kro_prefix: str
) -> int | float | None:
    try:
        return read(marker.value)
    except NumberError as error:
        reason = "it is out of range" if error.out_of_range else f"expected {kind}"
        message = f"{_shown(marker.value)} is not allowed for '{marker.name}'; {reason}"
        bare = marker.value.rstrip(",;")
        if bare != marker.value and _is_read(bare, read):
            message = f"unexpected '{marker.value[len(bare) :]}'; markers are separated by blanks alone"
            state.refuse(marker, f"{kro_prefix}: {error}", message, bare)
        else:
            state.refuse(marker, f"{kro_prefix}: {error}", message)
        return None


def _is_read(text: str, read: Callable[[str], int | float]) -> bool:
    try:
        read(text)
    except NumberError:
        return False
    return True


def _shown(value: str) -> str:
    return f"'{shortened(value)}'"


def _apply_required(state: MarkedSchema, marker: Marker) -> None:
    if _read_bool(state, marker, "failed to parse required marker value"):
        state.required += 1


def _apply_description(state: MarkedSchema, marker: Marker) -> None:
    if marker.value:
        state.schema["description"] = marker.value
    else:
        state.schema.pop("description", None)


def _apply_bound(state: MarkedSchema, marker: Marker) -> None:
    number = _read_number(state, marker, parse_float, "a number", f"failed to parse {marker.name} enum value")
    if number is None:
        return
    if math.isfinite(number):
        is_whole = number == int(number) and abs(number) < 1e21
        # Go writes the fewest digits that give the number again, without an exponent where it is whole.
        state.schema[marker.name] = int(Decimal(repr(number))) if is_whole else number
    else:
        state.schema.pop(marker.name, None)
        state.warn(marker, f"{_shown(marker.value)} is no number in JSON")


def _apply_validation(state: MarkedSchema, marker: Marker) -> None:
    if not trim(marker.value):
        state.refuse(marker, "validation failed", "'validation' is empty; expected a CEL expression")
        return
    if not state.dialect.adds_rules:
        state.schema.pop(_VALIDATIONS, None)
    _append_validation(state, marker.value, "validation failed")


def _apply_immutable(state: MarkedSchema, marker: Marker) -> None:
    if _read_bool(state, marker, "failed to parse immutable marker value"):
        _append_validation(state, "self == oldSelf", "field is immutable")


def _append_validation(state: MarkedSchema, rule: str, message: str) -> None:
    state.schema[_VALIDATIONS] = [*state.schema.get(_VALIDATIONS, ()), {"rule": rule, "message": message}]


def _apply_enum(state: MarkedSchema, marker: Marker) -> None:
    values: list[str | int] = []
    end = -1
    for written in marker.value.split(","):
        start, end = end + 1, end + 1 + len(written)
        item = trim(written)
        if not item:
            span = span_in_value(state.text, marker, start, end) if marker.value else value_span(marker)
            if span.start == span.end:  # between two commas, or after the last: show the comma before it
                span = span_in_value(state.text, marker, max(start - 1, 0), max(end, 1))
            message = "an enum value is empty; write all values as one list, as in 'enum=\"a,b,c\"'"
            state.refuse(marker, "empty enum values are not allowed", message, span=span)
            return
        if state.type == "integer":
            try:
                parse_int(item)
            except NumberError as error:
                item_start = start + written.index(item)
                span = span_in_value(state.text, marker, item_start, item_start + len(item))
                message = f"{_shown(item)} is not an integer, as this field is; its enum takes integers"
                state.refuse(marker, f"failed to parse integer enum value: {error}", message, span=span)
                return
            raw = item
        elif state.type == "string":
            raw = go_quoted(item)
        else:
            kro_message = f"enum values only supported for string and integer types, got type: {state.type}"
            state.expect_type(marker, kro_message)
            return
        value = _decode(state, marker, raw)
        if not isinstance(value, _Undecodable):
            values.append(value)
    state.schema["enum"] = values


def _apply_pattern(state: MarkedSchema, marker: Marker) -> None:
    if not marker.value:
        message = "'pattern' is empty; expected a regular expression"
        state.refuse(marker, "pattern marker value cannot be empty", message)
        return
    if not state.expect_type(marker, f"pattern marker is only valid for string types, got type: {state.type}"):
        return
    from kro_ls.golang.re2.pattern_cache import pattern_error

    error = pattern_error(marker.value)
    if error is None:
        state.schema["pattern"] = marker.value
        return
    span = span_in_value(state.text, marker, error.start, error.end)
    message = f"not a valid regular expression: {error.plain}"
    state.refuse(marker, f"invalid pattern regex: {error.message}", message, span=span)


def _apply_size(state: MarkedSchema, marker: Marker) -> None:
    """Apply minLength, maxLength, minItems or maxItems."""
    kind = "string" if marker.name.endswith("Length") else "array"
    if not state.expect_type(marker, f"{marker.name} marker is only valid for {kind} types, got type: {state.type}"):
        return
    number = _read_number(state, marker, parse_int, "an integer", f"failed to parse {marker.name} value")
    if number is not None:
        state.schema[marker.name] = number


def _apply_unique_items(state: MarkedSchema, marker: Marker) -> None:
    unique = _read_bool(state, marker, "failed to parse uniqueItems marker value")
    kro_message = f"uniqueItems marker is only valid for array types, got type: {state.type}"
    if unique is None or not state.expect_type(marker, kro_message) or not unique:
        return
    list_type = state.schema.get(_LIST_TYPE)
    if list_type not in (None, "set"):
        message = f"'uniqueItems' makes the list a set, but its list type is already '{list_type}'"
        _conflict(state, marker, message, f"cannot set unique when listType is set to {list_type}")
        return
    state.schema[_LIST_TYPE] = "set"


def _apply_list_type(state: MarkedSchema, marker: Marker) -> None:
    if not state.expect_type(marker, "listType marker only applies to array types"):
        return
    if marker.value not in MARKERS["listType"].values:
        kro_message = f"unsupported value for listType {marker.value}, needs to be one of atomic, set, or map"
        message = f"{_shown(marker.value)} is not a list type; expected {listed(MARKERS['listType'].values)}"
        state.refuse(marker, kro_message, message, *MARKERS["listType"].values)
        return
    previous = state.schema.get(_LIST_TYPE)
    if previous not in (None, marker.value):
        kro_message = (
            f"listType attempting to overwrite set type of {previous}, "
            "this can happen if you set contradictory markers like unique=true | listType=map"
        )
        message = f"'listType={marker.value}' contradicts the list type '{previous}' that is given before it"
        _conflict(state, marker, message, kro_message)
        return
    state.schema[_LIST_TYPE] = marker.value


def _apply_list_map_key(state: MarkedSchema, marker: Marker) -> None:
    if not state.expect_type(marker, "listMapKey marker only applies to array types"):
        return
    keys = state.schema.get(_LIST_MAP_KEYS, [])
    if marker.value in keys:
        message = f"'listMapKey={shortened(marker.value)}' is given twice"
        _conflict(state, marker, message, f"duplicate listMapKey marker, value {marker.value}")
        return
    state.schema[_LIST_MAP_KEYS] = [*keys, marker.value]


def _conflict(state: MarkedSchema, marker: Marker, message: str, kro_message: str) -> None:
    state.errors.append(FieldError(marker.span, message, kro_message, "conflicting-markers"))


def _apply_default(state: MarkedSchema, marker: Marker) -> None:
    raw = marker.value
    try:
        if state.type == "string":
            raw = f'"{marker.value}"'  # kro adds the quotes and escapes nothing
        elif state.type in _DEFAULT_READERS and state.dialect.checks_defaults:
            _DEFAULT_READERS[state.type](marker.value)
    except NumberError:
        kind = state.type or ""
        kro_message = f"default value must be a valid {kind}, got: {marker.value}"
        message = f"the default {_shown(marker.value)} is not {_KIND_NAMES[kind]}"
        state.errors.append(FieldError(value_span(marker), message, kro_message, "invalid-default"))
        return
    if state.type is None:
        return
    state.has_default = True
    state.schema.pop("default", None)
    value = _decode(state, marker, raw) if raw else None
    if not isinstance(value, _Undecodable):
        state.schema["default"] = value


_DEFAULT_READERS: dict[str | None, Callable[[str], object]] = {
    "integer": parse_int,
    "number": parse_float,
    "boolean": parse_bool,
}


class _Undecodable:
    """Stands for text that is not JSON, since None is a JSON value."""


def _decode(state: MarkedSchema, marker: Marker, raw: str) -> Any:
    """Return the JSON value in `raw`; where there is none kro goes on, and the API server refuses the CRD."""
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        state.warn(marker, f"the {marker.name} {_shown(raw)} is not valid JSON")
        return _Undecodable()
    if "\\u" in raw:  # Go reads half a surrogate pair as U+FFFD
        text = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return json.loads(text)
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


_FUNCTIONS: dict[str, Callable[[MarkedSchema, Marker], None]] = {
    "required": _apply_required,
    "default": _apply_default,
    "description": _apply_description,
    "minimum": _apply_bound,
    "maximum": _apply_bound,
    "validation": _apply_validation,
    "immutable": _apply_immutable,
    "enum": _apply_enum,
    "pattern": _apply_pattern,
    "minLength": _apply_size,
    "maxLength": _apply_size,
    "minItems": _apply_size,
    "maxItems": _apply_size,
    "uniqueItems": _apply_unique_items,
    "listType": _apply_list_type,
    "listMapKey": _apply_list_map_key,
}
