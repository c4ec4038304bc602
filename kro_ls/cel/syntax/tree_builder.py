"""Builds the tree of any token sequence: the exact tree of a valid expression, one with holes otherwise.

The text is read once, left to right, with a stack of open constructs instead of recursion: an operator waits for its
right operand, a bracket for its closing. An operand or a closing that is missing becomes a `Hole`, tokens that fit
nowhere are skipped, and each such place is noted as a `Damage`. Names and nesting follow cel-go's parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax import hints
from kro_ls.cel.syntax.ast import Hole, Identifier, Literal, LiteralKind, MapEntry, Node, Select, StructField
from kro_ls.cel.syntax.constructs import (
    AND,
    BINARY,
    BRACKET,
    CLOSING,
    CONDITIONAL,
    OR,
    UNARY,
    Assembler,
    Open,
    TreeError,
)
from kro_ls.cel.syntax.identifiers import KEYWORDS, RESERVED_WORDS
from kro_ls.cel.syntax.lexer import EOF, LITERALS, LiteralError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.syntax.lexer import Tokens
    from kro_ls.cel.syntax.macros import MacroSet

_STACK_LIMIT: Final = 2_500
"""Deeper than any expression within the recursion limit can be: at most nine constructs wait in each bracket."""

_CONTINUING = frozenset({*BINARY, "?", ":", ",", ")", "]", "}", EOF})
"""Tokens that can stand after an operand without belonging to it."""


class TreeBuilder:
    """Reads one token sequence; `build` gives the tree and fills `errors`, `damages` and `deepest`."""

    def __init__(self, tokens: Tokens, macros: MacroSet) -> None:
        self._assembler = Assembler(tokens, macros)
        self.errors: list[TreeError] = self._assembler.errors
        self.damages: list[hints.Damage] = []
        self.deepest = 0
        """The most constructs that were open at once."""
        self._tokens = tokens
        self._kinds = tokens.kinds
        self._starts = tokens.starts
        self._ends = tokens.ends
        self._text = tokens.text
        self._has_structs = "{" in tokens.text
        self._index = 0
        self._awaited = {")": 0, "]": 0, "}": 0}
        self._stack: list[Open] = []
        self._start = 0
        self._end = 0

    @property
    def nodes(self) -> int:
        """At least as many as the tree has nodes, those that macros added included."""
        return self._assembler.nodes

    def build(self) -> Node:
        """Return the tree; a lone `Hole` when constructs are nested beyond any limit."""
        continuations: dict[str, Callable[[Node], Node | None]] = {
            ".": self._select,
            "[": self._open_index,
            "?": self._open_conditional,
            ":": self._colon,
            ",": self._comma,
            ")": self._close,
            "]": self._close,
            "}": self._close,
        }
        kinds = self._kinds
        node: Node | None = None
        while True:
            if node is None:
                node = self._operand()
                if len(self._stack) > self.deepest:
                    self.deepest = len(self._stack)
                    if self.deepest > _STACK_LIMIT:
                        return Hole(0, len(self._text), 0)
            kind = kinds[self._index]
            if kind in BINARY:
                self._open_binary(node, kind)
                node = None
            elif kind is EOF:
                return self._finish(node)
            else:
                node = continuations.get(kind, self._skip)(node)

    # Operands

    def _operand(self) -> Node:
        """Read up to the end of the next operand, without what follows it: selections, indexes, operators."""
        kinds = self._kinds
        while True:
            index = self._index
            kind = kinds[index]
            if kind == "IDENTIFIER":
                node = self._name(index, index)
            elif kind in LITERALS:
                node = self._literal(index)
            elif kind in ("!", "-"):
                node = self._prefix(kind)
            elif kind == "(":
                self._open("(", BRACKET, self._starts[index])
                node = None
            elif kind in ("[", "{"):
                node = self._open_collection(kind)
            elif kind == ".":
                node = self._leading_dot()
            else:
                node = self._missing_operand(kind)
            if node is not None:
                return node

    def _missing_operand(self, kind: str) -> Hole:
        index = self._index
        self._damage(hints.missing_operand(self._tokens, index))
        if kind == "ESC_IDENTIFIER":
            self._index += 1
        return self._hole()

    def _hole(self) -> Hole:
        """Return what is missing between the token before and this one, and make it the operand."""
        index = self._index
        start = self._ends[index - 1] if index else 0
        # A token that was skipped as no operand is part of the gap, one that stands there is its end.
        end = max(self._starts[index], start)
        self._start, self._end = start, end
        return Hole(start, end, end)

    def _literal(self, index: int) -> Literal:
        """Read the token at `index`, together with the `-` where the operand starts if that is the token before."""
        kind, decode = LITERALS[self._kinds[index]]
        start, end = self._starts[self._index], self._ends[index]
        text = self._text[self._starts[index] : end]
        if index != self._index:
            text = "-" + text
        self._index = index + 1
        self._start, self._end = start, end
        value: bool | int | float | str | bytes | None
        try:
            value = decode(text)
        except LiteralError as error:
            self.errors.append(TreeError(start, str(error), start, end))
            value = b"" if kind is LiteralKind.BYTES else text if kind is LiteralKind.STRING else 0
        return Literal(start, end, start, value, kind)

    def _prefix(self, kind: str) -> Literal | None:
        """Read a run of `!` or `-`; a single `-` before a number is part of the literal."""
        kinds = self._kinds
        index = self._index
        following = index + 1
        while kinds[following] == kind:
            following += 1
        if kind == "-" and following == index + 1 and kinds[following] in ("NUM_INT", "NUM_FLOAT"):
            return self._literal(following)
        if self._stack and self._stack[-1].precedence == UNARY:
            self._damage("'!' and '-' cannot follow each other: use parentheses")
        operator = self._open(kind, UNARY, self._starts[index])
        operator.optional = (following - index) % 2 == 0
        self._index = following
        return None

    def _leading_dot(self) -> Node | None:
        if self._kinds[self._index + 1] == "IDENTIFIER":
            return self._name(self._index, self._index + 1)
        self._damage("expected a name after '.'")
        self._index += 1
        return self._hole()

    def _name(self, first: int, index: int) -> Node | None:
        """Read a variable, or open a global call or a struct literal; `first` is the leading dot if there is one."""
        following = self._kinds[index + 1]
        start = self._starts[first]
        span = (self._starts[index], self._ends[index])
        name = self._text[span[0] : span[1]]
        if following == "(":
            self._index = index + 1
            call = self._open("call", BRACKET, start)
            call.name, call.name_span, call.leading_dot = name, span, first != index
            return self._close_empty(")")
        if self._has_structs and (following == "{" or following == "."):
            brace = self._struct_brace(index)
            if brace is not None:
                return self._open_struct(first, index, brace)
        self._index = index + 1
        self._start, self._end = start, span[1]
        if name in RESERVED_WORDS:
            self.errors.append(TreeError(start, f"reserved identifier: {name}", *span))
        return Identifier(start, span[1], span[0], name, first != index)

    def _struct_brace(self, index: int) -> int | None:
        """Return the `{` after a dotted name that starts at `index`, if there is one."""
        kinds = self._kinds
        index += 1
        while kinds[index] == "." and kinds[index + 1] == "IDENTIFIER":
            index += 2
        return index if kinds[index] == "{" else None

    # Openings

    def _open(self, kind: str, precedence: int, start: int, left: Node | None = None) -> Open:
        """Put a construct on the stack and step over its token."""
        construct = Open(kind, precedence, start, self._index, left, errors=len(self.errors))
        self._stack.append(construct)
        if precedence == BRACKET:
            self._awaited[CLOSING[kind]] += 1
        self._index += 1
        return construct

    def _close_empty(self, closing: str) -> Node | None:
        """Complete the construct just opened if it is closed at once."""
        if self._kinds[self._index] != closing:
            return None
        self._index += 1
        return self._complete_bracket(self._ends[self._index - 1])

    def _open_collection(self, kind: str) -> Node | None:
        construct = self._open(kind, BRACKET, self._starts[self._index])
        self._skip_lone_comma(CLOSING[kind])
        closed = self._close_empty(CLOSING[kind])
        if closed is None:
            self._optional_mark(construct)
        return closed

    def _skip_lone_comma(self, closing: str) -> None:
        """Step over the comma of `[,]` and `{,}`, which are empty literals."""
        if self._kinds[self._index] == "," and self._kinds[self._index + 1] == closing:
            self._index += 1

    def _optional_mark(self, construct: Open) -> None:
        """Read the `?` before an element, entry or field."""
        construct.errors = len(self.errors)
        construct.optional = self._kinds[self._index] == "?"
        if construct.optional:
            self._index += 1

    def _open_struct(self, first: int, index: int, brace: int) -> Node | None:
        self._index = brace
        construct = self._open("struct", BRACKET, self._starts[first])
        construct.name = "".join(self._tokens.token_text(token) for token in range(first, brace))
        construct.name_span = (self._starts[index], self._ends[brace - 1])
        self._skip_lone_comma("}")
        closed = self._close_empty("}")
        if closed is None:
            self._field_name(construct)
        return closed

    def _field_name(self, construct: Open) -> None:
        """Read `name:` of a struct field."""
        self._optional_mark(construct)
        index = self._index
        kind = self._kinds[index]
        if kind in ("IDENTIFIER", "ESC_IDENTIFIER"):
            start, end = self._starts[index], self._ends[index]
            construct.key = Identifier(start, end, start, self._tokens.token_text(index).strip("`"))
            self._index += 1
        else:
            self._damage("expected a field name")
            construct.key = self._hole()
            if self._kinds[index] == ":":
                first = construct.token + 1
                self.errors.append(
                    TreeError(self._starts[first], "unsupported ident kind", self._starts[first], self._ends[first])
                )
        construct.separator = self._index
        if self._kinds[self._index] == ":":
            self._index += 1
        elif kind in ("IDENTIFIER", "ESC_IDENTIFIER"):
            self._damage("expected ':' after the field name")

    # Continuations: what follows an operand. Each returns the operand so far, or None when another must be read.

    def _select(self, node: Node) -> Node | None:
        kinds = self._kinds
        dot = self._index
        index = dot + 1
        optional = kinds[index] == "?"
        if optional:
            index += 1
        kind = kinds[index]
        span = (self._starts[index], self._ends[index])
        if kind == "IDENTIFIER" and not optional and kinds[index + 1] == "(":
            self._index = index + 1
            call = self._open("call", BRACKET, self._start, node)
            call.name, call.name_span = self._text[span[0] : span[1]], span
            return self._close_empty(")")
        if kind == "IDENTIFIER":
            name = self._text[span[0] : span[1]]
        elif kind == "ESC_IDENTIFIER":
            name = self._text[span[0] + 1 : span[1] - 1]
        else:
            return self._select_without_name(node, index, optional)
        self._index = index + 1
        self._end = span[1]
        return Select(self._start, span[1], self._starts[dot], node, name, span, optional)

    def _select_without_name(self, node: Node, index: int, optional: bool) -> Select:
        kind = self._kinds[index]
        dot = self._starts[self._index]
        self._damage(hints.missing_name(self._tokens, index), index)
        if kind in KEYWORDS:
            span = (self._starts[index], self._ends[index])
            index += 1
        else:
            span = (self._ends[index - 1], self._ends[index - 1])
        self._index = index
        self._end = span[1]
        return Select(self._start, span[1], dot, node, self._text[span[0] : span[1]], span, optional)

    def _open_index(self, node: Node) -> None:
        construct = self._open("index", BRACKET, self._start, node)
        self._optional_mark(construct)

    def _open_binary(self, node: Node, kind: str) -> None:
        precedence = BINARY[kind][0]
        logical = precedence <= AND
        node = self._complete_operators(node, precedence + logical)
        if not logical:
            self._open(kind, precedence, self._start, node)
            return
        top = self._stack[-1] if self._stack else None
        if top is None or top.precedence != precedence:
            top = self._open(kind, precedence, self._start)
        else:
            self._index += 1
        top.elements.append(node)
        top.spans.append((self._start, self._end))
        top.operators.append(self._index - 1)

    def _open_conditional(self, node: Node) -> None:
        node = self._complete_operators(node, OR)
        if self._stack and self._stack[-1].kind == "?":
            self._damage("put parentheses around a conditional between '?' and ':'")
        self._open("?", CONDITIONAL, self._start, node)

    def _colon(self, node: Node) -> Node | None:
        node = self._complete_operators(node, OR)
        while self._stack and self._stack[-1].kind == ":":
            node = self._complete(self._stack.pop(), node)
        top = self._stack[-1] if self._stack else None
        if top is not None and top.kind == "?":
            top.kind, top.key, top.separator = ":", node, self._index
        elif top is not None and top.kind == "{" and top.key is None:
            top.key, top.separator = node, self._index
            top.spans.append((self._start, self._end))
        else:
            return self._skip(node)
        self._index += 1
        return None

    def _comma(self, node: Node) -> Node | None:
        node = self._complete_operators(node, CONDITIONAL)
        top = self._stack[-1] if self._stack else None
        if top is None or top.kind in ("(", "index"):
            return self._skip(node)
        self._add(top, node)
        self._index += 1
        if top.kind == "call":
            return None
        closed = self._close_empty(CLOSING[top.kind])
        if closed is None:
            if top.kind == "struct":
                self._field_name(top)
            else:
                self._optional_mark(top)
        return closed

    def _close(self, node: Node) -> Node:
        closing = self._kinds[self._index]
        if not self._awaited[closing]:
            self._damage(f"'{closing}' closes nothing")
            self._index += 1
            return node
        while True:
            node = self._complete_operators(node, CONDITIONAL)
            if CLOSING[self._stack[-1].kind] == closing:
                self._add(self._stack[-1], node)
                self._index += 1
                return self._complete_bracket(self._ends[self._index - 1])
            node = self._complete_unclosed(node)

    def _skip(self, node: Node) -> Node:
        """Skip tokens that fit nowhere, up to one that can follow an operand; brackets are skipped as a whole."""
        kinds = self._kinds
        self._damage(hints.unexpected(self._tokens, self._index))
        depth = 0
        while True:
            kind = kinds[self._index]
            depth += (kind in ("(", "[", "{")) - (depth > 0 and kind in (")", "]", "}"))
            self._index += 1
            following = kinds[self._index]
            if following is EOF or (depth == 0 and following in _CONTINUING):
                return node

    def _finish(self, node: Node) -> Node:
        """Complete everything that is open at the end of the text."""
        node = self._complete_operators(node, CONDITIONAL)
        while self._stack:
            node = self._complete_operators(self._complete_unclosed(node), CONDITIONAL)
        return node

    # Completions: build the node of a construct that has all its operands.

    def _complete_operators(self, node: Node, precedence: int) -> Node:
        """Complete the open operators that bind at least as tightly as `precedence`."""
        stack = self._stack
        while stack and stack[-1].precedence >= precedence:
            node = self._complete(stack.pop(), node)
        return node

    def _complete(self, construct: Open, node: Node) -> Node:
        """Return the node of an operator and its last operand."""
        if construct.operators:
            construct.spans.append((self._start, self._end))
        self._start = construct.start
        if construct.kind == "?":
            self._damage(hints.missing_colon(self._tokens, construct.token))
            hole = self._gap()
            return self._assembler.conditional(construct, node, hole, self._end)
        if construct.kind == ":" and construct.key is not None:
            return self._assembler.conditional(construct, construct.key, node, self._end)
        return self._assembler.operator(construct, node, self._end)

    def _gap(self) -> Hole:
        """Return the hole between the operand and the next token, and let the operand reach over it."""
        end = max(self._starts[self._index], self._end)
        hole = Hole(self._end, end, end)
        self._end = end
        return hole

    def _add(self, construct: Open, node: Node) -> None:
        """Add what has been read to a call or a list, map or struct literal."""
        if construct.kind == "{":
            key, value = construct.key, node
            if key is None:
                self._damage("expected ':' and a value for the key")
                # cel-go does not look at a key without a colon.
                del self.errors[construct.errors :]
                construct.separator = self._index
                key, value = node, self._gap()
                construct.spans.append((self._start, self._end))
            start, _ = construct.spans.pop()
            colon = self._starts[construct.separator]
            construct.entries.append(MapEntry(start, self._end, colon, key, value, construct.optional))
            construct.key = None
        elif construct.kind == "struct" and construct.key is not None:
            name = construct.key.name if isinstance(construct.key, Identifier) else ""
            span = (construct.key.start, construct.key.end)
            colon = self._starts[construct.separator]
            construct.fields.append(StructField(span[0], self._end, colon, name, span, node, construct.optional))
        else:
            if construct.optional:
                construct.optional_indices.append(len(construct.elements))
            construct.elements.append(node)

    def _complete_unclosed(self, node: Node) -> Node:
        """Complete the innermost bracket without its closing; it reaches to the next token."""
        construct = self._stack[-1]
        self._damage(hints.unclosed(self._tokens, construct.token, CLOSING[construct.kind]))
        self._add(construct, node)
        return self._complete_bracket(max(self._end, self._starts[self._index]))

    def _complete_bracket(self, end: int) -> Node:
        """Complete the innermost bracket, which has all its elements and reaches to `end`."""
        construct = self._stack.pop()
        self._awaited[CLOSING[construct.kind]] -= 1
        self._start, self._end = construct.start, end
        return self._assembler.bracket(construct, end)

    def _damage(self, hint: str, token: int | None = None) -> None:
        self.damages.append(hints.Damage(self._starts[self._index if token is None else token], hint))
