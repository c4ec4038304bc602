"""The expression that is being typed and the name at its end, even if it is not closed yet or its YAML is broken."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.model.expressions import extract
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cursor.typed_expression import TypedExpression, expected_in_place, expected_types, typed_expression
from kro_ls.graphs import in_frame
from kro_ls.kro.forms import RESOURCE_LISTS
from kro_ls.kro.places import RESOURCE_PLACES, Place
from kro_ls.queries.cells import cached_attribute
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.syntax.lexer import Tokens
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.parts import PlacedPart, YamlPlace
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.yaml_positions.documents.document import Located
    from kro_ls.yaml_positions.text import Text

_OPERAND_ENDS = frozenset(
    {
        *(")", "]", "}", "true", "false", "null", "IDENTIFIER", "ESC_IDENTIFIER"),
        *("STRING", "BYTES", "NUM_INT", "NUM_UINT", "NUM_FLOAT"),
    }
)
"""The kinds of tokens that an operand can end with."""
_QUOTES = ("'", '"')
_asked_for: Final[deque[Inspection]] = deque(maxlen=16)
"""Holds what was typed last, which is parsed once: each item that is resolved in a list asks for it again."""


class OpenExpression(Struct, frozen=True, dict=True):
    """The CEL text from `${` to the cursor, and where it stands.

    `path` leads to the scalar below the place. `standalone`: nothing stands before the `${`. `quote` is what
    opened the CEL string that the cursor is in, and `string` its text so far; then `text` ends before the quote.
    """

    owner: PlacedPart
    place: Place
    path: Path
    standalone: bool
    style: ScalarStyle
    text: str
    quote: str = ""
    string: str = ""

    @cached_attribute
    def typed(self) -> TypedExpression:
        """The text with the types of its parts."""
        typed = typed_expression(self.owner, self.place, self.text)
        _asked_for.append(typed.inspection)
        return typed

    @cached_attribute
    def nodes(self) -> tuple[Node, ...]:
        """The nodes at the end of the text, the innermost last."""
        return self.typed.nodes_touching(len(self.text))

    @cached_attribute
    def name(self) -> OpenName | None:
        """The name that is being typed, None in a string or where only operators can go."""
        return None if self.quote else _open_name(self.typed, self.tokens, self.nodes)

    @cached_attribute
    def tokens(self) -> Tokens:
        """The tokens of the text."""
        return tokenize(self.text)

    @property
    def word(self) -> str:
        """What there is of the name that is being typed."""
        return self.name.word if self.name else ""

    @cached_attribute
    def expected(self) -> tuple[Type, ...]:
        """What the innermost part at the cursor can be; nothing where anything goes."""
        whole = expected_in_place(self.owner, self.place, self.path, standalone=self.standalone)
        return expected_types(self.typed, len(self.text), whole)


def open_expression(owner: PlacedPart, place: YamlPlace, text: Text, offset: int) -> OpenExpression | None:
    """Return the expression of a part up to a document offset; None outside of `${...}` and in CEL comments.

    `place` is where the offset is in the part's document, and `text` the text of all documents.
    """
    found = expression_place(place.path)
    if found is None or place.in_key:
        return None
    kind, inner = found
    node = place.located.node
    style = node.style if isinstance(node, Scalar) else ScalarStyle.PLAIN
    in_scalar = _before_in_scalar(place.located, offset)
    for before, is_whole in ((in_scalar, True), (_before_in_line(text, offset), False)):
        start = None if before is None else _open_start(before, owner.part.dialect)
        if before is not None and start is not None:
            lead = before[:start]
            standalone = not lead if is_whole else _is_lead_in(lead)
            return _outside_of_string(OpenExpression(owner, kind, inner, standalone, style, before[start + 2 :]))
    return None


def expression_place(path: Path) -> tuple[Place, Path] | None:
    """Return which place of expressions a path of the document is in, and the path below it; None outside of them."""
    _, path = in_frame(path)
    if path[:2] in RESOURCE_LISTS and len(path) > 3:
        place = RESOURCE_PLACES.get(str(path[3]))
        return (place, path[4:]) if place else None
    if path[:3] == ("spec", "schema", "status"):
        return (Place.CONDITION if path[3:4] == ("conditions",) else Place.STATUS), path[3:]
    return None


def _before_in_scalar(located: Located, offset: int) -> str | None:
    local = located.placed.to_chunk(offset)
    if local is None or not isinstance(located.node, Scalar):
        return None
    value_offset = source_map(located.placed.chunk.text, located.node).to_value(local)
    return None if value_offset is None else located.node.text[:value_offset]


def _before_in_line(text: Text, offset: int) -> str:
    """Return what the cursor's line offers; for YAML that is so broken that the line has no scalar."""
    return text.content[text.line_start(text.position(offset).line) : offset]


