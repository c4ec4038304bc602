"""Whole expressions that are likely wanted where a value begins: fields that fit by type, those like the key first."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.cel.syntax.identifiers import KEYWORDS, escape, selectable_name
from kro_ls.cel.types.types import DYN, STRING, Kind
from kro_ls.cursor.likely.likelihood import Candidate, Category, Likelihood, field_of, likeness, uses_around
from kro_ls.cursor.likely.resources import usable_resources
from kro_ls.cursor.open.expression import OpenExpression
from kro_ls.cursor.typed_expression import Fit, fit, type_name
from kro_ls.kro.places import STATUS_PLACES, Place
from kro_ls.openapi.cel_types import cel_type
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonValue

_DEEPEST: Final = 3
_VERY_LIKE: Final = 0.9
"""How alike a key is that names a resource and its field."""
_MOST: Final = 12
_MOST_RESOURCES: Final = 12
_MOST_FIELDS: Final = 200
_OBJECTS: Final = frozenset({Kind.STRUCT, Kind.MAP, Kind.LIST})

Steps = tuple[str, ...]


class WholeExpression(Struct, frozen=True):
    """An expression's text without `${` and `}`, and how its type reads."""

    text: str
    type: str


def whole_expressions(
    owner: PlacedPart, place: Place, path: Path, offset: int | None, *, standalone: bool, alike: bool
) -> list[WholeExpression]:
    """Return the expressions for a value at a path in a template or a status, the likeliest first.

    `offset` is the value's in the text of the part. `standalone`: the expression is the whole value. `alike`:
    only those count that the key or a use elsewhere suggests.
    """
    finder = _Finder(OpenExpression(owner, place, path, standalone, ScalarStyle.PLAIN, ""), offset)
    best = nlargest(_MOST, finder.scored(alike=alike), key=lambda each: each[0])
    return [WholeExpression(".".join(steps), type_name(type_, owner)) for _, steps, type_ in best]


class _Finder:
    def __init__(self, expression: OpenExpression, offset: int | None) -> None:
        self._expression, self._owner = expression, expression.owner
        self._likelihood = Likelihood(expression, None, offset)
        field, self._in_status = field_of(expression.path), expression.place in STATUS_PLACES
        uses = uses_around(expression.owner, -1 if offset is None else offset)
        self._used = {(*use.before, use.name) for use in uses}
        alike = (each for each in uses if each.field == field and (each.place in STATUS_PLACES) is self._in_status)
        self._used_for_key = Counter((*use.before, use.name) for use in alike)

    def scored(self, *, alike: bool) -> Iterator[tuple[float, Steps, Type]]:
        """Yield the fields that may be meant, with a score."""
        key, expected = self._likelihood.key, self._expression.expected
        for steps, type_, of_root in self._fields():
            fitting = fit(type_, expected)
            likely = max(likeness(steps[-1], key), _VERY_LIKE * likeness(f"{steps[0]}-{steps[-1]}", key))
            used = self._used_for_key[steps]
            is_object = type_.kind in _OBJECTS
            if fitting is Fit.UNFIT or (
                is_object and (not expected or fitting is not Fit.FITS) and likely < _VERY_LIKE
            ):
                continue
            # A status reports on the resources; a resource does what the instance says.
            is_usual = (steps[0] == "schema") is not self._in_status
            if not (likely or used or (is_usual and not alike)):
                continue
            wrong = (fitting is Fit.LEADS_ON) + (self._in_status and (not is_usual or steps[1] == "spec"))
            yield 3.7 * likely + 1.5 * log(1 + 5 * used) + 0.3 * of_root - wrong, steps, type_

    def _fields(self) -> Iterator[tuple[Steps, Type, float]]:
        owner, place = self._owner, self._expression.place
        allowed = allowed_meanings(place, owner.part)
        instance = owner.rgd.instance
        if Meaning.SCHEMA in allowed and instance:
            score = self._likelihood.score(Candidate("schema", Category.SCHEMA))
            for steps, type_ in _below(instance.schema, ("schema",), ("spec",)):
                yield steps, type_, score
            yield ("schema", "metadata", "name"), STRING, score
            if owner.rgd.rgd.schema and owner.rgd.rgd.schema.section.scope != "Cluster":
                yield ("schema", "metadata", "namespace"), STRING, score
        if isinstance(owner.part, Resource) and Meaning.ITERATOR in allowed:
            for dimension in owner.part.dimensions:
                yield (dimension.name,), DYN, self._likelihood.score(Candidate(dimension.name, Category.ITERATOR))
        if place not in (Place.READY_WHEN, Place.INCLUDE_WHEN):
            yield from self._fields_of_resources()

    def _fields_of_resources(self) -> Iterator[tuple[Steps, Type, float]]:
        rgd = self._owner.rgd
        found = []
        for each in usable_resources(self._expression, self._likelihood, ""):
            facts = each.facts
            if facts.type in (ResourceType.RESOURCE, ResourceType.EXTERNAL):
                kind = rgd.find_kind(facts.kind) if facts.kind else None
                found.append((self._likelihood.score(each.candidate(kind)), each.id, kind))
        for score, name, kind in nlargest(_MOST_RESOURCES, found, key=lambda each: each[0]):
            yield (name, "metadata", "name"), STRING, score
            if kind:
                for steps, type_ in _below(kind.schema, (name,), ("status",)):
                    yield steps, type_, score
                for steps, type_ in _below(kind.schema, (name,), ("spec",), 2) if self._in_status else ():
                    if likeness(steps[-1], self._likelihood.key) == 1:
                        yield steps, type_, score
            else:
                key = self._likelihood.key
                guess = {(name, "status", key)} if key.isidentifier() and likeness(name, key) else set()
                used = {steps for steps in self._used if steps[0] == name and len(steps) > 2}
                yield from ((steps, DYN, score) for steps in sorted(guess | used))


def _below(
    schema: Mapping[str, JsonValue], before: Steps, names: tuple[str, ...], deepest: int = _DEEPEST
) -> Iterator[tuple[Steps, Type]]:
    """Yield the fields of an object, or of those of the names, with what they are; objects in them level by level."""
    level: list[tuple[Steps, Mapping[str, JsonValue], tuple[str, ...]]] = [(before, schema, names)]
    left = _MOST_FIELDS
    for _ in range(deepest):
        deeper: list[tuple[Steps, Mapping[str, JsonValue], tuple[str, ...]]] = []
        for steps, parent, chosen in level:
            fields = parent.get("properties")
            for name, child in fields.items() if isinstance(fields, dict) else ():
                selected = escape(name)
                if not isinstance(child, dict) or selected is None or (chosen and name not in chosen) or left <= 0:
                    continue
                selected = selectable_name(selected)
                type_ = cel_type(child, "") if selected not in KEYWORDS else None
                if type_ is not None:
                    left -= 1
                    if not chosen:
                        yield (*steps, selected), type_
                    deeper.append(((*steps, selected), child, ()))
        level = deeper
