"""Changes made values until their schema accepts them.

An object keeps the fields that alternatives (`oneOf`, `anyOf`, `not`) allow together: hand-written CRDs and those of
Config Connector have them for references, which are a `name`, perhaps with a `namespace`, or `external`.

Rules in CEL may tie the fields of a sample instance together. Their demands on single fields are met already; the rest
is searched for, one field at a time and then two, among the values that such rules mostly want. The search is bounded;
an instance that it cannot satisfy stays as it is.
"""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Any

from kro_ls.openapi.json_values import as_list, as_object, as_text, as_texts, copy_json
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.keywords import keyword_errors
from kro_ls.runtime.nodes.node_objects import MISSING, at
from kro_ls.runtime.values.fitting import common_texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.schema import Schema
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.runtime.values.names import Subject


_MOST_TRIALS = 150
_MOST_ROUNDS = 8
_MOST_FIELDS = 8


def satisfied(instance: JsonObject, schema: JsonObject, subject: Subject) -> JsonObject:
    """Return the instance, changed where the rules of a schema refuse it."""
    left = _MOST_TRIALS
    errors = _errors(instance, schema)
    for _ in range(_MOST_ROUNDS):
        if not errors or left <= 0:
            break
        for number, trial in enumerate(islice(_trials(instance, errors, schema, subject), left), 1):
            found = _errors(trial, schema)
            if len(found) < len(errors):
                instance, errors, left = trial, found, left - number
                break
        else:
            break
    return instance


def _errors(instance: JsonObject, schema: JsonObject) -> list[Path]:
    return [each.path for each in admit(instance, schema, rule_errors).errors]


def _trials(instance: JsonObject, errors: list[Path], schema: JsonObject, subject: Subject) -> Iterator[JsonObject]:
    for path in dict.fromkeys(errors):
        read = list(islice(_read_leaves(instance, path, schema), _MOST_FIELDS))
        values = {each: list(_others(instance, each, read, schema, subject)) for each in read}
        for each in read:
            for value in values[each]:
                yield _changed(instance, {each: value})
        for one, other in combinations(read, 2):
            for first, second in product(values[one][:12], values[other][:12]):
                yield _changed(instance, {one: first, other: second})


def _read_leaves(instance: JsonObject, path: Path, schema: JsonObject) -> Iterator[Path]:
    """Yield the paths of the scalars below a path whose names stand in a rule there; of a scalar its own."""
    rules = " ".join(as_text(as_object(each).get("rule")) for each in as_list(_schema_at(schema, path).get(_RULES)))
    for leaf, _ in _leaves(at(instance, path), path):
        inside = leaf[len(path) :]
        if not inside or any(str(step) in rules for step in inside if isinstance(step, str)):
            yield leaf


_RULES = "x-kubernetes-validations"


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, index))
    elif value is not MISSING:
        yield path, value


def _others(instance: JsonObject, leaf: Path, read: list[Path], schema: JsonObject, subject: Subject) -> Iterator[Any]:
    """Yield values for a leaf: those of the others that the rule reads, and near ones, then what is usual."""
    value, own = at(instance, leaf), _schema_at(schema, leaf)
    yield from (each for each in as_list(own.get("enum")) if each != value)
    beside = [at(instance, each) for each in read if each != leaf]
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        numbers = [each for each in beside if isinstance(each, (int, float)) and not isinstance(each, bool)]
        near = (each + step for each in [*numbers, value] for step in (0, 1, -1))
        usual = (0, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 512, 1000, 1024, 8080, 10000, 65535)
        yield from (each for each in dict.fromkeys((*near, *usual)) if each != value)
    elif isinstance(value, str):
        yield from (each for each in beside if isinstance(each, str) and each != value)
        names = tuple(each for each in leaf if each != "spec")
        yield from dict.fromkeys((f"{value}-2", *common_texts(subject, names), ""))
    yield MISSING


def _schema_at(schema: JsonObject, path: Path) -> JsonObject:
    for step in path:
        if isinstance(step, int):
            schema = as_object(schema.get("items"))
        else:
            known = as_object(schema.get("properties")).get(step)
            schema = as_object(known if known is not None else schema.get("additionalProperties"))
    return schema


def _changed(instance: JsonObject, values: dict[Path, Any]) -> JsonObject:
    made: JsonObject = copy_json(instance)
    for path, value in values.items():
        place: Any = at(made, path[:-1])
        if value is MISSING:
            if isinstance(place, dict):
                place.pop(path[-1], None)
        elif isinstance(place, (dict, list)):
            place[path[-1]] = value  # type: ignore[index] # as the path says
    return made


_COMBINING = ("oneOf", "anyOf", "allOf", "not")


def allowed_together(value: dict[str, Any], schema: Schema, asked: Collection[str]) -> dict[str, Any]:
    """Return the object without the fields that its schema forbids beside others, unchanged where none fits.

    The first alternative wins that has most of the `asked` fields.
    """
    combined: JsonObject = {name: schema.raw[name] for name in _COMBINING if name in schema.raw}
    if not combined or not keyword_errors(value, combined):
        return value
    tried = [{name: each for name, each in value.items() if name not in dropped} for dropped in _droppable(combined)]
    found = [kept for kept in tried if not keyword_errors(kept, combined)]
    return max(found, key=lambda kept: sum(name in kept for name in asked), default=value)


def _droppable(schema: JsonObject) -> Iterator[frozenset[str]]:
    """Yield the fields to drop for each alternative: those that it forbids, and those that others need."""
    branches = [as_object(each) for name in ("oneOf", "anyOf") for each in as_list(schema.get(name))]
    for branch in branches:
        needed = _required(branch)
        of_others = frozenset(name for other in branches if other is not branch for name in _required(other))
        yield (_forbidden(branch) | _forbidden(schema) | of_others) - needed
    if not branches:
        yield _forbidden(schema)


def _forbidden(schema: JsonObject) -> frozenset[str]:
    """Return the fields whose presence alone a `not` of a schema forbids."""
    negated = as_object(schema.get("not"))
    alone = [_required(as_object(each)) for each in (negated, *as_list(negated.get("anyOf")))]
    return frozenset(name for names in alone if len(names) == 1 for name in names)


def _required(schema: JsonObject) -> frozenset[str]:
    return frozenset(as_texts(schema.get("required")))