def _is_lead_in(lead: str) -> bool:
    """Whether a line's text before a `${` is YAML that begins a value, not text of the value itself."""
    bare = lead.rstrip(" \t\"'")
    return not bare or bare[-1] in ":-{[,"


def _open_start(before: str, dialect: Dialect) -> int | None:
    """Return where the last `${` begins that is still open at the end of `before`."""
    extraction = extract(before, dialect)
    if extraction.nested:
        return extraction.nested.start
    closed = extraction.expressions[-1].end if extraction.expressions else 0
    return next((each for each in extraction.unterminated if each >= closed), None)


def _outside_of_string(expression: OpenExpression) -> OpenExpression | None:
    """Cut off the string that the expression ends in; None where it ends in a comment."""
    text, tokens = expression.text, expression.tokens
    last = tokens.errors[-1] if tokens.errors else None
    if last and last.end == len(text) and text[last.start] in _QUOTES and not text.endswith("\n"):
        quote, string = text[last.start], text[last.start + 1 :]
        return replace(expression, text=text[: last.start], quote=quote, string=string)
    last_end = tokens.ends[-2] if len(tokens.ends) > 1 else 0
    return None if "//" in text[last_end:].rpartition("\n")[2] else expression


class OpenName(Struct, frozen=True):
    """A name that is being typed, empty where one could begin.

    `receiver` is what stands before the dot in front of it, if there is one. `variables` are those of the macros around
    it, the innermost first, by their names, with the spans of their declarations.
    """

    word: str
    receiver: Node | None
    variables: dict[str, ast.Span]


def _open_name(typed: TypedExpression, tokens: Tokens, nodes: tuple[Node, ...]) -> OpenName | None:
    """Return the name that is being typed at the end of a text, None where only operators can go."""
    text = typed.text
    word = _word(text, tokens)
    if word is None:
        return None
    variables: dict[str, ast.Span] = {}
    for variable in sorted(typed.inspection.variables, key=lambda each: each.span, reverse=True):
        if variable.scope[0] <= len(text) <= variable.scope[1] and variable.span[1] < len(text):
            variables.setdefault(variable.name, variable.span)
    return OpenName(word, _receiver(nodes, len(text)), variables)


def _word(text: str, tokens: Tokens) -> str | None:
    """Return the name at the end of a text, None after a whole operand such as `f(x)`, `a` or `1`."""
    last = len(tokens.kinds) - 2  # before the end of the text
    is_word = last >= 0 and tokens.ends[last] == len(text) and tokens.token_text(last).isidentifier()
    before = last - 1 if is_word else last
    if before >= 0 and tokens.kinds[before] in _OPERAND_ENDS:
        return None
    return tokens.token_text(last) if is_word else ""


def _receiver(nodes: tuple[Node, ...], offset: int) -> Node | None:
    for node in reversed(nodes):
        if isinstance(node, ast.Select) and node.field_span[0] <= offset <= max(node.field_span):
            return node.operand
    return None
