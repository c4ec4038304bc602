"""Deletes objects in reverse order: those of a level at once, and the next when they are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind
from kro_ls.runtime.causes.health import deletion_of
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.passes.reasons import object_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.inventory import Entry, Inventory
    from kro_ls.openapi.json_values import JsonObject


def delete_entries(
    api: ClusterApi,
    inventory: Inventory,
    entries: Iterable[Entry],
    course: Course,
    poll: float,
    inside: Callable[[Entry], Iterator[Event] | None],
) -> Iterator[Event]:
    """Delete objects of an inventory, and yield what happens. Raises DeploymentError where they do not go in time.

    An object without the label of the inventory has another owner and stays. `inside` deletes what is
    itself an inventory.
    """
    levels: dict[int, list[Entry]] = {}
    for each in entries:
        levels.setdefault(each.level, []).append(each)
    for level in sorted(levels, reverse=True):
        going: list[tuple[str, JsonObject]] = []
        for each in reversed(levels[level]):
            deletion = inside(each)
            if deletion is not None:
                yield from deletion
                continue
            value = api.find(each.reference)
            if value is None:
                continue
            if not inventory.owns(value):
                yield course.event(EventKind.LEFT_OUT, each.node, value, "it belongs to somebody else now, and stays")
                continue
            api.delete(value)
            going.append((each.node, value))
        for node, value in going:
            yield from until_gone(api, node, value, course, poll)


def until_gone(api: ClusterApi, node: str, value: JsonObject, course: Course, poll: float) -> Iterator[Event]:
    """Wait until a deleted object is gone, and yield why it takes. Raises DeploymentError where the time is up."""
    uid = metadata_text(value, "uid")
    while (there := api.find(value)) is not None and metadata_text(there, "uid") == uid:
        held = deletion_of(there)
        message = held.message if held else f"{object_name(value)} is there again: somebody keeps making it"
        if course.is_late:
            raise DeploymentError(f"not gone after {course.timeout:g} seconds: {message}")
        yield from course.news(EventKind.WAITING, node, value, message)
        course.pause(poll)
    yield course.event(EventKind.DELETED, node, value)
