"""Completes a value with a whole `${...}`: a field by type and name; in `readyWhen` what tells that a kind is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.readiness import conditions_of
from kro_ls.cursor.likely.whole import whole_expressions
from kro_ls.cursor.open.expression import expression_place
from kro_ls.features.completion.items import Completions
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.yaml import OpenYaml


def complete_whole_expressions(cursor: Cursor, opened: OpenYaml, word: str, *, alike: bool) -> Iterator[CompletionItem]:
    """Yield the expressions that can be the value that is typed, of which a name in them begins with `word`.

    `alike` tells that only those count which the key suggests. Letters may as well be the value itself where it is a
    text, and Enter after them must not put an expression in their place: there only a `$` asks for expressions.
    """
    content = cursor.document.text.content
    quote = content[opened.word.start - 1] if opened.quoted else ""
    around = '"' if opened.in_flow and not quote else ""
    is_text = opened.schema is None or "string" in opened.schema.schema.types
    letters = word.removeprefix("$").lower()
    if is_text and letters:
        return
    for text, detail in _expressions(cursor, opened.path, opened.word.start, standalone=True, alike=alike):
        if any(name.startswith(letters) for name in text.lower().split(".")):
            item = _item(text.replace('"', "'") if '"' in (quote, around) else text, detail, around, quote)
            yield replace(item, filter_text="$") if is_text else item


def complete_in_text(cursor: Cursor) -> Completions | None:
    """Return the expressions that can follow a `$` inside of a text; None elsewhere."""
    offset, place = cursor.offset, cursor.yaml
    if cursor.document.text.content[max(offset - 1, 0) : offset] != "$" or place is None or place.in_key:
        return None
    if not isinstance(place.located.node, Scalar):
        return None
    found = _expressions(cursor, place.path, offset, standalone=False, alike=False)
    items = [_item(text, detail, "", "") for text, detail in found if '"' not in text]
    return Completions(items, Span(offset - 1, offset)) if items else None


def _item(text: str, detail: str, around: str, quote: str) -> CompletionItem:
    label = f"${{{text}}}"
    inserted = label.replace("'", "''") if quote == "'" else f"{around}{label}{around}"
    kind = types.CompletionItemKind.Value
    return CompletionItem(label, kind=kind, detail=detail, insert_text=None if inserted == label else inserted)


def _expressions(
    cursor: Cursor, path: tuple[str | int, ...], offset: int, *, standalone: bool, alike: bool
) -> Iterator[tuple[str, str]]:
    owner, place = cursor.part, expression_place(path)
    if owner is None or place is None:
        return
    kind, inner = place
    if kind is Place.READY_WHEN and isinstance(owner.part, Resource):
        for condition in conditions_of(owner.part, owner.rgd.kind(owner.part)):
            yield condition.expression, condition.means
        return
    local = owner.placed.to_chunk(offset)
    for each in whole_expressions(owner, kind, inner, local, standalone=standalone, alike=alike):
        yield each.text, each.type
