"""Plants mistakes that people make into definitions that kro accepts, one in each.

A mutator finds the places in a text where its fault can be planted, as replacements of a span. A hash of the text's
name selects the places and the letters of a typo, so every run plants the same faults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Edit: TypeAlias = "tuple[int, int, str]"
"""The start and end of the replaced span, and the replacement."""
Mutator: TypeAlias = "Callable[[str, Random], Iterator[Edit]]"


@dataclass(frozen=True, slots=True)
class Fault:
    """A text with one fault, and its place."""

    kind: str
    name: str
    text: str
    start: int


_EXPRESSION = re.compile(r"\$\{[^{}\n]*\}")
_LETTER = "abcdefghiklmnoprstuvwy"


def planted(name: str, text: str, each: int = 1) -> Iterator[Fault]:
    """Yield the faults planted into one text: so many of each kind, if it has enough places."""
    for kind, mutator in MUTATORS.items():
        random = Random(crc32(f"{name} {kind}".encode()))
        places = list(mutator(text, random))
        for start, end, new in random.sample(places, min(each, len(places))):
            yield Fault(kind, name, text[:start] + new + text[end:], start)


def _typo(word: str, random: Random) -> str:
    """Return the word with a letter omitted, doubled, swapped with its neighbour, or replaced; never the same word."""
    at = random.randrange(1, len(word))
    rest = word[at + 1 :]
    tried = (
        word[:at] + rest,
        word[: at + 1] + word[at] + rest,
        word[: at - 1] + word[at] + word[at - 1] + rest,
        word[:at] + random.choice(_LETTER) + rest,
    )
    chosen = random.choice(tried)
    return chosen if chosen != word else word + word[-1]


def _typos(pattern: str, *, inside: re.Pattern[str] | None = None) -> Mutator:
    """Return a mutator that misspells matches of a pattern's first group, everywhere or inside of other matches."""
    compiled = re.compile(pattern, re.MULTILINE)

    def mutate(text: str, random: Random) -> Iterator[Edit]:
        spans = [each.span() for each in inside.finditer(text)] if inside else [(0, len(text))]
        for start, end in spans:
            for match in compiled.finditer(text, start, end):
                if len(match[1]) > 2:
                    yield (*match.span(1), _typo(match[1], random))

    return mutate


def _changes(pattern: str, *new: str, inside: re.Pattern[str] | None = None) -> Mutator:
    """Return a mutator that replaces matches of a pattern with one of several templates, as `re` expands them."""
    compiled = re.compile(pattern, re.MULTILINE)

    def mutate(text: str, random: Random) -> Iterator[Edit]:
        spans = [each.span() for each in inside.finditer(text)] if inside else [(0, len(text))]
        for start, end in spans:
            for match in compiled.finditer(text, start, end):
                yield (*match.span(), match.expand(random.choice(new)))

    return mutate


def _duplicate_id(text: str, _random: Random) -> Iterator[Edit]:
    ids = list(re.finditer(r"^( *- id: *)(\w+)", text, re.MULTILINE))
    for one, other in pairwise(ids):
        yield (*other.span(2), one[2])


def _indent(text: str, random: Random) -> Iterator[Edit]:
    for match in re.finditer(r"^( +)(?=[A-Za-z][\w.]*:)", text, re.MULTILINE):
        yield match.start(), match.end(), match[1][random.choice((1, 2)) :] if random.random() < 0.5 else match[1] + " "


def _collection(text: str, _random: Random) -> Iterator[Edit]:
    """Turn a resource that others read into a collection."""
    for match in re.finditer(r"^( *)- id: *(\w+)\n(?! *forEach)", text, re.MULTILINE):
        if re.search(rf"\$\{{{match[2]}\.", text):
            yield match.end(), match.end(), f'{match[1]}  forEach:\n{match[1]}    - zone: ${{["a", "b"]}}\n'


_CONDITION = re.compile(r"^ *- .*\$\{[^\n]*(?:==|!=|>|<|has\()[^\n]*\}", re.MULTILINE)

