"""How likely a name is the next one in an expression."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from math import log
from typing import TYPE_CHECKING

from kro_ls.cel.types.types import Kind, Type
from kro_ls.cursor.likely.prior import field_prior, function_prior
from kro_ls.cursor.likely.uses import names_in, steps_to, uses_around
from kro_ls.cursor.likely.words import likeness
from kro_ls.cursor.types.expected_types import Fit, fit
from kro_ls.kro.places import DEPENDING_PLACES, STATUS_PLACES, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.likely.wanted import Wanted
    from kro_ls.cursor.open.expression import OpenExpression


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
    KEY = "a key that a template writes"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that can be typed. `below` are names of fields in it, `distance` the resources between (a resource)."""

    name: str
    category: Category
    types: tuple[Type, ...] = ()
    below: tuple[str, ...] = ()
    kind: str = ""
    distance: int = 0
    is_deprecated: bool = False


FEATURES: dict = {}


class Likelihood:
    """Gives each candidate for the name at the end of an open expression a score; more is likelier."""

    def __init__(self, expression: OpenExpression, wanted: Wanted, receiver: Node | None, offset: int) -> None:
        self._wanted = wanted
        self._expression = expression
        self._expected = expression.expected
        self._before = steps_to(receiver) if receiver is not None else ()
        self._begins = not expression.text[: len(expression.text)].strip() if receiver is None else True
        self._offset = offset
        self._count()

    def _count(self) -> None:
        before, key, place = self._before, self._wanted.key, self._wanted.place
        raw_key = next((s for s in reversed(self._wanted.path) if isinstance(s, str)), "")
        table = self._expression.owner.rgd.table
        root_kind = self._kind(before[0]) if before else None
        tail = before[1:]
        self.same: Counter[str] = Counter()
        self.same_key: Counter[str] = Counter()
        self.of_kind: Counter[str] = Counter()
        self.kind_key: Counter[str] = Counter()
        self.after: Counter[str] = Counter()
        self.here: Counter[str] = Counter()
        is_status = place in STATUS_PLACES
        last = before[-1:]
        for use in uses_around(self._expression.owner, self._offset):
            if use.before == before:
                if before or (use.place is place):
                    self.same[use.name] += 1
                    if use.key == raw_key:
                        self.same_key[use.name] += 1
            elif before and use.before[-1:] == last:
                if use.before[1:] == tail and root_kind is not None and self._kind(use.before[0]) == root_kind:
                    self.of_kind[use.name] += 1
                    if use.key == raw_key:
                        self.kind_key[use.name] += 1
                else:
                    self.after[use.name] += 1
                    if use.key == raw_key:
                        self.kind_key[use.name] += 1
        for steps, name in names_in(self._expression.typed.root):
            if steps == before:
                self.here[name] += 1
        self.n_same = sum(self.same.values())
        self.n_key = sum(self.same_key.values())
        self.n_kind = sum(self.of_kind.values())
        self.n_kind_key = sum(self.kind_key.values())
        self.n_after = sum(self.after.values())

    @property
    def selected(self):
        return (*self.same, *self.of_kind)

    @property
    def words(self):
        return self._wanted.words

    def _kind(self, name: str) -> str | None:
        declared = self._expression.owner.rgd.table.declaration(name)
        return declared[1][1] if declared and declared[1] else None

    def features(self, c: Candidate) -> dict[str, float]:
        w = self._wanted
        f: dict[str, float] = {}
        name = c.name
        f["same"] = _share(self.same[name], self.n_same)
        f["key"] = _share(self.same_key[name], self.n_key)
        f["kind"] = _share(self.of_kind[name], self.n_kind)
        f["kindkey"] = _share(self.kind_key[name], self.n_kind_key)
        f["after"] = _share(self.after[name], self.n_after)
        if self.here[name]:
            f["here"] = 1.0
        if self._expected and c.types:
            best = min(fit(t, self._expected) for t in c.types)
            f[f"fit{int(best)}"] = 1.0
        own = likeness(name, w.key)
        below = max((likeness(each, w.key) for each in c.below), default=0.0)
        f["exact"] = float(own == 1.0)
        f["like"] = own
        f["below"] = max(below - own, 0.0)
        f["belowexact"] = float(below == 1.0 > own)
        f["around"] = max((likeness(name, each) for each in w.around), default=0.0)
        if self._before:
            parent = likeness(self._before[-1], w.key)
            previous = self._before[-1] if len(self._before) > 1 else ("schema" if self._before[0] == "schema" else "*")
            if c.category in (Category.FIELD, Category.KEY):
                f["prior"] = field_prior(previous, name, w.place)
                if c.category is Category.KEY:
                    f["is_key"] = 1.0
            else:
                f["method"] = 1.0
                f["fprior"] = function_prior(name)
        else:
            where = "status" if w.place in STATUS_PLACES else "ready" if w.place is Place.READY_WHEN else "each" if w.place is Place.FOR_EACH else "template"
            if not self._begins:
                where += "+"
            f[f"{where}:{c.category.name}"] = 1.0
            if c.category in (Category.FUNCTION, Category.MACRO, Category.NAMESPACE):
                f["fprior"] = function_prior(name)
            if c.category is Category.RESOURCE:
                k = max(likeness(c.kind, w.key), max((likeness(c.kind, each) for each in w.around), default=0.0))
                f["reskind"] = k
                f["distance"] = log(1 + abs(c.distance))
                f["behind"] = float(c.distance > 0)
                f["reslike"] = own
                f["resaround"] = f["around"]
            if c.category is Category.VARIABLE:
                f["depth"] = float(c.distance)
        return f

    def score(self, c: Candidate) -> float:
        return sum(WEIGHTS.get(k, 0.0) * v for k, v in self.features(c).items())


