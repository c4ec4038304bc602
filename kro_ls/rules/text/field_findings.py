"""Makes findings of the errors for which the API server refuses a part of a ResourceGraphDefinition.

One mistake gives one finding: a missing field beside a similar unknown key is reported at that key, and a value of a
wrong type has no other finding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.sections import misspelling
from kro_ls.kro.versions.history import FORMER_NAMES
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.admission import faults
from kro_ls.openapi.validation.field_errors import ErrorType, place_of
from kro_ls.openapi.validation.plain import plain
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Related
from kro_ls.rules.fixes import change_to, remove_entry
from kro_ls.rules.rule import UNKNOWN_FIELD, CodedFindings
from kro_ls.rules.text.added_fields import API_VERSION, KIND, add_field
from kro_ls.spelling import closest, listed
from kro_ls.yaml_positions.nodes import (
    Mapping,
    Scalar,
    Sequence,
    entries,
    entry_of,
    is_null,
    items,
    key_at,
    node_at,
    resolved,
    text_of,
)
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.yaml_positions.nodes import Entry, Node


_ADVICE = {
    "dependsOn": "kro orders resources by the references in their expressions",
    "condition": "'includeWhen' decides whether a resource exists",
    "conditions": "'includeWhen' decides whether a resource exists, 'readyWhen' when it is ready",
    "validation": "write constraints as markers in 'spec', such as 'integer | minimum=1'",
    "version": "the version of the new API is 'apiVersion'",
}
_DECLARED = {"apiVersion": API_VERSION, "kind": KIND}
"""The names of the API that the RGD declares, which have a pattern, unlike those of an external reference."""


class OwnPart(Struct, frozen=True):
    """A part of an RGD: its node, whose offsets are in the text, and the schema of its value.

    `key` is marked if the part lacks a field; None stands for its first key. `place` is the API server's path to the
    part, with a dot at its end and `*` for the number of a resource.
    """

    node: Node
    text: str
    schema: JsonObject
    key: Node | None = None
    place: str = ""

    def schema_at(self, path: Path) -> Schema:
        """Return the schema of the value at a path, an empty one if the path leads to no known field."""
        return Schema(self.schema).field(path) or Schema({})

    def kro_message(self, error: FieldError) -> str:
        """Return the API server's message for an error of the part."""
        within = f" {place_of(error.path)} in body "
        return self.place + error.text.replace(within, f" {self.place}{within[1:]}")


def findings(part: OwnPart, unknown: Iterable[Path], errors: Iterable[FieldError]) -> CodedFindings:
    """Yield the findings for the unknown fields and the errors of a part's value, each with the code of its rule."""
    paths, errors = tuple(unknown), tuple(errors)
    empty = {error.path[:-1] for error in errors if error.type is ErrorType.REQUIRED}
    for path in paths:
        if not is_reported(part.node, path, paths, empty):
            yield from (("unknown-field", finding) for finding in _unknown_field(part, path))
    of_wrong_type: set[Path] = set()
    of_wrong_key: set[Path] = set()
    for error in errors:
        node = node_at(part.node, error.path)
        value = resolved(node)
        if error.type is ErrorType.REQUIRED:
            yield from (("missing-field", finding) for finding in _missing_field(part, error))
        elif node is None or value is None or error.path in of_wrong_type:
            continue  # an alias without a target, or reported already
        elif error.in_key:
            key = key_at(part.node, error.path)
            if key is not None and error.path not in of_wrong_key:
                of_wrong_key.add(error.path)
                yield "invalid-value", _finding(part, error, key.span)
        elif error.type is ErrorType.TYPE_INVALID and not _is_of_wrong_format(part, error, value):
            of_wrong_type.add(error.path)
            yield "wrong-type", _wrong_type(part, error, value)
        elif error.type is ErrorType.DUPLICATE:
            yield "invalid-value", _duplicate(part, error, node)
        elif isinstance(value, Scalar):
            yield "invalid-value", _invalid_scalar(part, error, value)
        else:
            yield "invalid-value", _wrong_size(part, error, value)


def _finding(part: OwnPart, error: FieldError, span: Span, advice: str = "", fixes: tuple[Fix, ...] = ()) -> Finding:
    message = plain(error) + (f"; {advice}" if advice else "")
    return Finding(span, message, fixes=fixes, kro_message=part.kro_message(error))


