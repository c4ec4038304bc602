"""Rewrites a collection from the form of KREP-2 to that of kro, with the same meaning if kro has a form for it.

| proposed                    | in kro                                                                            |
|-----------------------------|-----------------------------------------------------------------------------------|
| `each.item` of `E` alone    | an iterator over `E`                                                              |
| `each.index` of `E`         | an iterator over `lists.range(size(E))`; `each.item` is the element of `E` there  |
| `each.key` of a map `E`     | an iterator over `E.map(k, k)`; `each.value` is the value of `E` there            |
| `each.length`               | `size(E)`                                                                         |
| `x.all(w, ...)` is ready    | `...` with `each` for `w`: kro looks at one object after the other                |
| `x.items`                   | `x`                                                                               |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.references import references
from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.kro.identifiers import RESERVED_WORDS
from kro_ls.kro.krep_2 import INDEX, ITEM, ITEMS, ITERATOR, KEY, LENGTH, SELECTOR, VALUE
from kro_ls.kro.places import Place
from kro_ls.rules.diagnostics import PartReplacement, Section
from kro_ls.rules.versions.krep_2_ranges import edited, in_scalar, operand, range_edits
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entry_of, is_null
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.cel.types.types import Type
    from kro_ls.rules.diagnostics import Part
    from kro_ls.rules.versions.krep_2_ranges import TextEdit
    from kro_ls.yaml_positions.nodes import Entry

_FIELDS = {Kind.LIST: frozenset({ITEM, INDEX, LENGTH}), Kind.MAP: frozenset({KEY, VALUE, LENGTH})}
_QUOTES = ("'", '"')
_IDENTITY = (("metadata", "name"), ("metadata", "namespace"))


class Rewriting(Struct, frozen=True):
    """The edits that give a resource kro's form. `obstacles` say why there are none, or what the author must decide.

    `keeps_meaning` is False in both cases.
    """

    edits: tuple[Replacement, ...]
    obstacles: tuple[str, ...] = ()
    keeps_meaning: bool = True


class _Obstacle(Exception):  # noqa: N818 - no error, but something without a form in kro
    """Why kro has no form for something, as a sentence."""


def rewriting(rgd: RgdAnalysis, number: int) -> Rewriting:
    """Return the rewriting of a resource in the form of KREP-2."""
    resource = rgd.rgd.parts[number]
    decisions: list[str] = []
    try:
        if resource.dimensions:
            edits = [*_for_each(rgd, resource, decisions), *_conditions(resource)]
        else:
            edits = [_moved_selector(resource)]
    except _Obstacle as obstacle:
        return Rewriting((), (f"; {obstacle}",), keeps_meaning=False)
    elsewhere = _without_items(rgd, number, resource)
    return Rewriting((*edits, *elsewhere), tuple(f"; {each}" for each in decisions), keeps_meaning=not decisions)


def _for_each(rgd: RgdAnalysis, resource: Resource, decisions: list[str]) -> Iterator[Replacement]:
    entry, ranged = entry_of(resource.node, Place.FOR_EACH.value), resource.dimensions[0].expression
    if entry is None or ranged is None or not ranged.inspection.parsed.is_valid:
        raise _Obstacle("the expression cannot be read")
    type_ = _ranged_type(rgd, resource)
    if type_.kind not in _FIELDS:
        raise _Obstacle(f"it can be rewritten when the expression gives a list or a map, which '{type_}' is not")
    uses = {each: _uses_of_each(each) for each in resource.expressions if each.place is Place.TEMPLATE}
    fields = {field for found in uses.values() for _, field in found}
    if not fields <= _FIELDS[type_.kind]:
        unknown = ", ".join(f"each.{field}" for field in sorted(fields - _FIELDS[type_.kind]))
        raise _Obstacle(f"{unknown} has no meaning over '{type_}'")
    over = edited(ranged.text, range_edits(ranged.inspection, _items_edits(ranged, rgd)))
    meanings, name, source = _in_kro(rgd, resource, type_, fields, operand_of(over, ranged))
    if not any(
        each.path in _IDENTITY and not {field for _, field in found} <= {LENGTH} for each, found in uses.items()
    ):
        decisions.append("kro wants the iterator in metadata.name, so that no two objects have one name")
    scalar = resource.dimensions[0].key
    written = f"${{{source or over}}}"
    yield _as_list(resource, entry, [f"{name}: {_scalar(written, scalar, resource.chunk_text)}"])
    for expression, found in uses.items():
        edits = [(start, end, meanings[field]) for (start, end), field in found]
        edit = in_scalar(resource, expression, range_edits(expression.inspection, edits))
        if edit:
            yield edit
        elif edits:
            raise _Obstacle("an expression over several lines is in the way")


def _ranged_type(rgd: RgdAnalysis, resource: Resource) -> Type:
    scope = rgd.scope(resource)
    checked = check_part(resource, scope.bindings, scope.kind)
    return next(each.result.type for each in checked if each.expression.place is Place.FOR_EACH)


def _uses_of_each(expression: Expression) -> list[tuple[tuple[int, int], str]]:
    """Return the spans of the selections from `each`, with the fields. Raises _Obstacle for any other use."""
    inspection = expression.inspection
    bare = {use.node for use in inspection.names if use.name == ITERATOR}
    if not bare:
        return []
    found = []
    for node in ast.walk(inspection.parsed.root):
        if isinstance(node, ast.Select) and node.operand in bare and not node.optional:
            bare.discard(node.operand)
            found.append(((node.start, node.end), node.field))
    tests = [node.call for node in ast.walk(inspection.parsed.root) if isinstance(node, ast.MacroCall)]
    if bare or any(each.function == "has" and _selects_each(each.arguments[0]) for each in tests if each.arguments):
        raise _Obstacle("kro has nothing that stands for 'each' as a whole: name each.item, each.index or the like")
    return found


def _selects_each(node: ast.Node) -> bool:
    return isinstance(node, ast.Select) and isinstance(node.operand, ast.Identifier) and node.operand.name == ITERATOR


def operand_of(text: str, expression: Expression) -> str:
    """Return a whole expression's text, perhaps edited, in parentheses if a selection could not follow it."""
    root = expression.inspection.parsed.root
    return f"({text})" if operand(root, expression.text).startswith("(") else text.strip()


