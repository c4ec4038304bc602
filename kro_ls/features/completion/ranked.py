"""The names that can be typed at a place, the likeliest first, and no more of them than a list is good for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cursor.likely.likelihood import Candidate, Likelihood
    from kro_ls.features.lsp_types import CompletionItem

Offer: TypeAlias = "tuple[Candidate, Callable[[], CompletionItem]]"
"""A name, and what makes its item: most names of a long list are never shown."""

MOST_ITEMS = 100


def best_items(offers: list[Offer], likelihood: Likelihood, word: str) -> list[CompletionItem]:
    """Return the items of the likeliest names; `word` is what is typed so far."""
    letters = word.lower()
    found = offers
    if len(offers) > MOST_ITEMS:
        found = [offer for offer in offers if has_letters(offer[0].name.lower(), letters)]

    def place(offer: Offer) -> tuple[bool, bool, bool, float]:
        """Return what to sort by: first what begins with the word, last what hardly anybody means."""
        candidate, score = offer[0], -likelihood.score(offer[0])
        if not word:
            return False, candidate.is_last, False, score
        name = candidate.name
        return not name.lower().startswith(letters), candidate.is_last, not name.startswith(word), score

    best = sorted(found, key=place)[:MOST_ITEMS]
    return [make() for _, make in best]


def has_letters(text: str, letters: str) -> bool:
    """Whether a text has the letters in their order, with any others between them, as clients judge it."""
    rest = iter(text)
    return all(letter in rest for letter in letters)