def _share(count: int, total: int) -> float:
    """Log of how much more often than nothing known."""
    return log((count + 0.2) / (total + 2) / 0.1)


WEIGHTS: dict[str, float] = {
    "after": 0.6,
    "around": 0.3,
    "behind": -1.1,
    "below": 2.2,
    "belowexact": 0.3,
    "distance": -0.3,
    "each:FUNCTION": -2.3,
    "each:MACRO": -2.5,
    "each:NAMESPACE": -1.1,
    "each:RESOURCE": 0.1,
    "each:SCHEMA": 1.8,
    "exact": 0.7,
    "fit0": 1.1,
    "fit1": 0.7,
    "fit2": -2.1,
    "fprior": 0.5,
    "here": -0.4,
    "is_key": 2.6,
    "key": 0.6,
    "kind": 0.8,
    "kindkey": 0.1,
    "like": 3.8,
    "method": -2.2,
    "prior": 0.3,
    "ready:FUNCTION": -4.0,
    "ready:MACRO": -0.6,
    "ready:NAMESPACE": -3.6,
    "ready:OWN": 1.5,
    "ready:RESOURCE": 2.6,
    "resaround": 2.7,
    "reskind": 2.8,
    "reslike": 0.8,
    "same": 0.5,
    "status:FUNCTION": -1.7,
    "status:MACRO": -2.5,
    "status:NAMESPACE": -3.1,
    "status:RESOURCE": 1.6,
    "status:SCHEMA": -0.1,
    "template+:FUNCTION": -1.1,
    "template+:MACRO": -0.9,
    "template+:NAMESPACE": -0.9,
    "template+:RESOURCE": -0.4,
    "template+:SCHEMA": 1.1,
    "template:FUNCTION": -2.4,
    "template:ITERATOR": 2.8,
    "template:MACRO": -2.8,
    "template:NAMESPACE": -2.2,
    "template:RESOURCE": 0.9,
    "template:SCHEMA": 0.6,
}
