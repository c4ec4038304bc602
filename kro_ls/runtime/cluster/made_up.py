"""Finds the made-up values that may have caused a failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.errors import Cause

_MOST = 3
_LONGEST = 60


def made_up_note(simulation: Simulation, cause: Cause | None) -> str:
    """Return a sentence about the made-up values that an expression failed with; empty where there are none."""
    found = list(_made_up(simulation, cause)) if cause is not None else []
    if not found:
        return ""
    parts = [f"{path} is {text}" for path, text in dict(found[:_MOST]).items()]
    return f"made up: {', '.join(parts)}"


def _made_up(simulation: Simulation, cause: Cause) -> Iterator[tuple[str, str]]:
    """Yield the paths of values that the failing part of an expression reads, and the values."""
    for use in cause.uses:
        name = cause.node if use.name == "each" else use.name
        value, given = _value(simulation, name)
        place: Any = value
        known: Any = given
        steps: list[str] = []
        for step in use.path:
            if not isinstance(place, dict) or step not in place:
                break
            place, known = place[step], known.get(step) if isinstance(known, dict) else None
            steps.append(step)
        if steps and steps != ["spec"] and known is None:
            yield ".".join([use.name, *steps]), _shown(place)


def _value(simulation: Simulation, name: str) -> tuple[JsonObject | None, JsonObject | None]:
    """Return what expressions see under a name, and the part of it that was not made up."""
    result = simulation.final.result
    if name == INSTANCE:
        given = simulation.scenario.given
        return (None, None) if given is None else ({"spec": result.instance.get("spec")}, given)
    node = result.node(name)
    if node is None or not node.observed or name in simulation.scenario.observed:
        return None, None
    desired = node.desired[0] if node.desired else {}
    return node.observed[0], {**desired, "metadata": node.observed[0].get("metadata")}


def _shown(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False), _LONGEST)
