"""Markers out of the text after a field's `|`, with kro's own state machine (ParseMarkers in markers.go).

Up to the first mistake every step is kro's. After it the reading goes on at the next marker, so that one mistake hides
no other.
"""

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.simpleschema.results import FieldError, Marker
from kro_ls.analysis.simpleschema.suggestions import similar_markers
from kro_ls.golang.numbers import WHITE_SPACE, trim
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.simple_schema_words import MARKERS, ValueKind
from kro_ls.kro.versions.history import MARKER_WITHOUT_VALUE_REFUSED
from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.shortening import shortened
from kro_ls.spelling import listed
from kro_ls.yaml_positions.positions import Span

_SPACED_KINDS = frozenset(
    {ValueKind.TEXT, ValueKind.CEL, ValueKind.LIST, ValueKind.REGULAR_EXPRESSION, ValueKind.DEFAULT}
)
_WHITE_SPACE = frozenset(WHITE_SPACE)

MAX_ERRORS = 20
"""How many mistakes of one field are reported; reading stops there."""


def tokenize_markers(text: str, start: int) -> tuple[tuple[Marker, ...], tuple[FieldError, ...]]:
    """Return the markers in `text[start:]` and the mistakes between them; the first mistake is the one kro reports."""
    tokenizer = _Tokenizer(text, start)
    tokenizer.run()
    return tuple(tokenizer.markers), tuple(tokenizer.errors)


def unescape(quoted: str) -> tuple[str, list[int]]:
    """Return the text inside a quoted value, and for each of its code points the offset in `quoted` it came from.

    `quoted` has its two outer quotes. The offsets hold one entry more than the text: where the text ends.
    A backslash hides only `"` and itself; before anything else it is an ordinary character.
    """
    characters: list[str] = []
    offsets: list[int] = []
    escaped = False
    for offset in range(1, len(quoted) - 1):
        character = quoted[offset]
        if escaped:
            if character not in '"\\':
                characters.append("\\")
                offsets.append(offset - 1)
                characters.append(character)
                offsets.append(offset)
            else:
                characters.append(character)
                offsets.append(offset - 1)
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            characters.append(character)
            offsets.append(offset)
    offsets.append(max(len(quoted) - 1, 1))
    return "".join(characters), offsets


class Dropped(Struct, frozen=True):
    """The words at the end of a field's text that some versions dropped, and the versions that refuse them."""

    span: Span | None = None
    refused: Versions = ALL


NOTHING_DROPPED = Dropped()