def _unknown_field(part: OwnPart, path: Path) -> Findings:
    key = key_at(part.node, path)
    if key is None:
        return
    advice, fixes = _about_unknown_field(part, path, key.span)
    kro_message = UNKNOWN_FIELD.format(path=f"{part.place}{place_of(path)}")
    yield Finding(key.span, f"unknown field '{path[-1]}'; {advice}", fixes=fixes, kro_message=kro_message)


def _about_unknown_field(part: OwnPart, path: Path, span: Span) -> tuple[str, tuple[Fix, ...]]:
    """Return the advice about an unknown field, and the fixes."""
    name, schema = str(path[-1]), part.schema_at(path[:-1])
    mapping = node_at(part.node, path[:-1])
    former = FORMER_NAMES.get(name)
    if former in schema.properties and entry_of(mapping, former) is None:
        fix = Fix(f"Change to '{former}'", (Replacement(span, former),), keeps_meaning=True)
        return f"it is called '{former}' now", (fix,)
    if name == "defaultServiceAccounts":
        entry = entry_of(mapping, name)
        removal = remove_entry(part.text, entry, ()) if entry else None
        fixes = (Fix("Remove it", (removal,), keeps_meaning=True),) if removal else ()
        return "since kro 0.5.0, kro acts for all instances with its own service account", fixes
    meant = closest(name, tuple(known for known in schema.properties if entry_of(mapping, known) is None))
    if meant:
        is_needed = meant in schema.required and schema.properties[meant].default is None
        needed = " (which is required)" if is_needed else ""
        return f"did you mean '{meant}'{needed}?", (change_to(span, meant),)
    return _ADVICE.get(name) or f"the fields here are {listed(sorted(schema.properties), 'and')}", ()


def _missing_field(part: OwnPart, error: FieldError) -> Findings:
    """Mark the field if it is there but empty, else the key of the mapping that lacks it; the fix adds it."""
    path = error.path
    while len(path) > 1 and is_null(node_at(part.node, path[:-1])):
        path = path[:-1]
    above, name = path[:-1], str(path[-1])
    mapping = resolved(node_at(part.node, above))
    known = part.schema_at(above).properties
    if not isinstance(mapping, Mapping) or misspelling(mapping, name, known):
        return
    written = entry_of(mapping, name)
    if written:
        node: Node | None = written.key if is_null(written.value) else written.value
    else:
        node = key_at(part.node, above) if above else part.key
    fixes = add_field(mapping, name, part.text, tuple(known), _value_to_add(name, known[name]))
    advice = error.detail or _described(part.schema_at(error.path))
    found = _finding(part, error, node.span if node else _first_key(mapping), advice, fixes)
    if path != error.path:  # the mapping that lacks the field is empty or absent
        needed = place_of(error.path[len(path) :])
        titled = tuple(replace(fix, title=f"Add '{needed}'") for fix in fixes) if written else fixes
        message = f"'{name}' is {'empty' if written else 'missing'}; it needs '{needed}'"
        yield replace(found, message=message, fixes=titled)
    elif written:
        yield replace(found, message=f"'{name}' is empty" + (f"; {advice}" if advice else ""))
    else:
        yield found


def _described(schema: Schema) -> str:
    """Return the first words of a field's description, to follow another sentence."""
    sentence = re.split(r"[.,:;] ", schema.description)[0].rstrip(".").replace("`", "'")
    sentence = sentence[:1].lower() + sentence[1:]
    return sentence if not sentence or sentence.startswith("it ") else f"it is {sentence}"


def _value_to_add(name: str, schema: Schema) -> str | None:
    """Return the value of a new field, None for the usual one of its name."""
    if schema.enum:
        return str(schema.enum[0])
    return _DECLARED.get(name) if "pattern" in schema.raw else None


def _wrong_type(part: OwnPart, error: FieldError, value: Node) -> Finding:
    schema = part.schema_at(error.path)
    if schema.types == ("string",) and isinstance(value, Mapping) and _is_split_expression(value):
        source = quoted(part.text[value.start : value.end])
        fix = Fix("Quote the expression", (Replacement(value.span, source),))
        return _finding(part, error, value.span, "YAML ends a plain value at ': '; quote the expression", (fix,))
    advice = ""
    if schema.types == ("string",) and isinstance(value, Scalar) and isinstance(value.value, bool):
        advice = f"YAML reads '{value.text}' as {str(value.value).lower()}: quote it"
    return _finding(part, error, value.span, advice, _type_fixes(value, schema))


