"""Objects that only some of the inputs have: those that belong together depend on one field."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.template_text import Written


def condition_groups(resources: Sequence[DraftResource], links: Mapping[tuple[str, Path], Written]) -> dict[str, str]:
    """Return the name of the group of each conditional resource, by its id.

    Resources belong together if the same inputs have them, and one refers to the other or their names say so: a cache
    with its Service.
    """
    reads = {(id_, used) for (id_, _), written in links.items() for used in written.uses}
    groups: list[list[DraftResource]] = []
    for each in (one for one in resources if not all(one.whole_presence)):
        near = [group for group in groups if any(_belong_together(each, other, reads) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), each])
    names: dict[str, list[DraftResource]] = {}
    for group in groups:
        name = _name(group)
        names[name if name not in names else f"{group[0].id}{len(names) + 1}"] = group
    return {each.id: name for name, group in names.items() for each in group}


def _belong_together(one: DraftResource, other: DraftResource, reads: set[tuple[str, str]]) -> bool:
    if one.whole_presence != other.whole_presence:
        return False
    if one.key == other.key:
        return True
    has_same_word = bool(one.word) and one.word == other.word
    return has_same_word or (one.id, other.id) in reads or (other.id, one.id) in reads


def _name(group: Sequence[DraftResource]) -> str:
    """Return the word that their names share, else the id of the first."""
    words = {each.word for each in group}
    return words.pop() if len(words) == 1 and len(group) > 1 and words != {""} else group[0].id