MUTATORS: dict[str, Mutator] = {
    # Names
    "field-typo": _typos(r"\.\??([a-z]\w+)\b(?!\()", inside=_EXPRESSION),
    "schema-field-typo": _typos(r"schema\.spec\.\??(\w+)", inside=_EXPRESSION),
    "root-typo": _typos(r"(?:\$\{|[ (!])([a-z]\w+)\.", inside=_EXPRESSION),
    "function-typo": _typos(r"([A-Za-z]\w+)\(", inside=_EXPRESSION),
    "key-typo": _typos(r"^ *(?:- )?([a-z]\w+):(?= |$)"),
    "kind-typo": _typos(r"^ *kind: ([A-Z]\w+)"),
    "kind-case": _changes(r"(?<=kind: )[A-Z](?=\w+)", "x", "a"),
    "api-version-typo": _typos(r"^ *apiVersion: ([a-z]\w+)"),
    "own-field-typo": _typos(r"^ *(?:- )?(id|template|readyWhen|includeWhen|forEach|externalRef|schema|resources):"),
    # Expressions
    "bracket-missing": _changes(r"[)\]]", "", inside=_EXPRESSION),
    "bracket-too-many": _changes(r"\)", "))", inside=_EXPRESSION),
    "operand-missing": _changes(r"(?<=[\w)])\}$", " +}", " ==}", " &&}", ".}"),
    "operator-of-another-language": _changes(r"&&", "and", "&", inside=_EXPRESSION),
    "alternative-of-another-language": _changes(r"\|\|", "or", "|", inside=_EXPRESSION),
    "comparison-of-another-language": _changes(r"(?<=[^!=<>])==(?=[^=])", "=", "===", inside=_EXPRESSION),
    "quote-missing": _changes(r"(?<=\w)[\"']", "", inside=_EXPRESSION),
    "string-unquoted": _changes(r"[\"'](\w+)[\"'](?!:)", r"\1", inside=_EXPRESSION),
    "brace-missing": _changes(r"(?<=[\w)])\}(?=[\"']?$)", ""),
    "dollar-missing": _changes(r"^( *- )\$\{", r"\1{"),
    "nested": _changes(r"\$\{([a-z]\w+)", r"${${\1}", inside=_EXPRESSION),
    "conversion-missing": _changes(r"string\(([\w.]+)\)", r"\1", inside=_EXPRESSION),
    "default-missing": _changes(r"\.orValue\([^()]*\)", "", inside=_EXPRESSION),
    "optional-in-text": _changes(r"(schema\.spec)\.(\w+)(?=\}[^\n\"'])", r"\1.?\2"),
    "optional-anywhere": _changes(r"(?<=\w)\.(?=\w+\})", ".?", inside=_EXPRESSION),
    "status-of-the-instance": _changes(r"schema\.spec\.", "schema.status.", inside=_EXPRESSION),
    "spec-left-out": _changes(r"schema\.spec\.", "schema.", inside=_EXPRESSION),
    "collection-as-object": _collection,
    # Conditions
    "condition-not-bool": _changes(r" *(?:==|!=|>=?|<=?) *[^ }&|]+(?=\})", "", inside=_CONDITION),
    "condition-not-standalone": _changes(r"\$\{([^{}\n]*)\}", r"\1", r"${\1} == true", r"x ${\1}", inside=_CONDITION),
    # Ids and names
    "id-duplicate": _duplicate_id,
    "id-reserved": _changes(r"(?<=- id: )\w+", "spec", "instance", "namespace", "item", "each", "status"),
    "id-form": _changes(r"(?<=- id: )([a-z])(\w+)", r"\1\2-\1", r"\1_\2", r"My\1\2"),
    "id-missing": _changes(r"^( *- )id: *\w+\n *", r"\1"),
    "key-missing": _changes(r"^ {8,}(?:apiVersion|kind|name): .*\n", ""),
    # Values
    "number-quoted": _changes(r"(?<=: )(\d+)$", r'"\1"'),
    "boolean-quoted": _changes(r"(?<=: )(true|false)$", r'"\1"'),
    "text-as-number": _changes(r"^( {8,}\w+: )[\"']?[a-z][\w-]*[\"']?$", r"\g<1>8080", r"\g<1>true"),
    "text-as-list": _changes(r"^( {8,}\w+: )(\w+)$", r"\1[\2]"),
    # SimpleSchema
    "type-typo": _typos(r"^ +\w+: \"?(string|integer|boolean)\b"),
    "type-of-another-language": _changes(r"(?<=: )((string)|integer|boolean)\b", r"\1s", r"\1?", r"<\1>"),
    "list-type": _changes(r"\"?\[\](string|integer)\"?", r"\1[]", r"list[\1]", r"array"),
    "marker-typo": _typos(r"[| ](required|default|description|enum|minimum|maximum|immutable)="),
    "marker-form": _changes(r"\b(required|default|description)=", r"\1: ", r"\1 ", r"\1:"),
    "marker-bar-missing": _changes(r" \| (?=\w+=)", " ", ", "),
    "default-of-wrong-type": _changes(r"(?<=: )(integer|boolean)\b.*$", r"\1 | default=abc", r'\1 | default="x"'),
    "required-not-bool": _changes(r"required=true", "required=yes", "required", "required=True"),
    # YAML
    "indent": _indent,
    "tab": _changes(r"^ {2,8}(?=\w+:)", "\t"),
    "colon-missing": _changes(r"^( +[a-z]\w+):(?= |$)", r"\1"),
    "blank-missing": _changes(r"^( +[a-z]\w+): (?=[\w$])", r"\1:"),
    "yaml-quote-missing": _changes(r"(?<=[^\s:])[\"']$", ""),
    "colon-in-text": _changes(r"(?<=: )(\$\{[^{}\n]*\})$", r"\1: x", r"a: \1"),
}
