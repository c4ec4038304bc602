"""A preview for people: the instance, a table of nodes with their states and reasons, and the status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.analysis.model.paths import format_path
from kro_ls.cli.formats.source_frame import printable
from kro_ls.cli.formats.summary import count
from kro_ls.render.yaml_text import lines
from kro_ls.runtime.reasons import object_name, short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cli.definitions import Definition
    from kro_ls.runtime.results import NodeResult
    from kro_ls.runtime.simulation import Simulation, Step

_COLOURS = {"ready": "green", "ignored": "bright_black", "error": "red", "ACTIVE": "green", "ERROR": "red"}
_WAITING = "yellow"


def render(definition: Definition, simulation: Simulation, *, steps: bool) -> str:
    """Return the text with its colours; with `steps` every pass comes before the final state."""
    found = [*_steps(simulation), ""] if steps else []
    state = simulation.state.value
    passes = count(len(simulation.steps), "pass").replace("passs", "passes")
    instance = printable(object_name(simulation.final.result.instance))
    more = "" if simulation.settled else ", and still changing"
    found += [f"{click.style(instance, bold=True)}: {_coloured(state)} after {passes}{more}", ""]
    found += _table(definition.rgd, simulation.final.result.nodes)
    status = {name: value for name, value in simulation.status.items() if name not in ("conditions", "state")}
    if status:
        found += ["", click.style("status", bold=True), *(f"  {printable(line)}" for line in lines(status))]
    author = simulation.final.result.conditions.conditions
    if author:
        rows = [(f"  {each.type}", each.status, each.reason, printable(each.message)) for each in author]
        found += ["", *_aligned([("conditions", "", "", ""), *rows], coloured=None)]
    found += _problems(definition, simulation)
    return "".join(f"{line}\n" for line in found)


def _problems(definition: Definition, simulation: Simulation) -> Iterator[str]:
    """Yield what keeps the instance from being complete, each at its place in the definition."""
    result = simulation.final.result
    for each in result.nodes:
        reason = each.reason or each.unready
        if reason is not None and reason.cause is not None and reason.cause.node == each.id:
            message = f"{each.id} ({state_word(each)}): {short_reason(each)}"
            yield f"\n{definition.message(reason.cause, message)}"
    for field in result.missing_fields:
        if field.cause is not None:
            message = f"status.{format_path(field.path)} has no value: {field.cause.failing} is not there yet"
            yield f"\n{definition.message(field.cause, message)}"
    if result.status_error is not None:
        message = f"kro writes no status: {result.status_error.text}"
        cause = result.status_error.cause
        yield f"\n{definition.message(cause, message) if cause else printable(message)}"
    for failure in result.conditions.failures:
        yield f"\na condition is dropped: {printable(failure)}"


def _table(rgd: RgdAnalysis, nodes: Iterable[NodeResult]) -> Iterator[str]:
    rows = [("NODE", "KIND", "STATE", "OBJECTS", "REASON")]
    for each in nodes:
        resource = rgd.resources[each.id].resource
        kind = _kind(resource.object)
        rows.append((each.id, kind, state_word(each), str(each.count), printable(short_reason(each))))
    yield from _aligned(rows, coloured=2)


def _kind(node: object) -> str:
    from kro_ls.yaml_positions.access import field, text_of
    from kro_ls.yaml_positions.nodes import Mapping

    return printable(text_of(field(node, "kind")) or "") if isinstance(node, Mapping) else ""


def _aligned(rows: Sequence[tuple[str, ...]], *, coloured: int | None) -> Iterator[str]:
    """Yield the rows in columns, the first as a heading; one column may have the colours of states."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)]
        if number and coloured is not None:
            cells[coloured] = click.style(cells[coloured], fg=_COLOURS.get(row[coloured], _WAITING))
        yield "  ".join(cells).rstrip() if number else click.style("  ".join(cells).rstrip(), bold=True)


def _steps(simulation: Simulation) -> Iterator[str]:
    for step in simulation.steps:
        yield click.style(f"pass {step.number}", bold=True)
        for id_, value in step.created:
            yield f"  created {printable(object_name(value))} ({id_})"
        yield from _held_up(step)
        yield f"  {_coloured(step.outcome.state.value)}"


def _held_up(step: Step) -> Iterator[str]:
    for each in step.result.nodes:
        reason = short_reason(each)
        if reason:
            yield f"  {each.id} is {_coloured(state_word(each))}: {printable(reason)}"


def _coloured(state: str) -> str:
    return click.style(state, fg=_COLOURS.get(state, _WAITING))
