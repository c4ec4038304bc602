"""How likely a name is the next one in an expression.

A score is a sum: of what people use most, where a definition itself says nothing, of how often the definition chooses
the name in places like this, of how alike it is to the YAML key, and of whether its type fits. The weights were fitted
to definitions that people wrote (`python -m benchmarks --only completion_ranking` measures them on others).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cursor.likely.uses import Wanted, field_of, likeness, names_in, steps_to, uses_around
from kro_ls.cursor.types.expected_types import fit
from kro_ls.kro.places import STATUS_PLACES, Place

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.open.expression import OpenExpression


Shares = Mapping[str, float]

_RESOURCE: Final[Shares] = {
    "status": 0.55,
    "metadata": 0.35,
    "spec": 0.06,
    "data": 0.02,
    "kind": 0.004,
    "apiVersion": 0.004,
}
_READY_RESOURCE: Final[Shares] = {"status": 0.9, "metadata": 0.03, "spec": 0.05, "data": 0.02}
_FIELDS: Final[Mapping[str, Shares]] = {
    "schema": {"spec": 0.8, "metadata": 0.19},
    "metadata": {"name": 0.7, "namespace": 0.15, "labels": 0.04, "annotations": 0.03, "uid": 0.02},
    "status": {
        "ackResourceMetadata": 0.25,
        "conditions": 0.1,
        "loadBalancer": 0.05,
        "availableReplicas": 0.05,
        "phase": 0.04,
        "state": 0.04,
    },
    "ackResourceMetadata": {"arn": 0.9, "region": 0.05, "ownerAccountID": 0.05},
    "spec": {"name": 0.1, "replicas": 0.05},
}
"""The shares of the fields that are selected from a field, or from `schema`."""
_OTHER_FIELD: Final = 0.005

_FUNCTIONS: Final[Shares] = {
    "orValue": 0.2,
    "string": 0.15,
    "map": 0.15,
    "exists": 0.1,
    "has": 0.08,
    "filter": 0.08,
    "join": 0.06,
    "size": 0.05,
    "all": 0.05,
    "split": 0.05,
    "value": 0.04,
    "int": 0.03,
    "hasValue": 0.03,
    **dict.fromkeys(("startsWith", "endsWith", "contains", "replace", "format", "lowerAscii"), 0.02),
    **dict.fromkeys(("json", "base64", "random"), 0.02),
    **dict.fromkeys(("lists", "merge", "substring"), 0.01),
}
_OTHER_FUNCTION: Final = 0.002


def field_prior(before: str, name: str, place: Place) -> float:
    """Return the log of how much likelier than others a field is after the field `before`, or after a resource ("")."""
    of_resource = _READY_RESOURCE if place is Place.READY_WHEN else _RESOURCE
    shares = _FIELDS.get(before, {}) if before else of_resource
    return log(shares.get(name, _OTHER_FIELD) / _OTHER_FIELD)


def function_prior(name: str) -> float:
    """Return the log of how much likelier than others a function, macro or namespace is."""
    return log(_FUNCTIONS.get(name, _OTHER_FUNCTION) / _OTHER_FUNCTION)


USUAL_FUNCTIONS: Final = frozenset(_FUNCTIONS)
"""The functions and macros that are offered first where anything might be called."""


class Category(Enum):
    """What a name stands for."""

    VARIABLE = "a variable of a macro"
    ITERATOR = "an iterator"
    SCHEMA = "the instance"
    OWN = "each, runtime"
    RESOURCE = "a resource"
    FUNCTION = "a function"
    MACRO = "a macro"
    NAMESPACE = "a namespace of functions"
    FIELD = "a field"
    KEY = "a key that is written or read elsewhere, and that no schema declares"
    GUESS = "a field without any evidence"


_SURPRISE: Final = 5.0
"""How much more the first use of a name counts than each other one."""
_CALLED: Final = (Category.FUNCTION, Category.MACRO, Category.NAMESPACE)


class Candidate(Struct, frozen=True):
    """A name that can be typed.

    `types` are those that it may have, `below` the fields in it. Of a resource, `kind` is its kind, and `distance`
    counts the resources to it, below 0 before the place; of a macro's variable it counts the macros inside its own.
    Candidates with `is_last` come after all others.
    """

    name: str
    category: Category
    types: tuple[Type, ...] = ()
    below: tuple[str, ...] = ()
    kind: str = ""
    distance: int = 0
    is_last: bool = False


class Likelihood:
    """Gives each candidate for the name at the end of an open expression a score; more is likelier.

    `offset` is the place in the text of the expression's part.
    """

    def __init__(self, expression: OpenExpression, receiver: Node | None, offset: int | None) -> None:
        self._expression = expression
        self._wanted = Wanted(expression.owner, expression.place, expression.path)
        self._expected = expression.expected
        self._before = steps_to(receiver) if receiver is not None else ()
        self._alike: dict[tuple[str, ...], float] = {}
        self._of_category: dict[Category, float] = {}
        self._place = "status" if expression.place in STATUS_PLACES else expression.place.value
        self._is_operand = expression.text.strip() != expression.word
        self._same, self._same_key, self._same_kind, self._same_field = (Counter[str]() for _ in range(4))
        self._count_uses(-1 if offset is None else offset)
        self._of_uses = self._scores_of_uses()

    @property
    def words(self) -> frozenset[str]:
        """The words of the names around the place."""
        return self._wanted.words

    @property
    def key(self) -> str:
        """The YAML key, or a name beside it that says more."""
        return self._wanted.key

    @property
    def selected(self) -> tuple[str, ...]:
        """The names that are chosen elsewhere after the same, or after another resource of the kind."""
        return (*self._same, *self._same_kind)

    def _count_uses(self, offset: int) -> None:
        before, field = self._before, field_of(self._wanted.path)
        kind = self._kind(before[0]) if before else None
        uses = uses_around(self._expression.owner, offset, before[-1] if before else "")
        same = [use for use in uses if use.before == before and (before or use.place is self._wanted.place)]
        self._same.update([use.name for use in same])
        self._same_key.update([use.name for use in same if use.field == field])
        for use in uses if before else ():
            if use.before != before:
                of_kind = kind is not None and use.before[1:] == before[1:] and self._kind(use.before[0]) == kind
                (self._same_kind if of_kind else self._same_field)[use.name] += 1

    def _kind(self, name: str) -> str | None:
        declared = self._expression.owner.rgd.table.declarations.get(name)
        return declared.kind[1] if declared and declared.kind else None

    def score(self, candidate: Candidate) -> float:
        """Return how likely a candidate is; only the order means something."""
        name, category = candidate.name, candidate.category
        is_called = category in _CALLED
        found = self._score_of_category(category) + self._of_uses.get(name, 0.0)
        if candidate.types and self._expected:
            best = _best_fit(candidate.types, self._expected)
            found += _WEIGHTS[f"called {best}" if is_called else best]
        own, around = _likeness_to(name, self._wanted.key, self._wanted.around)
        found += _WEIGHTS["like the key"] * own + _WEIGHTS["like the keys around"] * around
        if category is Category.FIELD and name.lower() == self._wanted.key.lower():
            found += _WEIGHTS["is the key"]
        if candidate.below:
            found += _WEIGHTS["below is like the key"] * max(self._likeness_to_key(candidate.below) - own, 0.0)
        if is_called:
            found += _WEIGHTS["function"] * function_prior(name)
        elif self._before:
            is_resource = len(self._before) == 1 and self._before[0] != "schema"
            before = "" if is_resource else self._before[-1]
            found += _WEIGHTS["field"] * field_prior(before, name, self._wanted.place)
        elif category is Category.RESOURCE:
            found += self._score_of_resource(candidate, around)
        elif category is Category.VARIABLE:
            found += _WEIGHTS["distance"] * candidate.distance
        return found

    def _score_of_category(self, category: Category) -> float:
        """Return the evidence for and against all candidates of a category."""
        found = self._of_category.get(category)
        if found is None:
            features = [category.name]
            if self._before:
                features += ["called"] if category in _CALLED else []
            else:
                features += [f"{category.name} in {self._place}"]
                features += [f"{category.name} as operand"] if self._is_operand else []
            found = self._of_category[category] = sum(_WEIGHTS.get(each, 0.0) for each in features)
        return found

    def _scores_of_uses(self) -> dict[str, float]:
        """Return the evidence for and against each name from its uses."""
        here = (name for steps, name in names_in(self._expression.typed.root) if steps == self._before)
        found = dict.fromkeys(here, _WEIGHTS["here"])
        for feature, counts in (
            ("same", self._same),
            ("same key", self._same_key),
            ("same kind", self._same_kind),
            ("same field", self._same_field),
        ):
            for name, count in counts.items():
                found[name] = found.get(name, 0.0) + _WEIGHTS[feature] * log(1 + _SURPRISE * count)
        return found

    def _score_of_resource(self, candidate: Candidate, around: float) -> float:
        alike = max(_likeness_to(candidate.kind, self._wanted.key, self._wanted.around))
        return (
            _WEIGHTS["resource like the keys around"] * around
            + _WEIGHTS["kind like the keys"] * alike
            + _WEIGHTS["distance"] * log(1 + abs(candidate.distance))
            + _WEIGHTS["after the place"] * (candidate.distance > 0)
        )

    def _likeness_to_key(self, names: tuple[str, ...]) -> float:
        found = self._alike.get(names)
        if found is None:
            found = self._alike[names] = max((likeness(name, self._wanted.key) for name in names), default=0.0)
        return found


@lru_cache(maxsize=4096)  # compared at each key
def _likeness_to(name: str, key: str, around: tuple[str, ...]) -> tuple[float, float]:
    """Return how alike a name is to the key, and to the key around that it is most alike."""
    return likeness(name, key), max([likeness(name, other) for other in around], default=0.0)


@lru_cache(maxsize=4096)  # compared at each key
def _best_fit(types: tuple[Type, ...], expected: tuple[Type, ...]) -> str:
    return min(fit(each, expected) for each in types).name


_WEIGHTS: Final[Mapping[str, float]] = {
    # what a name stands for
    "VARIABLE": 4.4,
    "ITERATOR": 3.1,
    "OWN": 1.9,
    "RESOURCE": 0.9,
    "SCHEMA": 0.8,
    "KEY": 1.1,
    "FIELD": 0.3,
    "GUESS": -0.5,
    "FUNCTION": -2.1,
    "NAMESPACE": -2.4,
    "MACRO": -2.7,
    "called": -0.9,
    "RESOURCE in readyWhen": 2.2,
    "RESOURCE in status": 0.8,
    "RESOURCE in template": 0.3,
    "RESOURCE in externalRef": -1.1,
    "RESOURCE in forEach": -1.9,
    "SCHEMA in includeWhen": 2.0,
    "SCHEMA in externalRef": 1.5,
    "SCHEMA in status": -0.5,
    "RESOURCE as operand": -1.7,
    "SCHEMA as operand": -0.9,
    "MACRO as operand": -1.4,
    # what people use most
    "field": 0.6,
    "function": 0.5,
    # what the definition chooses elsewhere
    "same": 0.3,
    "same key": 0.8,
    "same kind": 1.1,
    "same field": 0.5,
    "here": -0.6,
    # what the key and the keys around it say
    "is the key": 1.5,
    "like the key": 3.7,
    "below is like the key": 2.5,
    "like the keys around": 0.45,
    "resource like the keys around": 2.7,
    "kind like the keys": 3.6,
    # where a resource stands
    "distance": -0.65,
    "after the place": -1.1,
    # the type
    "FITS": 0.8,
    "LEADS_ON": 0.2,
    "UNFIT": -6.0,
    "called FITS": 0.8,
    "called LEADS_ON": -1.0,
    "called UNFIT": -3.0,
}
