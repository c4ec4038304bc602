"""Completes what can follow a dot: fields of the value, written keys, methods and macros that its type has.

A field that an instance may leave out is read as an optional, `schema.spec.?image.orValue("")`, because kro waits for
ever for a field that is not there (`no such key`). This needs a schema that says which fields are required, and no
test of the field around the read.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.library.standard import HAS
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, selectable_name
from kro_ls.cel.types.types import BOOL, DYN, Kind, list_type, optional_type, struct_type
from kro_ls.cel.types.unification import methods_of
from kro_ls.cursor.likely.fields import fields_below
from kro_ls.cursor.likely.likelihood import COMMON_KEYS, Candidate, Category, steps_to
from kro_ls.cursor.likely.weights import USUAL_FUNCTIONS
from kro_ls.cursor.schemas.expressions import template_keys
from kro_ls.cursor.typed_expression import type_name, unwrapped
from kro_ls.features.completion.items import function_item, macro_item
from kro_ls.features.completion.names import complete_namespace, is_namespace
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import CompletionItem, TextEdit
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import TYPE_NAME_PREFIX
from kro_ls.openapi.schema import Schema
from kro_ls.queries.cells import cached
from kro_ls.rules.surprises.optional_reads import may_lack
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.declarations import Overload
    from kro_ls.cel.types.types import StructFields, Type
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.likely.likelihood import Likelihood
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.features.completion.items import Offer
    from kro_ls.features.lsp_types import Lookup
    from kro_ls.openapi.cel_types import SchemaRoot

REASON: Final = "optional: an instance may leave it out"
_INSTEAD: Final = {
    Kind.STRING: '""',
    Kind.INT: "0",
    Kind.DOUBLE: "0.0",
    Kind.BOOL: "false",
    Kind.LIST: "[]",
    Kind.MAP: "{}",
}
_IDENTITY: Final = (("metadata", "name"), ("metadata", "namespace"))
_ENDS: Final = frozenset("} \t\r\n)+,]")
_USUAL_FIELDS = {
    "": ("apiVersion", "kind", "metadata", "spec", "status"),
    "metadata": ("name", "namespace", "labels", "annotations", "uid"),
    "status": ("conditions", "phase", "state"),
}
"""What objects of any kind have, by the field that it is in."""
_OBJECTS = frozenset({Kind.STRUCT, Kind.MAP, Kind.DYN, Kind.ANY})
_ANY_STRUCT = struct_type("any")
"""Stands for all structs of schemas, which have the same methods."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def complete_member(
    expression: OpenExpression,
    receiver: Node,
    likelihood: Likelihood,
    optional_fields: OptionalFields,
    lookup: Lookup,
    *,
    snippets: bool,
) -> Iterator[Offer]:
    """Yield what can be selected from or called on a receiver: fields, written keys, methods and macros."""
    typed = expression.typed
    if isinstance(receiver, ast.Identifier) and is_namespace(receiver, typed):
        yield from complete_namespace(receiver.name, snippets=snippets)
        return
    type_ = typed.type_of(receiver)
    fields = list(_fields(expression, receiver, likelihood, optional_fields, lookup))
    yield from fields
    if type_.is_dynamic:
        offered_names = {candidate.name for candidate, _ in fields}
        yield from _used_fields(likelihood, steps_to(receiver), offered_names)
    if _is_presence_test(expression):
        return
    # Anything might be called on a value without a schema; what is rare there waits for its first letter.
    is_short = type_.is_dynamic and not expression.word
    for candidate, make in _methods(type_, snippets=snippets):
        if not is_short or candidate.name in USUAL_FUNCTIONS:
            yield candidate, make
    for macro in MACROS.values():
        if macro.applies_to(type_) and not (is_short and macro.name not in USUAL_FUNCTIONS):
            result = BOOL if "predicate" in macro.argument_names[0] and macro.name != "filter" else list_type(DYN)
            results = (result,) if type_.kind is Kind.LIST else ()
            yield Candidate(macro.name, Category.MACRO, results), partial(macro_item, macro, snippets=snippets)