def _in_kro(
    rgd: RgdAnalysis, resource: Resource, type_: Type, fields: set[str], over: str
) -> tuple[dict[str, str], str, str]:
    """Return the texts for the fields of `each`, the iterator, and its list: empty if that stays the same."""
    size = f"size({over.removeprefix('(').removesuffix(')')})" if over.startswith("(") else f"size({over})"
    if type_.kind is Kind.MAP:
        name = _free_name(rgd, resource, KEY)
        return {KEY: name, VALUE: f"{over}[{name}]", LENGTH: size}, name, f"{over}.map(k, k)"
    if INDEX in fields:
        name = _free_name(rgd, resource, INDEX)
        return {INDEX: name, ITEM: f"{over}[{name}]", LENGTH: size}, name, f"lists.range({size})"
    id_ = resource.id or ""
    singular = id_[:-1] if id_.endswith("s") and not id_.endswith("ss") else f"{id_}Item"
    name = _free_name(rgd, resource, singular)
    return {ITEM: name, LENGTH: size}, name, ""


def _free_name(rgd: RgdAnalysis, resource: Resource, wanted: str) -> str:
    taken = (
        RESERVED_WORDS | rgd.table.numbers.keys() | {word for e in resource.expressions for word in e.inspection.words}
    )
    candidates = (wanted, f"{wanted}Value", *(f"{wanted}{number}" for number in range(2, 100)))
    return next((each for each in candidates if can_be_plain(each, in_flow=True) and each not in taken), "eachValue")


def _conditions(resource: Resource) -> Iterator[Replacement]:
    for place in (Place.INCLUDE_WHEN, Place.READY_WHEN):
        entry = entry_of(resource.node, place.value)
        expressions = [each for each in resource.expressions if each.place is place]
        if entry is None or not expressions:
            continue
        is_changed = place is Place.READY_WHEN or any(each.path == () for each in expressions)
        texts = [
            text
            for each in expressions
            for text in (_of_one(each, resource) if place is Place.READY_WHEN else [each.text])
        ]
        if is_changed:
            scalars = [_scalar(f"${{{text}}}", expressions[0].scalar, resource.chunk_text) for text in texts]
            yield _as_list(resource, entry, scalars)


