"""Foreign texts as Markdown: what is kept of them, and what must not be loaded, run or followed."""

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from kro_ls.features.documentation.markdown import code, code_block, is_known_page, plain, prose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

PARSERS = [MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"])]
HARMLESS = {
    *("paragraph", "inline", "text", "softbreak", "code_inline", "code_block", "fence", "link"),
    *("bullet_list", "ordered_list", "list_item"),
}


def tokens(markdown: str, parser: MarkdownIt = PARSERS[1]) -> Iterator[Token]:
    for token in parser.parse(markdown):
        yield token
        yield from token.children or ()


def seen(markdown: str) -> str:
    """Return what a reader sees, without line breaks."""
    shown = (token for token in tokens(markdown) if token.type != "inline")
    texts = (token.info + token.content if token.type == "fence" else token.content for token in shown)
    return " ".join(texts).replace("\n", " ")


def check_harmless(markdown: str) -> None:
    for parser in PARSERS:
        is_linked = False
        for token in tokens(markdown, parser):
            assert re.sub("_(open|close)$", "", token.type) in HARMLESS, (token, markdown)
            if token.type == "link_open":
                assert is_known_page(str(token.attrs["href"])), markdown
            is_linked = token.type == "link_open" or (is_linked and token.type != "link_close")
            if token.type == "text" and not is_linked:
                # GitHub's Markdown, which editors render, turns these into links by itself, up to a blank or `<`.
                for bare in re.finditer(r"(?i)(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<]*", token.content):
                    assert is_known_page(bare[0].rstrip(").,;:!?")), (bare[0], markdown)
                assert not re.search(r"\w@\w", token.content), markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("Port of the service.", "Port of the service."),
        ("First.\n\nSecond\ngoes on.", "First.\n\nSecond\ngoes on."),
        ("Values:\n - `a`: one\n - `b`: two", "Values:\n - `a`: one\n - `b`: two"),
        ("1. one\n2) two\n* three\n+ four", "1. one\n2) two\n* three\n+ four"),
        ("under `/apis/<group>/*`", "under `/apis/<group>/*`"),
        ("the ``a`b``", "the ``a`b``"),
        ("snake_case, a & b, C:\\dir", "snake_case, a & b, C:\\dir"),
        ("So:\n\n\tspec:\n\t  a: <b>\n\nEnd.", "So:\n\n```\nspec:\n  a: <b>\n```\n\nEnd."),
        ("So:\n```yaml\na: [b](c)\n```\nEnd.", "So:\n```yaml\na: [b](c)\n```\nEnd."),
        ("See https://kubernetes.io/docs/a#b.", "See https://kubernetes.io/docs/a#b."),
        ("(http://git.k8s.io/x)", "(http://git.k8s.io/x)"),
        ("see 'https://kro.run/docs'", "see '<https://kro.run/docs>'"),
        ("a [diff](https://github.com/kubernetes-sigs/x)", "a [diff](https://github.com/kubernetes-sigs/x)"),
        ("see https://evil.example/a.", "see `https://evil.example/a`."),
        ("[docs](https://evil.example)", "\\[docs](`https://evil.example`)"),
        ("![](https://evil.example/a.png)", "!\\[](`https://evil.example/a.png`)"),
        ("[run](command:evil)", "\\[run](command:evil)"),
        ("<img src=x> <https://evil.example> <b>", "\\<img src=x> \\<`https://evil.example`> \\<b>"),
        ("*.example.com **x** _y_ ~~z~~", "\\*.example.com \\*\\*x\\*\\* \\_y\\_ \\~\\~z\\~\\~"),
        ("# a\n> b\n---\n===", "\\# a\n\\> b\n\\---\n\\==="),
        ("[a]: https://evil.example", "\\[a]: `https://evil.example`"),
        ("mail me@evil.example www.evil.example", "mail `me@evil.example` `www.evil.example`"),
        ("a \\[b]", "a \\\\\\[b]"),
        ("&lt;img&gt; AT&T", "\\&lt;img\\&gt; AT&T"),
        ("open ` end", "open \\` end"),
    ],
)
def test_what_is_kept_of_a_description(text: str, markdown: str) -> None:
    assert prose(text) == markdown
    check_harmless(markdown)


