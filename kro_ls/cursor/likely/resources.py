"""The resources that an expression can refer to, near the place and by what is typed; a file may have thousands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.cursor.likely.fields import fields_of_status
from kro_ls.cursor.likely.likelihood import Candidate, Category
from kro_ls.kro.places import DEPENDING_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.facts import Facts, FactTable
    from kro_ls.cursor.likely.likelihood import Likelihood
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.openapi.kind_schema import KindSchema

_FEW = 60
"""Up to so many, all are offered."""
_MOST = 24
"""Of more than a few, so many are chosen; the next letter brings others."""
_NEAR = 6
_SHORTEST_WORD = 3


class UsableResource(NamedTuple):
    """A resource; `distance` counts the resources from the place to it, below 0 before the place."""

    id: str
    facts: Facts
    distance: int

    def candidate(self, kind: KindSchema | None) -> Candidate:
        """Return the resource as a name that can be typed; `kind` is that of its object, if it has a schema."""
        named = self.facts.kind[1] if self.facts.kind else ""
        return Candidate(self.id, Category.RESOURCE, (), fields_of_status(kind), named, self.distance)


def usable_resources(expression: OpenExpression, likelihood: Likelihood, word: str) -> Iterator[UsableResource]:
    """Yield the resources that an expression may refer to; of many, those that are likely or begin with `word`.

    Those whose reference would close a cycle of dependencies are left out.
    """
    part, rgd = expression.owner.part, expression.owner.rgd
    table = rgd.table
    allowed = allowed_meanings(expression.place, part)
    own = part.id if isinstance(part, Resource) else None
    if own is not None and Meaning.SELF in allowed and own in table.numbers:
        yield UsableResource(own, table.facts[table.numbers[own]], 0)
    if Meaning.RESOURCE not in allowed:
        return
    here = table.numbers.get(own, len(table.facts)) if own is not None else 0
    names = _considered(table, here, likelihood, word)
    may_depend = own is not None and own in table.numbers and expression.place in DEPENDING_PLACES
    dependents = rgd.graph.depending_on(own) if own is not None and may_depend else frozenset()
    numbers = [table.numbers[name] for name in names]
    for name, number, facts in zip(names, numbers, table.facts.at(numbers), strict=True):
        if name != own and not facts.form.is_patch and name not in dependents:
            yield UsableResource(name, facts, number - here if own is not None else 0)


def _considered(table: FactTable, here: int, likelihood: Likelihood, word: str) -> tuple[str, ...]:
    names = tuple(table.numbers)
    if len(names) <= _FEW:
        return names
    letters = word.lower()
    if letters and (found := tuple(name for name in names if name.lower().startswith(letters))):
        names = found
    if len(names) <= _FEW:
        return names
    near = [facts.id for facts in table.facts[max(0, here - _NEAR) : here + _NEAR] if facts.id]
    selected = [name for name in likelihood.selected if name in table.numbers]
    words = [each for each in likelihood.words if len(each) >= _SHORTEST_WORD]
    likely = dict.fromkeys((*near, *selected, *_with_words(names, words), *names[:_MOST]))
    return tuple(name for name in likely if name.lower().startswith(letters))[:_MOST]


def _with_words(names: tuple[str, ...], words: list[str]) -> list[str]:
    """Return the first names that contain one of some words. Searching all names as one text is quickest."""
    lines = "\n".join(names).lower() if words else ""
    if lines.count("\n") >= len(names):  # a wrong id has several lines
        lines = "\n".join([name.replace("\n", " ") for name in names]).lower()
    found: set[int] = set()
    for word in words:
        number, start, at = 0, 0, lines.find(word)
        for _ in range(_MOST):
            if at < 0:
                break
            number += lines.count("\n", start, at)
            found.add(number)
            start = at
            line_end = lines.find("\n", at)
            at = lines.find(word, line_end) if line_end >= 0 else -1
    return [names[number] for number in sorted(found)[:_MOST]]
