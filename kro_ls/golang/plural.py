"""Plurals by the rules of the Go module github.com/gobuffalo/flect v1.0.3."""

from functools import lru_cache

from kro_ls.golang.plural_tables import ACRONYMS, IRREGULAR_WORDS, IRREGULAR_WORDS_AND_SUFFIXES, PLURALS, SUFFIXES


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(singular, plural) for singular, _, plural in (entry.partition(">") for entry in table.split())]


_IRREGULAR = dict(_pairs(IRREGULAR_WORDS_AND_SUFFIXES) + _pairs(IRREGULAR_WORDS))
_PLURALS = frozenset(_IRREGULAR.values()) | frozenset(PLURALS.split())
_ACRONYMS = frozenset(ACRONYMS.split())
_SUFFIX_RULES = tuple(_pairs(IRREGULAR_WORDS_AND_SUFFIXES) + _pairs(SUFFIXES))
_ENDINGS = tuple(dict.fromkeys(ending for rule in _SUFFIX_RULES for ending in rule))


@lru_cache(maxsize=1024)
def plural(kind: str) -> str:
    """Return the plural of a kind after lower-casing it: `WebApp` gives `webapps`.

    The result need not be in lower case, nor a word: `DNS` gives `dnsDNSes`.
    """
    word = kind.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _PLURALS:
        return word
    upper = word.upper()
    if upper in _ACRONYMS:
        return f"{word}{upper}es" if upper.endswith("S") else f"{word}s"
    for ending, plural_ending in _SUFFIX_RULES if word.endswith(_ENDINGS) else ():
        if word.endswith(plural_ending):
            return word
        if word.endswith(ending):
            return word[: -len(ending)] + plural_ending
    return word if word.endswith("s") else f"{word}s"