def _of_one(expression: Expression, resource: Resource) -> Iterator[str]:
    """Yield the conditions on one object that together are equivalent to one on the collection."""
    pending = [expression.inspection.parsed.root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and node.function == ast.Operator.AND:
            pending.extend(reversed(node.arguments))
            continue
        yield _of_each(node, expression, resource)


def _of_each(node: ast.Node, expression: Expression, resource: Resource) -> str:
    call = node.call if isinstance(node, ast.MacroCall) else None
    target = call.target if call else None
    if isinstance(target, ast.Select) and target.field == ITEMS:
        target = target.operand
    is_all = call is not None and call.function == "all" and len(call.arguments) == 2
    if call is None or not is_all or not isinstance(target, ast.Identifier) or target.name != resource.id:
        raise _Obstacle(
            f"readyWhen of kro looks at one object after the other, as 'each': it can say {resource.id}.all(...), and "
            "nothing about how many there are"
        )
    body, text = call.arguments[1], expression.text
    own = [use for use in expression.inspection.names if body.start <= use.node.start < body.end]
    if own:
        raise _Obstacle(f"readyWhen of kro knows 'each' alone, not '{own[0].name}' beside it")
    edits: list[TextEdit] = [
        (use.start - body.start, use.end - body.start, ITERATOR)
        for variable in expression.inspection.variables
        if variable.span == (call.arguments[0].start, call.arguments[0].end)
        for use in variable.uses
        if body.start <= use.start
    ]
    return edited(text[body.start : body.end], edits)


def _scalar(text: str, before: Scalar, chunk_text: str) -> str:
    """Return the source of a value on one line, in quotes if it was in quotes or needs them."""
    source = chunk_text[before.start : before.end]
    if text == before.text and "\n" not in source:
        return source
    return text if not source.startswith(_QUOTES) and can_be_plain(text, in_flow=False) else quoted(text)


def _as_list(resource: Resource, entry: Entry, items: list[str]) -> Replacement:
    """Return the edit that replaces a field's value by a list."""
    text = resource.chunk_text
    node = resource.node
    if isinstance(node, Mapping) and node.flow:
        flat = [_in_flow(item) for item in items]
        return Replacement(entry.value.span, f"[{', '.join(flat)}]")
    column = entry.key.start - (text.rfind("\n", 0, entry.key.start) + 1)
    lines = "".join(f"\n{' ' * (column + 2)}- {item}" for item in items)
    end = entry.value.start + len(text[entry.value.start : entry.value.end].rstrip())
    return Replacement(Span(text.index(":", entry.key.end) + 1, end), lines)


def _in_flow(item: str) -> str:
    name, separator, value = item.partition(": ")
    if separator and name.isidentifier():
        return f"{{{name}: {_in_flow(value)}}}"
    return item if item.startswith(_QUOTES) else quoted(item)


def _moved_selector(resource: Resource) -> Replacement:
    reference = resource.external_reference
    entry = entry_of(reference, SELECTOR)
    if entry is None or not is_null(getattr(entry_of(reference, "metadata"), "value", None)):
        raise _Obstacle("write it into 'metadata'")
    text, start, end = resource.chunk_text, entry.key.start, entry.value.end
    if isinstance(reference, Mapping) and reference.flow:
        return Replacement(Span(start, end), f"metadata: {{{text[start:end]}}}")
    column = start - (text.rfind("\n", 0, start) + 1)
    inner = text[start:end].replace("\n", "\n  ")
    return Replacement(Span(start, end), f"metadata:\n{' ' * (column + 2)}{inner}")


def _items_edits(expression: Expression, rgd: RgdAnalysis, only: str | None = None) -> list[TextEdit]:
    """Return the edits that write `x` for `x.items` of collections in the form of the proposal."""
    proposed = rgd.table.aliased if only is None else {only}
    own = {use.node for use in expression.inspection.names if use.name in proposed}
    return [
        (node.operand.end, node.end, "")
        for node in (ast.walk(expression.inspection.parsed.root) if own else ())
        if isinstance(node, ast.Select) and node.field == ITEMS and node.operand in own
    ]


def _without_items(rgd: RgdAnalysis, number: int, resource: Resource) -> Iterator[PartReplacement]:
    """Yield the edits that write `x` for `x.items` in the other parts."""
    if resource.id is None:
        return
    parts: list[tuple[Part, Resource | SchemaSection]] = [*enumerate(rgd.rgd.parts)]
    if rgd.rgd.schema:
        parts.append((Section.SCHEMA, rgd.rgd.schema.section))
    for place, part in parts:
        naming = dict.fromkeys(each.expression for each in references(part) if each.name == resource.id)
        for expression in naming if place != number else ():
            edit = in_scalar(part, expression, _items_edits(expression, rgd, resource.id))
            if edit:
                yield PartReplacement(edit.span, edit.text, place)