def _fields(
    expression: OpenExpression,
    receiver: Node,
    likelihood: Likelihood,
    optional_fields: OptionalFields,
    lookup: Lookup,
) -> Iterator[Offer]:
    """Yield the fields of a struct, and the keys that the template writes where there may be others."""
    typed = expression.typed
    type_ = typed.type_of(receiver)
    owner = unwrapped(type_)
    guard = None if type_.is_optional or _is_presence_test(expression) else optional_fields
    struct = typed.environment.find_struct(owner.name) if owner.kind is Kind.STRUCT else None
    root = typed.schemas.root_of(owner.name) if struct else None
    if root:
        offered = _schema_fields(root, owner.name, type_.is_optional)
    else:
        offered = _struct_fields(struct, None, owner.name, type_.is_optional) if struct else ()
    for candidate, field in offered:
        yield candidate, partial(_field_item, candidate, field, expression, guard, lookup)
    if owner.kind is not Kind.MAP and not owner.is_dynamic and not (struct and struct.is_open):
        return
    value = owner.parameters[1] if owner.kind is Kind.MAP else DYN
    written = template_keys(expression.owner, receiver)
    # Where the keys are unknown, a value mostly has the same key when it is passed on.
    is_nested = owner.kind is Kind.MAP or (owner.is_dynamic and len(steps_to(receiver)) > 1)
    guessed = (likelihood.key,) if is_nested and likelihood.key not in COMMON_KEYS else ()
    for key in written or guessed:
        if _IDENTIFIER.fullmatch(key) and key not in RESERVED_WORDS and not (struct and key in struct.fields):
            category = Category.KEY if written else Category.GUESS
            yield Candidate(key, category, (value,)), partial(_key_item, key, value, expression)


@cached
def _schema_fields(root: SchemaRoot, struct_name: str, is_optional: bool) -> tuple[tuple[Candidate, Type], ...]:
    struct = root.find_struct(struct_name)
    return _struct_fields(struct, root, struct_name, is_optional) if struct else ()


def _struct_fields(
    struct: StructFields, root: SchemaRoot | None, struct_name: str, is_optional: bool
) -> tuple[tuple[Candidate, Type], ...]:
    """Return the fields of a struct and their types; those that the schemas below a root deprecate are last."""
    found = []
    for name, type_ in struct.fields.items():
        schema = Schema(dict((root and root.find_schema(f"{struct_name}.{name}")) or {}))
        types_ = (optional_type(type_) if is_optional else type_,)
        below = fields_below(schema.raw)
        candidate = Candidate(selectable_name(name), Category.FIELD, types_, below, is_last=schema.is_deprecated)
        found.append((candidate, type_))
    return tuple(found)


def _field_item(
    candidate: Candidate,
    type_: Type,
    expression: OpenExpression,
    optional_fields: OptionalFields | None,
    lookup: Lookup,
) -> CompletionItem:
    item = CompletionItem(
        candidate.name,
        kind=types.CompletionItemKind.Field,
        detail=type_name(type_, expression.owner),
        tags=(types.CompletionItemTag.Deprecated,) if candidate.is_last else (),
        data=lookup,
    )
    return optional_fields.guarded(item, candidate.name, type_) if optional_fields else item


def _key_item(name: str, type_: Type, expression: OpenExpression) -> CompletionItem:
    kind = types.CompletionItemKind.Property
    return CompletionItem(name, kind=kind, detail=type_name(type_, expression.owner))


def _used_fields(likelihood: Likelihood, steps: tuple[str, ...], offered: set[str]) -> Iterator[Offer]:
    """Yield the fields that expressions select elsewhere where there is no schema, and those that every object has."""
    usual = _USUAL_FIELDS.get(steps[-1] if len(steps) > 1 else "", ())
    used = (name for name in likelihood.selected if name not in FUNCTIONS and name not in MACROS)
    for name in dict.fromkeys((*used, *usual)):
        if name not in offered:
            kind = types.CompletionItemKind.Field
            detail = "used in this definition" if name in likelihood.selected else None
            make = partial(CompletionItem, name, kind=kind, detail=detail)
            category = Category.KEY if name in likelihood.selected else Category.GUESS
            yield Candidate(name, category), make


