"""Markdown made of texts that others wrote, such as the descriptions in a custom resource definition.

Of their Markdown, paragraphs, lists and code are kept; everything else is shown as it is written. So an editor that
renders it loads nothing, runs nothing and links to nothing but known pages. Source of the forms:
https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/, in which links need no brackets.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from kro_ls.rules.files.reported_places import short_path

if TYPE_CHECKING:
    from collections.abc import Iterator

_SITES: Final = (
    "kubernetes.io",
    "k8s.io",
    "kro.run",
    "docs.aws.amazon.com",
    "cloud.google.com",
    "learn.microsoft.com",
    "datatracker.ietf.org",
    "tools.ietf.org",
    "www.rfc-editor.org",
    "www.iana.org",
    "www.w3.org",
)
"""Markdown may link to these sites and those below them; only their owners write them."""
_OWNERS: Final = ("cncf", "kro-run", "kubernetes", "kubernetes-client", "kubernetes-csi", "kubernetes-sigs")
"""Owners of repositories on GitHub, where anybody has pages."""
# Without brackets, quotes, stars, ampersands and backslashes every reader sees the same end of an address.
_ADDRESS: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#][\w.~:/?#@!$'+,=%-]*)?", re.ASCII | re.IGNORECASE)
_ON_GITHUB: Final = re.compile(rf"https://github\.com/(?:{'|'.join(_OWNERS)})(?:[/?#].*)?")
_MOST_CHARACTERS: Final = 20_000
_CODE_INDENT: Final = 4  # columns
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+-]*)[ \t]*")
_ITEM: Final = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)]) +(?=\S)")
_OTHER_BLOCK: Final = re.compile(r"[#>|]|=+$|-+$|(?:[-*_] *){3,}$")
"""What begins a heading, a quotation or a table, or is a rule or underlines a heading."""
_TICKS: Final = re.compile(r"`+")
_LINK: Final = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^\s()]+)\)")
_WORD: Final = re.compile(r"\S+")
_LINK_LIKE: Final = re.compile(r"://|www\.|\w@\w", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"([()\[\]<>{}\"`]+)")
_AROUND: Final = "()[]{}<>\"'`*_.,;:!?"
_SPECIAL: Final = re.compile(
    r"[\[<`*~]"  # links and images, HTML and links, code, emphasis
    r"|\\(?=[!-/:-@\[-`{-~]|$)"  # escapes and line breaks
    r"|&(?=#?\w+;)"  # characters by their names
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis
)


def prose(text: str) -> str:
    """Return the Markdown of a description."""
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}..."
    lines = _CONTROLS.sub(" ", text.replace("\r\n", "\n")).expandtabs(_CODE_INDENT).strip("\n").rstrip().split("\n")
    return "\n".join(_blocks(lines))


def plain(text: str) -> str:
    """Return the Markdown that shows a text as it is, in a line with others."""
    return _WORD.sub(_word, " ".join(_CONTROLS.sub(" ", text).split()))


def code(text: str) -> str:
    """Return the Markdown that shows a text as code, in a line with others."""
    shown = " ".join(_CONTROLS.sub(" ", text).split("\n")) or " "
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    ticks = _longer_than_any(shown, 1)
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def code_block(text: str, language: str = "") -> str:
    """Return the Markdown that shows a text as a block of code."""
    ticks = _longer_than_any(text, 3)
    return f"{ticks}{language}\n{text}\n{ticks}"


def is_known_page(address: str) -> bool:
    """Whether an address is that of a page that Markdown may link to."""
    found = _ADDRESS.fullmatch(address)
    if found is None or ".." in address or "%2e" in address.lower():
        return False
    host = found[1].lower()
    return any(host == site or host.endswith(f".{site}") for site in _SITES) or bool(_ON_GITHUB.fullmatch(address))


def _longer_than_any(text: str, least: int) -> str:
    longest = max(map(len, _TICKS.findall(text)), default=0)
    return "`" * max(longest + 1, least)


def _blocks(lines: list[str]) -> Iterator[str]:
    """Yield the Markdown of lines, block by block."""
    number, in_list, is_after_blank = 0, False, True
    while number < len(lines):
        line = lines[number]
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        fence = _FENCE.fullmatch(body)
        end = number + 1
        if fence:
            end = _closing_fence(lines, end, fence[1])
            yield code_block("\n".join(_unindented(lines[number + 1 : end], indent)), fence[2])
            end += 1
        elif body and indent >= _CODE_INDENT and is_after_blank and not in_list:
            end = _end_of_indented(lines, end)
            yield code_block("\n".join(_unindented(lines[number:end], _CODE_INDENT)).rstrip()) + "\n"
        else:
            item = _ITEM.match(body)
            marker = item[0] if item else ""
            in_list = bool(item) or (in_list and (indent > 0 or not body or not is_after_blank))
            yield f"{' ' * indent if in_list else ''}{marker}{_line(body[len(marker) :])}"
        is_after_blank = end > number + 1 or not body
        number = end


def _closing_fence(lines: list[str], start: int, fence: str) -> int:
    """Return the number of the line that closes a fence; without one it is open to the end."""
    for number in range(start, len(lines)):
        shown = lines[number].strip()
        if len(shown) >= len(fence) and not shown.strip(fence[0]):
            return number
    return len(lines)


def _end_of_indented(lines: list[str], start: int) -> int:
    for number in range(start, len(lines)):
        if lines[number].strip() and not lines[number].startswith(" " * _CODE_INDENT):
            return number
    return len(lines)


def _unindented(lines: list[str], indent: int) -> Iterator[str]:
    for line in lines:
        yield line[min(indent, len(line) - len(line.lstrip(" "))) :]


def _line(text: str) -> str:
    """Return the Markdown of a line of a paragraph, which does not become another block."""
    text = text.rstrip(" ")
    escape = "\\" if _OTHER_BLOCK.match(text) else ""
    return f"{escape}{''.join(_pieces(text))}"


def _pieces(text: str) -> Iterator[str]:
    """Yield the Markdown of code, and of what stands between."""
    runs = list(_TICKS.finditer(text))
    closing: dict[int, int] = {}
    last: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = len(runs[index][0])
        closing[index] = last.get(length, -1)
        last[length] = index
    done = index = 0
    while index < len(runs):
        if closing[index] < 0:
            index += 1
            continue
        start, end = runs[index], runs[closing[index]]
        yield from _linked(text[done : start.start()])
        yield code(text[start.end() : end.start()].strip())
        done, index = end.end(), closing[index] + 1
    yield from _linked(text[done:])


def _linked(text: str) -> Iterator[str]:
    """Yield the Markdown of links to known pages, and of what stands between."""
    done = 0
    for link in _LINK.finditer(text):
        if is_known_page(link[2]):
            yield _WORD.sub(_word, text[done : link.start()])
            yield f"[{_SPECIAL.sub(_escaped, link[1])}]({link[2]})"
            done = link.end()
    yield _WORD.sub(_word, text[done:])


def _word(found: re.Match[str]) -> str:
    """Return the Markdown of a word; what readers of Markdown make a link of, unasked, becomes code."""
    word = found[0]
    if not _LINK_LIKE.search(word):
        return _SPECIAL.sub(_escaped, word)
    core = word.strip(_AROUND)
    before, _, after = word.partition(core)
    if not is_known_page(core):
        return "".join(_without_links(word))
    shown = core if not before.strip("(") and not after.strip(").,;:!?") else f"<{core}>"
    return f"{_SPECIAL.sub(_escaped, before)}{shown}{_SPECIAL.sub(_escaped, after)}"


def _without_links(word: str) -> Iterator[str]:
    for part in _BRACKETS.split(word):
        core = part.strip(_AROUND) if _LINK_LIKE.search(part) else ""
        before, _, after = part.partition(core) if core else (part, "", "")
        yield _SPECIAL.sub(_escaped, before)
        yield code(core) if core else ""
        yield _SPECIAL.sub(_escaped, after)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def source_name(source: str) -> str:
    """Return where a schema comes from, for a reader: a path is shortened to the file and its folder."""
    return short_path(source) if os.path.isabs(source) else source
