"""What other files of a workspace say about the definitions of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kro_ls.rules.files.definitions_together import KindElsewhere, ObjectElsewhere
    from kro_ls.rules.files.missing_permission import GrantingRole
    from kro_ls.rules.files.substituted_expression import Substitution


class Beside(Struct, frozen=True):
    """Compared by value: a document with another one is looked at again.

    `substitution` is what Flux does with it. `taken` are its kinds that definitions of other files declare as well,
    `circles` those that are in a circle with kinds of other files. `objects` are those of other files that have names
    which objects of the file have. `roles` are all that kro's chart takes in.
    """

    substitution: Substitution | None = None
    taken: tuple[KindElsewhere, ...] = ()
    circles: tuple[KindElsewhere, ...] = ()
    objects: tuple[ObjectElsewhere, ...] = ()
    roles: tuple[GrantingRole, ...] = ()


NOTHING_BESIDE = Beside()