@pytest.mark.parametrize(
    ("address", "is_known"),
    [
        ("https://kubernetes.io", True),
        ("https://KUBERNETES.io/docs?a=b#c", True),
        ("https://gateway-api.sigs.k8s.io/x", True),
        ("https://github.com/kubernetes/kubernetes", True),
        ("https://github.com/kubernetes-evil/x", False),
        ("https://github.com/evil", False),
        ("https://github.com/kubernetes/../evil", False),
        ("https://github.com/kubernetes/%2E%2e/evil", False),
        ("https://evilkubernetes.io", False),
        ("https://kubernetes.io.evil.example", False),
        ("https://kubernetes.io@evil.example", False),
        ("https://kubernetes.io:pass@evil.example", False),
        ("https://kubernetes.io\\@evil.example", False),
        ("https://evil.example/https://kubernetes.io", False),
        ("https://evil.example#kubernetes.io", False),
        ("ftp://kubernetes.io", False),
        ("javascript:kubernetes.io", False),
        ("//kubernetes.io", False),
        ("https://kubernetes.io/\nhttps://evil.example", False),
        ("https://ｋubernetes.io", False),
    ],
)
def test_known_pages(address: str, is_known: bool) -> None:
    assert is_known_page(address) is is_known


ATOMS = [
    *("a", "b c", " ", " ", "\n", "\n", "\n\n", "    ", "\t", "- ", "1. ", "* ", "# ", "> ", "---", "==="),
    *(
        "`",
        "``",
        "```",
        "~~~",
        "*",
        "**",
        "_",
        "~~",
        "\\",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "<",
        ">",
        "!",
        ":",
        '"',
        "'",
    ),
    *("|a|b|\n|-|-|\n", "https://evil.example/a.png", "https://kubernetes.io/docs", "https://kubernetes.io"),
    *("http://", "ftp://x", "//e.x", "www.evil.example", "me@evil.example", "@evil.example", "mailto:", "command:x"),
    *("javascript:x", "data:text/html,x", "[a](https://evil.example)", "[a](https://kubernetes.io/x)"),
    *("[a]: https://evil.example\n", "[a]", "[a][b]", "[^1]", "<img src='https://evil.example'>", "<!--", "-->"),
    *("<https://evil.example>", "<script>", "</b>", "&lt;", "&#60;", "&"),
    *("\x00", "\x1b[31m", "\r\n", "\r", "\u2028", "\xa0", "ä", "\U0001f600", "\udcff"),
]


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_loaded_or_linked_whatever_the_text_is(seed: int) -> None:
    choices = random.Random(seed)
    for _ in range(300):
        text = "".join(choices.choices(ATOMS, k=choices.randint(1, 14)))
        check_harmless(prose(text))
        check_harmless(f"x: {plain(text)}, {code(text)}\n\n- y: {plain(text)}\n- z: {code(text)}")
        check_harmless(f"a\n\n{code_block(text, 'yaml')}\n\nb")


@pytest.mark.parametrize("seed", range(5))
def test_all_of_a_text_is_seen(seed: int) -> None:
    choices = random.Random(seed)
    for _ in range(300):
        text = "".join(choices.choices([each for each in ATOMS if each.isprintable()], k=choices.randint(1, 10)))
        words = "".join(re.findall(r"[^\W\d]", text))
        for markdown in (prose(text), plain(text), f"a {code(text)}", code_block(text)):
            assert words in "".join(re.findall(r"[^\W\d]", seen(markdown))) or "](https://kubernetes.io" in text, (
                text,
                markdown,
            )


@pytest.mark.parametrize("part", [*ATOMS, "` `` ", "[a](", "a@", "www.", "://", "_*", "- `", "   ", "~~~\n", "1", "[a"])
def test_time_is_bounded(part: str) -> None:
    started = time.process_time()
    prose(part * 50_000)
    plain(part * 5_000)
    assert time.process_time() - started < 5
