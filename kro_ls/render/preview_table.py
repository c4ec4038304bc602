"""The table of a preview: a row for each node with its state and why it is not ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.graphs import at_path
from kro_ls.runtime.cluster.deletion import deletion
from kro_ls.runtime.cluster.simulation import made_up_note
from kro_ls.runtime.passes.reasons import object_name, short_reason, state_word
from kro_ls.yaml_positions.nodes import Mapping, field, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult

    Row = tuple[str, ...]

STATE_COLUMN = 2


def node_rows(rgd: RgdAnalysis, simulation: Simulation, resource: str | None = None) -> list[Row]:
    """Return the heading and the rows; with the id of a resource only its row."""
    rows: list[Row] = [("NODE", "KIND", "STATE", "OBJECTS", "REASON")]
    for each in simulation.final.result.nodes:
        if resource in (None, each.id):
            kind = node_kind(rgd, each.id)
            rows.append((each.id, kind, state_word(each), str(each.count), reason(simulation, each)))
    return rows


def reason(simulation: Simulation, result: NodeResult) -> str:
    """Return why a node is not ready, on one line, with the made-up values that may be the cause."""
    found = result.why
    note = made_up_note(simulation, found.cause) if found is not None else ""
    return " ".join(f"{short_reason(result)}{f' ({note})' if note else ''}".split())


def aligned(rows: Sequence[Row], paint: Callable[[int, int, str], str] | None = None) -> Iterator[str]:
    """Yield rows in columns; `paint` is given the numbers of row and column, and the cell with its blanks."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        count = max((column + 1 for column, cell in enumerate(row) if cell), default=1)
        cells = [*(f"{cell:{width}}" for cell, width in zip(row[: count - 1], widths, strict=False)), row[count - 1]]
        if paint is not None:
            cells = [paint(number, column, cell) for column, cell in enumerate(cells)]
        yield "  ".join(cells)


def deletion_lines(rgd: RgdAnalysis, simulation: Simulation) -> Iterator[str]:
    """Yield what a deletion of the instance does: which objects go, in which order, and which stay."""
    found = deletion(rgd, simulation)
    for place, (_, objects) in enumerate(found.waves, 1):
        yield f"{place}. {'then, when these are gone, ' if place > 1 else ''}kro deletes"
        for each in objects:
            names = ", ".join(each.finalizers)
            held = f"; it stays until its controller takes away the finalizer {names}" if names else ""
            yield f"   {object_name(each.value)} ({each.node}){held}"
    what = "instance" if rgd.rgd.form.declares_kind else rgd.rgd.form.kind
    yield f"{len(found.waves) + 1}. the {what} goes: kro takes away its finalizer"
    for kept in found.kept:
        yield f"stays: {object_name(kept.value)} ({kept.node}): {kept.reason}"


def node_kind(rgd: RgdAnalysis, id_: str) -> str:
    """Return the kind in a node's template or reference; for a node without a kind its form, such as `data`."""
    found = at_path(rgd, id_)
    node = found.resource.object if found else None
    if isinstance(node, Mapping):
        return text_of(field(node, "kind")) or ""
    return found.resource.form.name if found else ""
