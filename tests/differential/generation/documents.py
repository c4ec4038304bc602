"""Random small YAML documents: everything on which YAML libraries differ, in unusual combinations."""

from __future__ import annotations

from random import Random

_ESCAPES = (
    *(f"\\{each}" for each in "0abt\tnvfre \"'\\/N_LPxuUdsz.$-{"),
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\ud83d\\ude00",
    "\\\n  ",
)
_CHARACTERS = (
    "\u00a0", "\u0085", "\u2028", "\u2029", "\ufeff", "\t", "\r", "\r\n", "\u200b", "\u3000", "\x7f", "\x00", "\x1b",
    "é", "\U0001f600", "\ufffe", "\ue000", "\xad",
)  # fmt: skip
_PLAIN = (
    "a", "a b", "a?b", "?a", "a:b", ":a", "a#b", "a #b", "#a", "-a", "- a", "-", "--", "a-", "a:", "a,b", "a[b",
    "[b]", "{b}", "a{b}", "a]b", "&a", "*a", "!a", "|a", ">a", "'a", "a'b", "%a", "@a", "`a", "=", "<<", "~", "null",
    "Null", "true", "yes", "n", "1", "01", "0o7", "0x1F", "1_000", "1e3", "1.", ".5", "+1", "-.inf", ".nan", "1:20",
    "2026-01-02", "2026-01-02T03:04:05Z", "0b11", "1e400", "9223372036854775808", "18446744073709551616", "0.1e1",
    "1e-2", "12e03", "a\\/b", "$", "${a ? b : c}", "${a}", "a: b", "::", "?", ":", ",", "a\n  b", "a\n\n  b", "",
)  # fmt: skip
_FLOWS = (
    "[{0}, {1}]", "{{{0}: {1}}}", "[{0}: {1}]", "{{{0}, {1}}}", "{{{0}}}", "[{0}]", "{{? {0} : {1}}}", "[? {0}]",
    "[{0},]", "{{{0}: {1},}}", "[,{0}]", '{{"a":{0}}}', "{{a:{0}}}", "[[{0}],{1}]", "[{0}\n, {1}]", "{{{0}:\n {1}}}",
    "[{0} {1}]", "[\n{0}]", "[{0}] {1}", "{{{0}: {1}}}b", "[{0}", "{{{0}:}}", "[{0}:]", "{{:{0}}}", "[{0} # c\n]",
    "[-{0}]", "[- {0}]",
)  # fmt: skip
_TAGS = (
    "!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp", "!!seq", "!!map", "!!merge",
    "!foo",     "!<tag:yaml.org,2002:str>", "!e!x", "!!omap", "!!set", "!a,b", "!a[b]", "!!", "!%41", "!<x", "!!str,",
)  # fmt: skip
_HEADS = ("|", ">", "|-", ">+", "|2", ">1-", "|-1", "|0", "|+ # c", "| a", "|10", ">\t", "|#c", "|--")
_TOPS = ("---\n", "# c\n", "\n", "\ufeff", "--- # c\n", "\t\n", " \n")
_KEYS = (
    "a", "b", "c", "'a'", '"a"', "1", "1.5", "true", "null", "~", "? a\n", "<<", "a b", "!!str a", "&k a", "*a", "[a]",
    "{a: b}", "", "-1", "0x1", "1e3", "y", ".inf", "2026-01-02", '"a\\/b"', "a\u00a0b", "\u00a0a", "=",
)  # fmt: skip
_LINES = ("a", "- b", "# c", "", "\ta", "k: v", " x")
_ODD = ("\t", " ", "\n", ":", "#", "'", '"')


def random_document(random: Random) -> str:
    """Return a document, most of which can be read."""
    text = _mapping(random, 0)
    if random.random() < 0.08:
        text = random.choice(_TOPS) + text
    for _ in range(random.choice([0, 0, 0, 0, 1, 1, 2])):
        place = random.randrange(len(text) + 1)
        odd = random.choice(_CHARACTERS if random.random() < 0.6 else _ODD)
        text = text[:place] + odd + text[place:]
    return text


def _mapping(random: Random, indent: int) -> str:
    lines = []
    for _ in range(random.choice([1, 1, 2, 2, 3])):
        key = random.choice(_KEYS) if random.random() < 0.2 else random.choice("abcdefgh")
        lines.append(f"{' ' * indent}{key}:{_node(random, indent, 0)}")
    return "\n".join(lines) + ("\n" if indent == 0 else "")


def _sequence(random: Random, indent: int) -> str:
    return "\n".join(f"{' ' * indent}-{_node(random, indent + 1, 1)}" for _ in range(random.choice([1, 2, 2])))


def _node(random: Random, indent: int, depth: int) -> str:
    properties = ""
    if random.random() < 0.05:
        properties += f" &{random.choice(['a', 'a1', 'b-c', 'é', 'a:', 'a.b'])}"
    if random.random() < 0.05:
        properties += f" {random.choice(_TAGS)}"
    chance = random.random()
    if depth < 2 and indent < 6 and chance < 0.12:
        return f"{properties}\n{_mapping(random, indent + random.choice([1, 2, 2, 4]))}"
    if depth < 2 and indent < 6 and chance < 0.22:
        return f"{properties}\n{_sequence(random, indent + random.choice([0, 2]))}"
    if chance < 0.27:
        body = "\n".join(
            " " * (indent + random.choice([1, 2, 2, 2, 3, 0]))
            + random.choice(["a", "- b", "# c", "", "\ta", "k: v", " x"])
            for _ in range(random.choice([1, 2, 3]))
        )
        return f"{properties} {random.choice(_HEADS)}\n{body}"
    if chance < 0.29:
        return f"{properties} *{random.choice(['a', 'a1', 'b-c', 'nope', 'a:', 'a,'])}"
    comment = random.choice([" # c", "#c", "\t# c", " "]) if random.random() < 0.1 else ""
    return f"{properties}{random.choice([' ', ' ', ' ', '  ', chr(9)])}{scalar(random)}{comment}"


def scalar(random: Random) -> str:
    """Return a scalar or a small flow collection."""
    chance = random.random()
    if chance < 0.3:
        return _quoted(random)
    if chance < 0.4:
        inside = "".join(random.choice(["a", " ", "''", '"', "\\", "\n ", "#", ": "]) for _ in range(3))
        return f"'{inside}'"
    if chance < 0.6:
        second = _quoted(random) if random.random() < 0.3 else random.choice(_PLAIN)
        return random.choice(_FLOWS).format(random.choice(_PLAIN[:20]), second)
    return random.choice(_PLAIN)


def _quoted(random: Random) -> str:
    pieces = ["a", " ", "'", "#", ": ", "/", "é", "\n ", "\n\n", *random.choices(_ESCAPES, k=4)]
    return '"' + "".join(random.choice(pieces) for _ in range(random.randint(0, 4))) + '"'
