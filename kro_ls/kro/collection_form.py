"""What a `forEach` and the selector of an external reference mean: in kro's form, or in one that was proposed."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kro_ls.kro.krep_2.words import ITEMS, ITERATOR


class CollectionForm(Struct, frozen=True):
    """How a resource is a collection.

    `iterator` is the one name that iterators have, empty where authors name them. It stands for a place of a list, or
    of a map if the form `takes_maps`, and not for the value there. `alias` can be written after the id for the
    collection itself. `readyWhen` is asked of each object if it `tests_each`, else of all of them at once, and each
    condition may stand without a list around it. An external reference may select beside its metadata if it
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
