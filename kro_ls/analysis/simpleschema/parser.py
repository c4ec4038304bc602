"""From the text of one field, `TYPE | MARKERS`, to its syntax (kro pkg/simpleschema/parse.go and markers.go).

kro stops at the first mistake. Here the rest is still read, and the error that kro would report comes first.
"""

from functools import lru_cache

from kro_ls.analysis.simpleschema.results import FieldError, FieldSyntax, Marker, TypeExpression, TypeKind
from kro_ls.analysis.simpleschema.tokenizer import tokenize_markers
from kro_ls.golang.numbers import WHITE_SPACE, trim
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.simple_schema_words import OPENAPI_TYPES
from kro_ls.kro.versions.history import TYPE_NESTING_LIMITED
from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.yaml_positions.positions import Span

MAX_TYPE_NESTING = 16
"""The most `[]` and `map[string]` that kro takes around one type."""
_DEEPEST = 100
"""Older versions of kro have no limit. A type inside of more than these is not read here."""

MAX_LENGTH = 1_000_000
"""The longest text read, in code points: etcd stores no object this large."""

_LONGEST_CACHED = 4096


def parse_field(text: str) -> FieldSyntax:
    """Return the syntax of `text`; never raises. Type names and marker values are not checked here."""
    if len(text) <= _LONGEST_CACHED:
        return _parse_cached(text)
    return _parse(text) if len(text) <= MAX_LENGTH else _too_long(text)


def _parse(text: str) -> FieldSyntax:
    separator = text.find("|")
    type_end = len(text) if separator < 0 else separator
    expression, type_error = _parse_type(text, type_end)
    markers: tuple[Marker, ...] = ()
    marker_errors: tuple[FieldError, ...] = ()
    if separator >= 0:
        markers, marker_errors = tokenize_markers(text, separator + 1)
    return FieldSyntax(text, expression, separator if separator >= 0 else None, markers, type_error, marker_errors)


def _too_long(text: str) -> FieldSyntax:
    message = f"the schema is too large: the text of this field has more than {MAX_LENGTH:,} characters"
    error = FieldError(Span(0, len(text)), message, "", "schema-too-large")
    return FieldSyntax(text, TypeExpression(TypeKind.MISSING, Span(0, 0)), None, (), error, ())


_parse_cached = lru_cache(maxsize=512)(_parse)


def _parse_type(text: str, end: int) -> tuple[TypeExpression, FieldError | None]:
    """Read the type in `text[:end]`; from outside to inside, then wrapped up from inside to outside."""
    start, end = _trimmed(text, 0, end)
    if start == end:
        at = Span(0, len(text)) if "|" not in text else Span(text.index("|"), text.index("|") + 1)
        message = "empty type: a field needs a type such as `string`, before any markers"
        return TypeExpression(TypeKind.MISSING, Span(start, end)), _invalid(at, message, "empty type")
    wrappers: list[tuple[TypeKind, int]] = []
    error: FieldError | None = None
    too_deep: FieldError | None = None
    while True:
        if len(wrappers) == MAX_TYPE_NESTING + 1:
            too_deep = too_deep or _nesting_error(text, start, end)
        elif len(wrappers) > _DEEPEST:
            error = too_deep
            break
        start, _ = _trimmed(text, start, end)
        if text.startswith("[]", start, end):
            wrappers.append((TypeKind.LIST, start))
            start += 2
            if start == end:
                message = "a list needs the type of its items, as in '[]string'"
                error = _invalid(Span(start - 2, end), message, "empty slice element type", "[]string")
                break
        elif text.startswith("map[", start, end):
            error = _map_error(text, start, end)
            wrappers.append((TypeKind.MAP, start))
            if error is not None:
                start = end
                break
            start, _ = _trimmed(text, start + len("map[string]"), end)
        else:
            break
    expression = TypeExpression(TypeKind.MISSING, Span(start, end)) if error else _named_type(text, start, end)
    for kind, wrapper_start in reversed(wrappers):
        expression = TypeExpression(kind, Span(wrapper_start, end), element=expression)
    return expression, too_deep or error


def _named_type(text: str, start: int, end: int) -> TypeExpression:
    name = text[start:end]
    if name in OPENAPI_TYPES:
        return TypeExpression(TypeKind.ATOMIC, Span(start, end), name)
    return TypeExpression(TypeKind.OBJECT if name == "object" else TypeKind.CUSTOM, Span(start, end), name)


def _nesting_error(text: str, start: int, end: int) -> FieldError:
    kro_message = f"type nesting too deep (max {MAX_TYPE_NESTING}): {go_quoted(text[start:end])}"
    message = f"the type has more than {MAX_TYPE_NESTING} '[]' and 'map[string]'; name an inner part in 'types'"
    return _invalid(Span(start, end), message, kro_message, versions=TYPE_NESTING_LIMITED)


def _map_error(text: str, start: int, end: int) -> FieldError | None:
    """Return what is wrong with the `map[` at `start`, or None if a value type follows `map[string]`."""
    if not text.startswith("map[string]", start, end):
        key_start, key_end = start + len("map["), text.find("]", start, end)
        if key_end < 0:
            at, message = Span(start, end), "expected 'map[string]' with its closing bracket"
        else:
            at, message = Span(key_start, key_end), "the key of a map must be 'string', as in 'map[string]string'"
        if at.start == at.end:
            at = Span(start, key_end + 1)
        suggestions = ("string",) if at == Span(key_start, key_end) else ()
        return _invalid(at, message, "map key must be string", *suggestions)
    prefix_end = start + len("map[string]")
    if not trim(text[prefix_end:end]):
        message = "a map needs the type of its values, as in 'map[string]string'"
        return _invalid(Span(start, prefix_end), message, "map value type is required", "map[string]string")
    return None


def _invalid(span: Span, message: str, kro_message: str, *suggestions: str, versions: Versions = ALL) -> FieldError:
    return FieldError(span, message, kro_message, "invalid-type-expression", suggestions, versions)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in WHITE_SPACE:
        start += 1
    while end > start and text[end - 1] in WHITE_SPACE:
        end -= 1
    return start, end
