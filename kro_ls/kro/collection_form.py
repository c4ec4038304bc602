"""What a `forEach` and the selector of an external reference mean: in kro's form, or in one that was proposed."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kro_ls.kro.krep_2.words import ITEMS, ITERATOR


class CollectionForm(Struct, frozen=True):
    """The form of a collection.

    `iterator` is the name of every iterator, empty where authors name them. It stands for an entry of a list, or of a
    map if the form `takes_maps`, not for the value there. `alias` after the id means the collection itself.
    `readyWhen` applies to each object if the form `tests_each`, otherwise to all of them at once, and a condition
    needs no list around it. An external reference may select beside its metadata if it
    `selects_beside_metadata`.
    """

    iterator: str = ""
    alias: str = ""
    takes_maps: bool = False
    tests_each: bool = True
    selects_beside_metadata: bool = False


OWN_FORM: Final = CollectionForm()
KREP_2_FORM: Final = CollectionForm(ITERATOR, ITEMS, takes_maps=True, tests_each=False, selects_beside_metadata=True)
"""That of the proposal KREP-2 (`kro.krep_2`)."""
