"""How the cost of an edit grows with the definition: processor time at 100 to 20,000 resources, for kinds of edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.definitions import Definition, definition
from benchmarks.editing import URI, Editor
from benchmarks.edits import KINDS, Kind
from benchmarks.report import Row
from benchmarks.summary import fitted_exponent, median

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (100, 300, 1000, 3000, 10_000, 20_000)
QUICK_SIZES = (100, 300)
EDITS, QUICK_EDITS = 9, 1
MOST_MS = 1000.0
"""A kind of edit that costs more is not measured at larger sizes."""
EMPTY = "an empty server"
GROWING = (
    "template value",
    "expression",
    "comment",
    "comment in spec.schema",
    "status expression",
    "paste of a resource",
    "type of a field, readByOne",
    "type of a field, readByAll",
    "id that others use",  # last, because the definition's own list of ids is then outdated
)


def _cost(editor: Editor, edits: int) -> float:
    """Return the median of the processor time of an edit, in milliseconds."""
    first = editor.next().cpu  # the first also pays for imports and for what is computed once
    if first > MOST_MS:
        return first
    return median([editor.next().cpu for _ in range(edits)])


def _costs(command: tuple[str, ...], opened: Definition, kinds: list[Kind], edits: int) -> dict[str, float]:
    """Yield the cost of an edit of each kind, one kind after the other in one document."""
    costs = {}
    version = 0
    with Client(command) as client:
        client.initialize()
        client.open(URI, opened.text)
        client.diagnostics(URI, 0)
        client.settle()
        for kind in kinds:
            editor = Editor(client, opened, kind, version=version)
            costs[kind.name] = _cost(editor, edits)
            opened, version = Definition(editor.text, opened.ids), editor.version
    return costs


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the points of the curves, and the exponent of each curve."""
    kinds = [next(kind for kind in KINDS if kind.name == name) for name in GROWING[:: 4 if quick else 1]]
    edits = QUICK_EDITS if quick else EDITS
    points: dict[str, list[tuple[float, float]]] = {}
    for size in QUICK_SIZES if quick else SIZES:
        opened = definition(size)
        measured = _costs(KRO_LS, opened, kinds, edits)
        measured[EMPTY] = _costs(EMPTY_SERVER, opened, kinds[:1], edits)[GROWING[0]]
        for name, cost in measured.items():
            points.setdefault(name, []).append((size, cost))
            yield Row("growth", f"{name}, {size:,} resources", "ms", cost, cpu_ms=cost, size=size)
        kinds = [kind for kind in kinds if measured[kind.name] <= MOST_MS]
        if not kinds:
            break
    for name, curve in points.items():
        largest = f"{curve[0][0]:,.0f} to {curve[-1][0]:,.0f}"
        yield Row("growth: exponents", f"{name}, {largest} resources", "", fitted_exponent(curve))