def _methods(type_: Type, *, snippets: bool) -> Iterator[Offer]:
    kind = types.CompletionItemKind.Method
    is_struct = type_.kind is Kind.STRUCT and type_.name.startswith(TYPE_NAME_PREFIX)
    for name, overloads in _methods_of(_ANY_STRUCT if is_struct else type_):
        results = tuple(dict.fromkeys([overload.result for overload in overloads]))
        make = partial(function_item, name, name, overloads, kind, snippets=snippets)
        yield Candidate(name, Category.FUNCTION, results, is_last=is_struct), make


@lru_cache(maxsize=256)  # asked at each key after a dot
def _methods_of(type_: Type) -> tuple[tuple[str, tuple[Overload, ...]], ...]:
    """Return the methods of a type by name; what is declared for dyn is meant for objects."""
    found = []
    for function, fitting in methods_of(type_, FUNCTIONS):
        overloads = tuple(each for each in fitting if type_.kind in _OBJECTS or not each.parameters[0].is_dynamic)
        if overloads:
            found.append((function.name, overloads))
    return tuple(found)


def _is_presence_test(expression: OpenExpression) -> bool:
    """Whether the selection at the cursor is the argument of `has()`, which takes nothing but a field."""
    nodes = expression.nodes
    parent = nodes[-2] if len(nodes) > 1 else None
    return isinstance(parent, ast.Call) and parent.target is None and parent.function == HAS.name


class OptionalFields:
    """The fields of a receiver that are read as optionals, at a cursor; `start` is where the field's name begins."""

    def __init__(self, cursor: Cursor, expression: OpenExpression, receiver: Node, start: int) -> None:
        self._expression, self._receiver = expression, receiver
        content = cursor.document.text.content
        line_end = content.find("\n", cursor.offset)
        following = content[cursor.offset : line_end if line_end >= 0 else len(content)]
        steps = steps_to(receiver)
        self._applies = (
            expression.place is Place.TEMPLATE
            and steps[:2] == ("schema", "spec")
            and all(steps)
            and content[start - 1 : start] == "."
            and (not following or following[0] in _ENDS)
        )
        self._ends_here = following.lstrip()[:1] in ("", "}")
        self._document, self._dot = cursor.document, Span(start - 1, start)

    def guarded(self, item: CompletionItem, field: str, type_: Type) -> CompletionItem:
        """Return an item that reads its field as an optional, if an instance may leave it out; else the item."""
        if not self._applies or not self._may_lack(field) or self._is_tested(field):
            return item
        inserted = item.insert_text
        instead = _INSTEAD.get(type_.kind)
        if instead and not self._takes_optional:
            in_quotes = self._expression.style is ScalarStyle.DOUBLE_QUOTED
            inserted = f"{item.label}.orValue({instead.replace(chr(34), chr(39)) if in_quotes else instead})"
        edits = (TextEdit(to_range(self._document, self._dot), ".?"),)
        detail = f"{item.detail}, {REASON}"
        return replace(item, additional_text_edits=edits, detail=detail, insert_text=inserted)

    @property
    def _takes_optional(self) -> bool:
        """Whether the read is the whole value: an empty optional is left out, which a name cannot be."""
        expression = self._expression
        is_whole = expression.standalone and len(expression.nodes) > 0 and expression.nodes[-1] is expression.typed.root
        return is_whole and self._ends_here and expression.path not in _IDENTITY

    def _may_lack(self, field: str) -> bool:
        typed = self._expression.typed
        type_ = typed.type_of(self._receiver)
        found = typed.schemas.find_schema(type_.name) if type_.kind is Kind.STRUCT else None
        schema = dict(found) if found else {}
        return bool(schema.get("required")) and may_lack(schema, field)

    def _is_tested(self, field: str) -> bool:
        """Whether the expression or a condition of the resource tests the field."""
        part = self._expression.owner.part
        texts = [self._expression.text]
        if isinstance(part, Resource):
            texts += [each.text for each in part.expressions if each.place is Place.INCLUDE_WHEN]
        chain = ".".join(steps_to(self._receiver))
        return any(f"{chain}.{field}" in text or f"{chain}.?{field}" in text for text in texts)