def _is_of_wrong_format(part: OwnPart, error: FieldError, value: Node) -> bool:
    return text_of(value) is not None and part.schema_at(error.path).types == ("string",)


def _is_split_expression(mapping: Mapping) -> bool:
    """Whether a mapping is an expression that YAML split at `: `, such as `${a ? b : c}`."""
    key = mapping.entries[0].key if len(mapping.entries) == 1 and not mapping.flow else None
    return isinstance(key, Scalar) and key.style is ScalarStyle.PLAIN and bool(extract(key.text).unterminated)


def _type_fixes(value: Node, schema: Schema) -> tuple[Fix, ...]:
    if not isinstance(value, Scalar) or value.style is ScalarStyle.MISSING:
        return ()
    text = quoted(value.text)
    if schema.types == ("string",) and value.style is ScalarStyle.PLAIN and value.value is not None:
        if faults(value.text, schema.raw).errors:  # as the version 1, which is called v1
            meant = f"v{value.text}"
            return () if faults(meant, schema.raw).errors else (change_to(value.span, meant),)
        return (Fix(f"Change to {text}", (Replacement(value.span, text),)),)
    of_strings = schema.items is not None and schema.items.types == ("string",)
    if of_strings and isinstance(value.value, str):
        return (Fix(f"Change to [{text}]", (Replacement(value.span, f"[{text}]"),)),)
    return ()


def _invalid_scalar(part: OwnPart, error: FieldError, scalar: Scalar) -> Finding:
    schema = part.schema_at(error.path)
    if schema.enum:
        supported = tuple(map(str, schema.enum))
        proposal = closest(scalar.text, supported) or (supported[0] if len(supported) == 1 else None)
    else:
        proposal = re.sub(r"-?\.[-.]*", ".", re.sub(r"[^a-z0-9.]+", "-", scalar.text.lower())).strip("-.")
    fits = proposal not in ("", scalar.text) and not faults(proposal, schema.raw).errors
    return _finding(part, error, scalar.span, fixes=(change_to(scalar.span, proposal),) if proposal and fits else ())


def _duplicate(part: OwnPart, error: FieldError, item: Node) -> Finding:
    siblings = items(node_at(part.node, error.path[:-1]))
    first = next((each for each in siblings if text_of(each) == text_of(item)), item)
    return replace(_finding(part, error, item.span), related=(Related(first.span, "the first of the two"),))


def _wrong_size(part: OwnPart, error: FieldError, value: Node) -> Finding:
    """Mark the first surplus item or field."""
    schema = part.schema_at(error.path).raw
    if isinstance(value, Sequence):
        most = schema.get("maxItems")
        surplus = value.items[most].span if isinstance(most, int) and error.type is ErrorType.TOO_MANY else value.span
        return _finding(part, error, surplus)
    present = [entry for entry in entries(value) if not is_null(entry.value)]
    most = schema.get("maxProperties")
    if error.type is ErrorType.TOO_MANY and isinstance(most, int):
        return _finding(
            part, error, present[most].key.span, "begin a new entry with '- '", _new_entry(present, most, part.text)
        )
    return _finding(part, error, _first_key(value), "expected a name with a value")


def _new_entry(present: list[Entry], number: int, text: str) -> tuple[Fix, ...]:
    """Return the fix that begins a new item of the list at an entry, below the dash of the first."""
    first, entry = present[0].key.start, present[number].key.start
    if text[first - 2 : first] != "- " or text[entry - 2 : entry] != "  ":
        return ()
    return (Fix("Begin a new list entry", (Replacement(Span(entry - 2, entry), "- "),)),)


def _first_key(node: Node) -> Span:
    """Return the span of a mapping's first key, or of all of an empty mapping."""
    keys = entries(node)
    return keys[0].key.span if keys else node.span


def is_reported(root: Node | None, path: Path, unknown: Container[Path], empty: Container[Path]) -> bool:
    """Whether another finding covers an unknown field: both belong into the same empty field above them.

    One of the lines is in the wrong column. `unknown` are the paths of all unknown fields, `empty` those of fields
    that are reported as empty.
    """
    above = path[:-1]
    siblings = entries(node_at(root, above))
    number = next((number for number, each in enumerate(siblings) if each.name == path[-1]), 0)
    is_first = True
    for name, value in ((each.name, each.value) for each in reversed(siblings[:number])):
        before = (*above, name or "")
        if is_null(value):
            return not is_first or before in unknown or before in empty
        if before not in unknown:
            return False
        is_first = False
    return False
