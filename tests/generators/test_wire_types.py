"""TypeScript generated from Python's types."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from msgspec import Struct

from generators.wire_types import typescript

Ends = TypedDict("Ends", {"from": str})


class Edge(Ends, TypedDict):
    """What leads from one to another."""

    lines: list[int | None]
    change: NotRequired[Literal["added", "removed"]]
    """How it differs."""


class Asked(Struct, rename="camel"):
    """What is asked.

    Twice.
    """

    edge_of: Edge
    names: dict[str, tuple[str, ...]] = {}
    value: Any = None


def test_types_and_those_that_they_name() -> None:
    assert typescript([Asked]) == [
        """\
/**
 * What is asked.
 *
 * Twice.
 */
export interface Asked {
  edgeOf: Edge;
  names?: Readonly<Record<string, string[]>>;
  value?: unknown;
}""",
        """\
/** What leads from one to another. */
export interface Edge {
  from: string;
  lines: (number | null)[];
  /** How it differs. */
  change?: 'added' | 'removed';
}""",
    ]
