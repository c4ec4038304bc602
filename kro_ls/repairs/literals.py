"""Other forms of a value: with or without quotes, alone or in a list, an expression, a new field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.model.expressions import extract
from kro_ls.cel.types.types import Kind
from kro_ls.kro.environment import parse
from kro_ls.repairs.declarations import declaration, fields_of_instance
from kro_ls.rules.diagnostics import Fix
from kro_ls.spelling import closest
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.types.types import Type
    from kro_ls.repairs.place import Place

_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_TRUTHS: Final = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_DEFAULT: Final = re.compile(r'default=("[^"]*"|\'[^\']*\'|\[[^\]]*\]|\{[^}]*\}|\S+)')
_TYPE: Final = re.compile(r"^\s*[\"']?(\[\][\w\[\]]*|\w+)")


def literal_of(value: object, wanted: Type) -> str | None:
    """Return the literal of a CEL constant in another type, None where there is none."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if wanted.kind is Kind.STRING and isinstance(value, int | float):
        return f'"{text}"'
    if wanted.kind in (Kind.INT, Kind.DOUBLE) and isinstance(value, str) and _NUMBER.fullmatch(value):
        return value
    if wanted.kind is Kind.DOUBLE and isinstance(value, int) and not isinstance(value, bool):
        return f"{value}.0"
    return text if wanted.kind is Kind.BOOL and text in ("true", "false") and isinstance(value, str) else None


def wrong_value(place: Place) -> Iterator[Fix]:
    """Yield other forms of a value whose type the field does not accept."""
    text = place.marked
    bare = text.strip("\"'")
    if "\n" in text:
        return
    if bare != text and bare:
        yield from place.replaced(f"Change to {bare}", bare)
    if bare.lower() in _TRUTHS:
        yield from place.replaced(f"Change to {_TRUTHS[bare.lower()]}", _TRUTHS[bare.lower()])
    if text[:1] == "[" and text[-1:] == "]" and "," not in text:
        yield from place.replaced(f"Change to {text[1:-1]}", text[1:-1].strip())
    if text[:1] == "{" and text[-1:] == "}":
        yield from place.replaced("Write as an expression: ${...}", quoted(f"${text}"))
        yield from _fields_of_object(place, text)
    extraction = extract(bare)
    for each in extraction.expressions:
        yield from place.replaced("Use the expression alone", quoted(bare[each.start : each.end]))
    if not extraction.expressions and "." in bare and not parse(bare).errors:
        yield from place.replaced("Write as an expression: ${...}", quoted(f"${{{bare}}}"))
    yield from place.replaced(f"Change to {quoted(text)}", quoted(text))
    yield from place.replaced(f"Change to [{text}]", f"[{text}]")
    yield from _from_schema(place)


def _fields_of_object(place: Place, text: str) -> Iterator[Fix]:
    words = text.strip("{} ").replace(": ", ":").rstrip(":")
    if words and not parse(words).errors:
        yield from place.replaced("Write as an expression: ${...}", quoted(f"${{{words}}}"))


def _from_schema(place: Place) -> Iterator[Fix]:
    """Yield the fix that turns the value into a field of the schema, of a type that fits."""
    path = place.cursor.yaml.path if place.cursor.yaml else ()
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    taken = fields_of_instance(place.rgd)
    if not name.isidentifier():
        return
    if name in taken:
        yield from place.replaced(f"Read it from 'schema.spec.{name}'", f"${{schema.spec.{name}}}")
        return
    for type_ in ("integer", "string", "boolean", '"[]string"'):
        declared = declaration(place.rgd, name, type_)
        if declared:
            edits = (Replacement(place.span, f"${{schema.spec.{name}}}"), declared)
            yield Fix(f"Make it a field of the schema: '{name}: {type_}'", edits)


def wrong_default(place: Place) -> Iterator[Fix]:
    """Yield other defaults, another type for the default, and its removal."""
    scalar = place.scalar
    match = _DEFAULT.search(scalar.text) if scalar else None
    if scalar is None or match is None:
        return
    written = match[1]
    bare = written.strip("\"'[]")
    truth = _TRUTHS.get(bare.lower()) or closest(bare.lower(), ("true", "false")) or ""
    others = (bare, truth, f'"{bare}"', bare.partition(".")[0], f'["{bare}"]', f"[{bare}]")
    for other in dict.fromkeys(others):
        if other not in ("", written):
            yield from place.in_scalar(f"Change the default to {other}", *match.span(1), other)
    declared = _TYPE.match(scalar.text)
    if declared:
        for type_ in ("string", "integer", "boolean", "float"):
            if type_ != declared[1]:
                yield from place.in_scalar(f"Change the type to {type_}", *declared.span(1), type_)
    start = scalar.text.rfind("|", 0, match.start())
    alone = start >= 0 and not scalar.text[start + 1 : match.start()].strip() and not scalar.text[match.end() :].strip()
    begin = len(scalar.text[:start].rstrip()) if alone else len(scalar.text[: match.start()].rstrip())
    yield from place.in_scalar("Remove the default", begin if alone else match.start(), match.end(), "")


def standalone(place: Place) -> Iterator[Fix]:
    """Yield fixes that turn a condition with text around it, or without `${...}`, into one expression."""
    scalar = place.scalar
    if not isinstance(scalar, Scalar):
        return
    text = scalar.text
    extraction = extract(text)
    bodies = [text[each.start + 2 : each.end - 1] for each in extraction.expressions]
    whole = text.strip()
    if not bodies and whole and not parse(whole).errors:
        yield from place.replaced("Wrap in '${...}'", quoted(f"${{{whole}}}"))
    inner = whole[1:-1] if whole[:1] == "{" and whole[-1:] == "}" else ""
    if inner and not parse(inner).errors:
        yield from place.replaced("Wrap in '${...}'", quoted(f"${{{inner}}}"))
    if not bodies:
        return
    combined = re.sub(r"\$\{((?:[^}$\n]|\$(?!\{))*+)\}", r"\1", whole)
    if not parse(combined).errors:
        yield from place.replaced("Combine into one expression", quoted(f"${{{combined}}}"))
    if len(bodies) > 1:
        joined = " && ".join(bodies)
        yield from place.replaced("Combine with '&&'", quoted(f"${{{joined}}}"))
    yield from place.replaced("Remove what stands around it", quoted(f"${{{bodies[0]}}}"))


def closed_text(place: Place) -> Iterator[Fix]:
    """Yield the quote that closes the text of a marker."""
    scalar = place.scalar
    for quote in "\"'" if scalar else "":
        if scalar and scalar.text.count(quote) % 2:
            yield from place.in_scalar(f"Close the text with {quote}", len(scalar.text), len(scalar.text), quote)
            last = scalar.text.rfind(quote)
            yield from place.in_scalar(f"Remove the {quote}", last, last + 1, "")


def version_form(place: Place) -> Iterator[Fix]:
    """Yield the version that is most similar to the text."""
    number = re.search(r"\d+", place.marked)
    stability = next((word for word in ("alpha", "beta") if word[:2] in place.marked.lower()), None)
    versions = [f"v1{stability}{number[0] if number else 1}"] if stability else []
    for version in (*versions, "v1alpha1", f"v{number[0] if number else 1}"):
        yield from place.replaced(f"Change to '{version}'", version)
