"""A preview for people: the instance, a table of nodes with their states and reasons, and the status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.summary import count
from kro_ls.printable import printable
from kro_ls.render.preview_table import STATE_COLUMN, aligned, deletion_lines, node_rows
from kro_ls.render.preview_table import reason as reason_of
from kro_ls.render.yaml_text import lines
from kro_ls.runtime.cluster.hazards import assumed, contested
from kro_ls.runtime.passes.reasons import missing_status, object_name, short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cli.definitions import Definition
    from kro_ls.runtime.cluster.simulation import Simulation

_COLOURS = {"ready": "green", "ignored": "bright_black", "error": "red", "ACTIVE": "green", "ERROR": "red"}
_WAITING = "yellow"


def render(definition: Definition, simulation: Simulation, *, steps: bool, deletion: bool) -> str:
    """Return the text with its colours; with `steps` every pass comes before the final state.

    With `deletion` it ends with what happens when the instance is deleted.
    """
    found = [*_steps(simulation), ""] if steps else []
    state = simulation.state.value
    passes = count(len(simulation.steps), "pass").replace("passs", "passes")
    instance = printable(object_name(simulation.final.result.instance))
    more = "" if simulation.settled else ", and still changing"
    found += [f"{click.style(instance, bold=True)}: {_coloured(state)} after {passes}{more}", ""]
    found += _table(node_rows(definition.rgd, simulation), coloured=True)
    status = {name: value for name, value in simulation.status.items() if name not in ("conditions", "state")}
    if status:
        found += ["", click.style("status", bold=True), *(f"  {printable(line)}" for line in lines(status))]
    author = simulation.final.result.conditions.conditions
    if author:
        rows = [(f"  {each.type}", each.status, each.reason, each.message) for each in author]
        found += ["", *_table([("conditions", "", "", ""), *rows], coloured=False)]
    found += _problems(definition, simulation)
    if deletion:
        found += ["", click.style("when the instance is deleted", bold=True)]
        found += [f"  {printable(line)}" for line in deletion_lines(definition.rgd, simulation)]
    return "".join(f"{line}\n" for line in found)


def _problems(definition: Definition, simulation: Simulation) -> Iterator[str]:
    """Yield the problems that keep the instance from being complete, each at its place in the definition."""
    result = simulation.final.result
    for each in result.nodes:
        reason = each.why
        if reason is not None and reason.cause is not None and reason.cause.node == each.id:
            message = f"{each.id} ({state_word(each)}): {reason_of(simulation, each)}"
            yield f"\n{definition.message(reason.cause, message)}"
        elif reason is not None and reason.refused is not None:
            message = f"{each.id}: {reason_of(simulation, each)}"
            yield f"\n{definition.field_message(reason.refused, each.id, message)}"
    for missing in missing_status(result):
        cause, message = missing.cause, missing.sentence
        yield f"\n{definition.message(cause, message) if cause else printable(message)}"
    for need in assumed(definition.rgd, simulation):
        message = f"{need.node} {need.refusal.message}; otherwise the API server says: {need.refusal.text}"
        yield f"\n{definition.field_message(need.refusal, need.node, message)}"
    for fight in contested(simulation):
        yield f"\n{definition.field_message(fight.refusal, fight.node, f'{fight.node}: {fight.refusal.message}')}"


def _table(rows: Iterable[tuple[str, ...]], *, coloured: bool) -> Iterator[str]:
    shown = [tuple(printable(cell) for cell in row) for row in rows]

    def paint(number: int, column: int, cell: str) -> str:
        if not number:
            return click.style(cell, bold=True)
        is_state = coloured and column == STATE_COLUMN
        return click.style(cell, fg=_COLOURS.get(cell.strip(), _WAITING)) if is_state else cell

    yield from aligned(shown, paint)


def _steps(simulation: Simulation) -> Iterator[str]:
    """Yield every pass: what it did, and the nodes whose state differs from the previous pass."""
    previous: dict[str, tuple[str, str]] = {}
    for step in simulation.steps:
        yield click.style(f"pass {step.number}", bold=True)
        for word, objects in (("created", step.created), ("updated", step.updated), ("deleted", step.deleted)):
            for id_, value in objects:
                yield f"  {word} {printable(object_name(value))} ({id_})"
        for each in step.result.nodes:
            state = state_word(each), short_reason(each)
            if state[1] and state != previous.get(each.id):
                yield f"  {each.id} is {_coloured(state[0])}: {printable(state[1])}"
            previous[each.id] = state
        yield f"  {_coloured(step.outcome.state.value)}"
        if any(state_word(each) == "error" for each in step.result.nodes):
            yield f"  {printable(step.outcome.text)}"


def _coloured(state: str) -> str:
    return click.style(state, fg=_COLOURS.get(state, _WAITING))
