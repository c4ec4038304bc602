"""Queries about numbers, prices and items, which record when they run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kro_ls.queries.engine import Input, OwnedQuery, Query, Reader

NUMBERS = Input[tuple[int, ...]]("numbers")
PRICES = Input[Mapping[str, int]]("prices")
RUNS: list[str] = []


def ran() -> list[str]:
    """Return the queries that ran since the last call."""
    found = RUNS[:]
    RUNS.clear()
    return found


@Query
def total(reader: Reader) -> int:
    RUNS.append("total")
    return sum(NUMBERS(reader))


@Query
def is_even(reader: Reader) -> bool:
    RUNS.append("is_even")
    return total(reader) % 2 == 0


@Query
def label(reader: Reader) -> str:
    RUNS.append("label")
    return "even" if is_even(reader) else "odd"


@Query
def doubled(reader: Reader) -> Mapping[str, int]:
    RUNS.append("doubled")
    return {name: 2 * price for name, price in PRICES(reader).items()}


@dataclass(eq=False)
class Item:
    name: str
    cells: dict[object, Any] = field(default_factory=dict)


@OwnedQuery
def bill(reader: Reader, item: Item) -> str:
    RUNS.append(f"bill {item.name}")
    return f"{item.name} {doubled.entry(reader, item.name)}"
