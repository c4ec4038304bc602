"""Realistic numbers by the name of their field, within bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kro_ls.runtime.values.amazon import longest_suffix
from kro_ls.runtime.values.demands import NUMBER
from kro_ls.runtime.values.names import path_words, words_of

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.schema import Schema
    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.names import Names, Subject

_PORTS = {
    "db": 5432,
    "database": 5432,
    "postgres": 5432,
    "postgresql": 5432,
    "mysql": 3306,
    "redis": 6379,
    "cache": 6379,
    "mongo": 27017,
    "kafka": 9092,
    "https": 443,
    "tls": 443,
    "ssh": 22,
    "http": 80,
    "service": 80,
    "ingress": 80,
    "listener": 80,
    "metric": 9090,
    "health": 8081,
    "node": 30080,
    "container": 8080,
    "target": 8080,
}
_NUMBERS = {
    "replica": 2,
    "min replica": 1,
    "max replica": 5,
    "desired size": 2,
    "min size": 1,
    "max size": 3,
    "min capacity": 1,
    "max capacity": 4,
    "node count": 2,
    "instance count": 2,
    "allocated storage": 20,
    "storage": 20,
    "storage gb": 20,
    "storage size": 20,
    "disk size": 20,
    "volume size": 20,
    "size gb": 20,
    "gb": 20,
    "memory": 512,
    "memory mb": 512,
    "memory size": 512,
    "cpu": 2,
    "percent": 50,
    "percentage": 50,
    "utilization": 80,
    "cpu utilization": 80,
    "timeout": 30,
    "timeout second": 30,
    "delay second": 10,
    "interval second": 30,
    "period second": 10,
    "second": 30,
    "minute": 5,
    "hour": 1,
    "day": 7,
    "m": 500,
    "backoff m": 500,
    "retention": 7,
    "retention period": 7,
    "retention in day": 7,
    "ttl": 300,
    "retry": 3,
    "max retry": 3,
    "backoff limit": 3,
    "session duration": 3600,
    "max session duration": 3600,
    "priority": 100,
    "weight": 50,
    "iops": 3000,
    "throughput": 125,
    "age": 30,
    "year": 2024,
    "limit": 10,
    "history limit": 3,
}
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
