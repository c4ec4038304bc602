"""Groups of resources: by the first word of their ids, by API group, by namespace."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kro_ls.render.graph_view import DrawnResource, GraphView

_MOST_WITH_ONE_WORD = 0.6
"""If a larger share of the ids begins with the same word, their second word makes the groups."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", re.ASCII)


class GroupBy(Enum):
    """What the resources of a group have in common, as the data of a graph names it."""

    PREFIX = "prefix"
    API_GROUP = "apiGroup"
    NAMESPACE = "namespace"


def group_titles(resources: Sequence[DrawnResource], by: GroupBy) -> dict[str, str]:
    """Return the title of each resource's group by the resource's id; a resource may be alone in its group."""
    title_of = {GroupBy.PREFIX: _prefixes(resources), GroupBy.API_GROUP: _api_group, GroupBy.NAMESPACE: _namespace}[by]
    return {each.id: title_of(each) for each in resources}


def groups(drawn: GraphView, by: GroupBy | None) -> dict[str, tuple[DrawnResource, ...]]:
    """Return the members of each group by its title, without groups of one member; no groups for None."""
    if by is None:
        return {}
    titles = group_titles(drawn.shown, by)
    found: dict[str, list[DrawnResource]] = {}
    for each in drawn.shown:
        found.setdefault(titles[each.id], []).append(each)
    return {title: tuple(members) for title, members in found.items() if len(members) > 1}


def _namespace(resource: DrawnResource) -> str:
    return resource.namespace or "no namespace"


def _api_group(resource: DrawnResource) -> str:
    if resource.api_version is None:
        return "no API group"
    group, slash, _ = resource.api_version.partition("/")
    return group if slash else "core"


def _prefixes(resources: Sequence[DrawnResource]) -> Callable[[DrawnResource], str]:
    words = {each.id: _WORDS.findall(each.id) or [each.id] for each in resources}
    counts = Counter(found[0] for found in words.values())
    most = len(words) * _MOST_WITH_ONE_WORD
    return lambda each: "".join(words[each.id][: 2 if counts[words[each.id][0]] > most else 1])
