"""Reads a field that an instance may leave out as an optional: `schema.spec.?image.orValue("")`.

kro waits for ever for a field that is not there (`no such key`). It is done where the schema tells required fields from
others, and where nothing around the read asks for the field already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.likely.uses import steps_to
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import TextEdit
from kro_ls.kro.places import Place
from kro_ls.rules.surprises.optional_reads import may_lack
from kro_ls.yaml_positions.nodes import ScalarStyle
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.features.lsp_types import CompletionItem

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
        self._dot = to_range(cursor.document, Span(start - 1, start))

    def guarded(self, item: CompletionItem, field: str, type_: Type) -> CompletionItem:
        """Return an item that reads its field as an optional, if an instance may leave it out; else the item."""
        if not self._applies or not self._may_lack(field) or self._is_asked_for(field):
            return item
        inserted = item.insert_text
        instead = _INSTEAD.get(type_.kind)
        if instead and not self._takes_optional:
            in_quotes = self._expression.style is ScalarStyle.DOUBLE_QUOTED
            inserted = f"{item.label}.orValue({instead.replace(chr(34), chr(39)) if in_quotes else instead})"
        edits, detail = (TextEdit(self._dot, ".?"),), f"{item.detail}, {REASON}"
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

    def _is_asked_for(self, field: str) -> bool:
        """Whether the expression or a condition of the resource asks for the field."""
        part = self._expression.owner.part
        texts = [self._expression.text]
        if isinstance(part, Resource):
            texts += [each.text for each in part.expressions if each.place is Place.INCLUDE_WHEN]
        chain = ".".join(steps_to(self._receiver))
        return any(f"{chain}.{field}" in text or f"{chain}.?{field}" in text for text in texts)
