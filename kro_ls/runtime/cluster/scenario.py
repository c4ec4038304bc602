"""What a user specifies about the cluster: observed state by node id, and nodes that never get ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.kro.versions.version import NEWEST
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject, JsonValue


class Observed(Struct, frozen=True):
    """What is observed of one node: its objects in order, or with `for_all` one that stands for each of them."""

    objects: tuple[JsonObject, ...]
    for_all: bool = False

    def of(self, index: int) -> JsonObject | None:
        """Return the observed state of an object by its 0-based place among the node's, None if none is given."""
        if self.for_all:
            return self.objects[0]
        return self.objects[index] if index < len(self.objects) else None


class Scenario(Struct, frozen=True):
    """What the user specifies about the cluster: observed state by node, nodes that never get ready.

    `then` are complete instances that replace the first one in turn, each once nothing changes any more.
    `given` is the part of the instance that was not made up; None where nothing was. `kro` is the version that runs.
    `namespaces` are those of the cluster; None where they are unknown.
    """

    observed: Mapping[str, Observed] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    then: tuple[JsonObject, ...] = ()
    given: JsonObject | None = None
    kro: Version = NEWEST
    namespaces: frozenset[str] | None = None


class InputProblem(Struct, frozen=True):
    """What is wrong with something the user wrote: the path of the place in it, and the message.

    `in_key` is whether it is about the key at the end of the path, not about its value. `kro_message` is the message of
    kro or the API server for it; empty where there is none, or the same.
    """

    path: Path
    message: str
    in_key: bool = False
    kro_message: str = ""

    @property
    def kro_note(self) -> str:
        """A note with kro's message; empty where there is none."""
        return f"kro's message: {self.kro_message}" if self.kro_message else ""


def read_observed(
    value: JsonValue, node_ids: Iterable[str], path: Path = ()
) -> tuple[dict[str, Observed], tuple[InputProblem, ...]]:
    """Return the observed state by node id, and what is wrong with it; `path` is where `value` stands.

    A node has an object (for every object of the node), a list of objects in order, or null for none.
    """
    if value is None:
        return {}, ()
    if not isinstance(value, dict):
        return {}, (InputProblem(path, "observed state must be a mapping of node ids to objects"),)
    known = tuple(node_ids)
    observed: dict[str, Observed] = {}
    problems: list[InputProblem] = []
    for id_, objects in value.items():
        here = (*path, id_)
        if id_ not in known:
            problems.append(InputProblem(here, unknown_node(id_, known), in_key=True))
        elif objects is None:
            observed[id_] = Observed(())
        elif isinstance(objects, dict):
            observed[id_] = Observed((objects,), for_all=True)
        elif isinstance(objects, list):
            wrong = [index for index, each in enumerate(objects) if not isinstance(each, dict)]
            problems += (InputProblem((*here, index), "an observed object must be a mapping") for index in wrong)
            observed[id_] = Observed(tuple(each for each in objects if isinstance(each, dict)))
        else:
            problems.append(InputProblem(here, "expected an object, a list of objects, or null"))
    return observed, tuple(problems)


def unknown_node(id_: str, known: Iterable[str]) -> str:
    """Return the message about an id that no node has."""
    names = tuple(known)
    close = closest(id_, names)
    hint = f"did you mean '{close}'?" if close else f"the nodes are: {', '.join(names) or 'none'}"
    return f"no node has the id '{id_}'; {hint}"
