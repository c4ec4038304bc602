"""What is true of many resources together, put together from blocks of them.

After an edit only the blocks that it touched are looked at again, so this costs little in a file of any length.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.sets import set_of, union
from kro_ls.kro.places import Place
from kro_ls.spelling import Spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.facts import Facts, FieldNames, KindName

EXTERNAL = (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION)


class Summary(Struct, frozen=True):
    """Of some resources: the kinds that they name, and the fields that any of them uses, as in `Facts`.

    The flags tell whether each could be read, whether some are there on a condition only, whether the id of some is
    missing or unusable, whether some use their own, whether some do not say their kind, and whether some are external
    references. `aliased` are the ids of collections that have a further name.
    """

    kinds: frozenset[KindName]
    reads: frozenset[FieldNames]
    fields: frozenset[str] | None
    is_readable: bool
    is_conditional: bool
    has_anonymous: bool
    uses_itself: bool
    is_unfinished: bool
    has_external: bool
    aliased: frozenset[str | None]


class Block(Struct, frozen=True, eq=False):
    """Resources that follow one another, their ids, and the names that any of them uses; these are as in `Facts`.

    There may be as many names as resources, so nobody puts those of all blocks together.
    """

    facts: tuple[Facts, ...]
    summary: Summary
    ids: tuple[str | None, ...]
    names: frozenset[str]
    foreign: frozenset[str]
    mentioned: frozenset[str]
    spellings: Spellings


def block_of(facts: tuple[Facts, ...]) -> Block:
    """Return what is true of facts that follow one another."""
    ids = tuple(each.id for each in facts)
    return Block(
        facts,
        joined(map(_summary_of, facts)),
        ids,
        union([each.names for each in facts]),
        union([each.foreign for each in facts]),
        union([each.mentioned for each in facts]),
        Spellings(tuple(each for each in ids if each is not None)),
    )


def joined(summaries: Iterable[Summary]) -> Summary:
    """Return the summary of all of them."""
    parts = tuple(summaries)
    if len(parts) == 1:
        return parts[0]

    def any_is(flag: str) -> bool:
        return any(map(attrgetter(flag), parts))

    return Summary(
        union([part.kinds for part in parts]),
        union([part.reads for part in parts]),
        _all_fields([part.fields for part in parts]),
        all(map(attrgetter("is_readable"), parts)),
        any_is("is_conditional"),
        any_is("has_anonymous"),
        any_is("uses_itself"),
        any_is("is_unfinished"),
        any_is("has_external"),
        union([part.aliased for part in parts]),
    )


def _summary_of(facts: Facts) -> Summary:
    return Summary(
        frozenset((facts.kind,)) if facts.kind else set_of(()),
        facts.reads,
        facts.fields,
        facts.is_readable,
        Place.INCLUDE_WHEN in facts.conditions,
        facts.is_anonymous,
        facts.id in facts.names,
        facts.kind is None,
        facts.type in EXTERNAL,
        frozenset((facts.id,)) if facts.alias else set_of(()),
    )


def _all_fields(of_each: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [fields for fields in of_each if fields is not None]
    return union(known) if len(known) == len(of_each) else None
