"""Realistic numbers by the name of their field, within bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from kro_ls.runtime.values.demands import NUMBER
from kro_ls.runtime.values.names import by_words, longest_suffix, path_words, words_of

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.schema import Schema
    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.names import Names, Subject

_PORTS: Final = by_words(
    (5432, "db, database, postgres, postgresql"),
    (3306, "mysql"),
    (6379, "redis, cache"),
    (27017, "mongo"),
    (9092, "kafka"),
    (443, "https, tls"),
    (22, "ssh"),
    (80, "http, service, ingress, listener"),
    (9090, "metric"),
    (8081, "health"),
    (30080, "node"),
    (8080, "container, target"),
)
_NUMBERS: Final = by_words(
    (2, "replica, desired size, node count, instance count, cpu"),
    (1, "min replica, min size, min capacity, hour"),
    (5, "max replica, minute"),
    (3, "max size, retry, max retry, backoff limit, history limit"),
    (4, "max capacity"),
    (20, "allocated storage, storage, storage gb, storage size, disk size, volume size, size gb, gb"),
    (512, "memory, memory mb, memory size"),
    (50, "percent, percentage, weight"),
    (80, "utilization, cpu utilization"),
    (30, "timeout, timeout second, interval second, second, age"),
    (10, "delay second, period second, limit"),
    (7, "day, retention, retention period, retention in day"),
    (500, "m, backoff m"),
    (300, "ttl"),
    (3600, "session duration, max session duration"),
    (100, "priority"),
    (3000, "iops"),
    (125, "throughput"),
    (2024, "year"),
)
"""What is usual, by the last words of a path; in a simulated object only ports are."""


def usual_number(subject: Subject, names: Names) -> int:
    """Return a number for a field without bounds, whatever item it is in."""
    words = path_words(names)
    if words[-1:] == ("port",):
        words = (*(() if subject.is_instance else words_of(subject.kind)), *words)
        return next((_PORTS[each] for each in reversed(words[:-1]) if each in _PORTS), 8080)
    key = longest_suffix(words, _NUMBERS) if subject.is_instance else ""
    return _NUMBERS[key] if key else 1


def item_of_number(first: float, number: int, demand: Demand, schema: Schema | None) -> int | float:
    """Return the number for an item: another one for each, as long as the bounds have room for that."""
    multiple = schema.raw.get("multipleOf") if schema is not None else None
    step = multiple if isinstance(multiple, (int, float)) and multiple > 0 else 1
    start = fitting_number(first, demand, schema)
    wanted = start + number * step
    made = fitting_number(wanted, demand, schema)
    return made if made == wanted else fitting_number(start - number * step, demand, schema)


def fitting_number(wanted: float, demand: Demand, schema: Schema | None) -> int | float:
    """Return the number that is nearest to the wanted one and within all bounds, as far as these agree."""
    raw = schema.raw if schema is not None else {}
    is_whole = demand.type != NUMBER if schema is None or not schema.types else schema.types[0] == "integer"
    lowest, highest = _bounds(raw, is_whole=is_whole)
    if demand.least is not None and demand.least <= highest:
        lowest = max(lowest, demand.least)
    if demand.most is not None and demand.most >= lowest:
        highest = min(highest, demand.most)
    multiple = raw.get("multipleOf")
    step = multiple if isinstance(multiple, (int, float)) and multiple > 0 else 1
    made = _whole(min(max(wanted, lowest), highest), lowest, highest, step if multiple or is_whole else 0)
    while made in demand.others and made + step <= highest:
        made += step
    return made


def _bounds(raw: JsonObject, *, is_whole: bool) -> tuple[float, float]:
    lowest, highest = -math.inf, math.inf
    least, most = raw.get("minimum"), raw.get("maximum")
    step = 1 if is_whole else 0.5
    if isinstance(least, (int, float)):
        lowest = least + step if raw.get("exclusiveMinimum") is True else least
    if isinstance(most, (int, float)):
        highest = most - step if raw.get("exclusiveMaximum") is True else most
    return lowest, highest


def _whole(value: float, lowest: float, highest: float, step: float) -> int | float:
    """Return the multiple of a step next to a value, if one is within the bounds."""
    if not step or not math.isfinite(value):
        return value
    up, down = math.ceil(value / step) * step, math.floor(value / step) * step
    made = up if up <= highest else down if down >= lowest else value
    return int(made) if float(made).is_integer() else made