class _Tokenizer:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.markers: list[Marker] = []
        self.errors: list[FieldError] = []
        self.in_value = False
        self.name = ""  # of the marker whose value is being read
        self.key_span = Span(start, start)
        self.value_start = start
        self.damaged = False
        self.words: list[tuple[int, int]] = []  # what has been read towards the next key; kro drops the spaces between
        self.braces: list[int] = []  # open `{` by position
        self.brackets: list[int] = []  # open `[`
        self.quote_start: int | None = None

    @property
    def nested(self) -> bool:
        """Whether the reading is inside brackets or braces."""
        return bool(self.braces or self.brackets)

    def run(self) -> None:
        escaped = False
        for position in range(self.start, len(self.text)):
            if len(self.errors) >= MAX_ERRORS:
                return
            character = self.text[position]
            in_quotes = self.quote_start is not None
            if character == "=" and not self.in_value and not in_quotes and not self.nested:
                self.start_value(position)
                continue
            if character == '"' and not escaped:
                self.quote_start = None if in_quotes else position
            elif character == "\\" and in_quotes and not escaped:
                escaped = True
                self.extend_word(position)
                continue
            elif character in "{[" and not in_quotes:
                (self.braces if character == "{" else self.brackets).append(position)
            elif character in "}]" and not in_quotes:
                self.close_bracket(position)
            elif character in _WHITE_SPACE and not in_quotes and not self.nested:
                if self.in_value:
                    self.finish_value(position)
                continue
            elif in_quotes:
                escaped = False
            self.extend_word(position)
        self.finish()

    def extend_word(self, position: int) -> None:
        if self.in_value:
            return
        if self.words and self.words[-1][1] == position:
            self.words[-1] = (self.words[-1][0], position + 1)
        else:
            self.words.append((position, position + 1))

    def start_value(self, position: int) -> None:
        key = trim("".join(self.text[start:end] for start, end in self.words))
        if not key:
            self.error(Span(position, position + 1), "the marker has no name before '='", "empty marker key")
            self.name, self.key_span, self.damaged = "", Span(position, position), True
        elif key in MARKERS and len(self.words) == 1:
            self.name, self.key_span = key, Span(*self.words[0])
        else:
            self.start_unknown(key)
        self.words = []
        self.in_value = True
        self.value_start = position + 1

    def start_unknown(self, key: str) -> None:
        """Report the key, unless a part of it is in error already, and take its last word as the marker's name."""
        start, end = self.words[-1]
        while start < end and self.text[start] == "|":
            start += 1
        self.name, self.key_span = self.text[start:end], Span(start, end)
        if key in MARKERS:  # kro glues `req uired=true` together and is content
            self.name, self.key_span = key, Span(self.words[0][0], end)
            return
        if self.damaged:
            return
        kro_message = f"invalid marker key {go_quoted(key)}: unknown marker: {key}"
        if self.name in MARKERS:
            stray = [*self.words[:-1], (self.words[-1][0], start)]
            self.stray_words([word for word in stray if word[0] < word[1]], kro_message, NOTHING_DROPPED)
            return
        similar = similar_markers(self.name, MARKERS)
        hint = f"did you mean {listed(similar)}?" if similar else "expected one such as 'required=true' or 'default=1'"
        self.errors.append(
            FieldError(
                self.key_span if self.name else Span(*self.words[-1]),
                f"unknown marker '{shortened(self.name or key)}'; {hint}",
                kro_message,
                "unknown-marker",
                similar,
            )
        )
        self.damaged = True

    def close_bracket(self, position: int) -> None:
        # kro only counts; closing one of the same kind makes the error at the end point to the other
        same, other = (self.braces, self.brackets) if self.text[position] == "}" else (self.brackets, self.braces)
        if same or other:
            (same or other).pop()
            return
        message = f"'{self.text[position]}' closes nothing; put the value in double quotes if it belongs to it"
        self.error(Span(position, position + 1), message, "unmatched closing bracket/brace")
        self.damaged = True

    def finish_value(self, end: int) -> None:
        raw = self.text[self.value_start : end]
        quoted = len(raw) > 1 and raw[0] == '"' and raw[-1] == '"'
        value = unescape(raw)[0] if quoted else trim(raw) if raw != '"' else ""
        span = Span(self.value_start, end)
        self.markers.append(Marker(self.name, self.key_span, value, span, quoted, self.damaged))
        self.in_value = self.damaged = False

    def finish(self) -> None:
        if self.in_value:
            self.check_closed()
            self.finish_value(len(self.text))
            return
        kro_message = f"marker key '{''.join(self.text[start:end] for start, end in self.words)}' without a value"
        rest = Span(self.markers[-1].span.end if self.markers else self.start - 1, len(self.text))
        # An open quote or bracket was refused before, too, and so was any other mistake.
        is_open = self.quote_start is not None or self.nested
        dropped = NOTHING_DROPPED if is_open or self.errors else Dropped(rest, MARKER_WITHOUT_VALUE_REFUSED)
        if self.words:
            if not self.damaged:
                self.stray_words(self.words, kro_message, dropped)
        elif self.markers:
            self.error(rest, "blanks after the last marker are not allowed", kro_message, ("",), dropped)
        else:
            message = "expected a marker after '|', such as 'required=true'"
            self.error(Span(rest.start, rest.start + 1), message, kro_message, dropped=dropped)

    def check_closed(self) -> None:
        if self.quote_start is not None:
            start, message, kro_message = self.quote_start, "this double quote is never closed", "unclosed quote"
        elif self.nested:
            start, kro_message = max([*self.braces[-1:], *self.brackets[-1:]]), "unclosed bracket/brace"
            message = f"this '{self.text[start]}' is never closed; put the value in double quotes"
        else:
            return
        self.error(Span(start, start + 1), message, kro_message)
        self.damaged = True

    def stray_words(self, words: list[tuple[int, int]], kro_message: str, dropped: Dropped) -> None:
        """Report words that are not `key=value`, as what they most likely are."""
        span = Span(words[0][0], words[-1][1])
        written = self.text[span.start : span.end]
        previous = self.markers[-1] if self.markers and not self.markers[-1].damaged else None
        name, colon, value = written.partition(":")
        suggestions = similar_markers(written, MARKERS)
        if not written.strip("|,;"):
            message, suggestions = f"unexpected '{written[0]}'; markers are separated by blanks alone", ("",)
        elif written in MARKERS:
            message = f"the marker '{written}' has no value; write it as in '{MARKERS[written].example}'"
            suggestions = tuple(f"{written}={choice}" for choice in MARKERS[written].values)
        elif colon and name in MARKERS:
            message, suggestions = f"the marker '{name}' has no value; write '=' instead of ':'", (f"{name}={value}",)
        elif previous is not None and previous.value_span.start == previous.value_span.end:
            span = Span(previous.key_span.end, span.end)
            value = _in_double_quotes(written) if _WHITE_SPACE.intersection(written) else written
            message = f"there must be no blanks around '='; write '{previous.name}={shortened(value)}'"
            suggestions = (f"={value}",)
            self.damage_previous(dropped)
        elif previous is not None and not previous.quoted and _takes_spaces(previous.name) and not suggestions:
            span = Span(previous.value_span.start, span.end)
            quoted = _in_double_quotes(self.text[span.start : span.end])
            message = f"a value with blanks needs double quotes; write '{previous.name}={shortened(quoted)}'"
            suggestions = (quoted,)
            self.damage_previous(dropped)
        else:
            message = f"'{shortened(written)}' is not a marker; expected one such as 'required=true'"
        if dropped.span:
            message += f"; kro before {dropped.refused.since} dropped {_shown(self.text, dropped.span)}"
        self.error(span, message, kro_message, suggestions, dropped)

    def damage_previous(self, dropped: Dropped) -> None:
        last = self.markers[-1]
        intact_in = Versions(before=dropped.refused.since) if dropped.span else None
        self.markers[-1] = replace(last, damaged=True, intact_in=intact_in)

    def error(
        self,
        span: Span,
        message: str,
        kro_message: str,
        suggestions: tuple[str, ...] = (),
        dropped: Dropped = NOTHING_DROPPED,
    ) -> None:
        self.errors.append(
            FieldError(span, message, kro_message, "marker-syntax", suggestions, dropped.refused, dropped.span)
        )


def _shown(text: str, span: Span) -> str:
    return f"'{shortened(trim(text[span.start : span.end].removeprefix('|')))}'"


def _takes_spaces(name: str) -> bool:
    return name in MARKERS and MARKERS[name].value_kind in _SPACED_KINDS


def _in_double_quotes(text: str) -> str:
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text
    return '"' + bare.replace("\\", "\\\\").replace('"', '\\"') + '"'
