"""Which of thousands of kinds and versions are offered: what is in use first, and no more than a list is good for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.completion.ranked import MOST_ITEMS, has_letters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.features.completion.kind_catalogue import Entry
    from kro_ls.workspace.used_kinds import UsedKinds

_IN_USE, _IN_USED_GROUP, _OTHER = range(3)


def best(entries: Iterable[Entry], used: UsedKinds, prefix: str) -> list[Entry]:
    """Return the entries that the typed letters stand for, best first, and no more than are of use.

    What begins with them comes first, then what has a word that does, or words with these initials. Only where there is
    no such name are those of use that have the letters anywhere. Within each of these, what is in use comes first, then
    what is of a group in use, then the others; entries that are alike in all of this keep their order.
    """
    known = list(entries)
    letters = prefix.lower()
    found = [entry for entry in known if entry.lower.startswith(letters)] if letters else known
    chosen = _in_use_first(found, used)
    if letters:
        words = [entry for entry in known if not entry.lower.startswith(letters) and _has_word(entry, letters)]
        chosen += _in_use_first(words, used)
        if not chosen:
            chosen = _in_use_first([entry for entry in known if has_letters(entry.lower, letters)], used)
    return chosen[:MOST_ITEMS]


def _in_use_first(entries: list[Entry], used: UsedKinds) -> list[Entry]:
    return sorted(entries, key=lambda entry: _place(entry, used))


def _place(entry: Entry, used: UsedKinds) -> int:
    if entry.name.group not in used.groups:
        return _OTHER
    if entry.name.kind in used.kinds:
        return _IN_USE
    return _OTHER if entry.is_seldom else _IN_USED_GROUP


def _has_word(entry: Entry, letters: str) -> bool:
    """Whether a word of a name begins with letters, or its words have them as initials."""
    if entry.initials.startswith(letters):
        return True
    at = entry.lower.find(letters)
    while at >= 0:
        if at in entry.starts:
            return True
        at = entry.lower.find(letters, at + 1)
    return False
