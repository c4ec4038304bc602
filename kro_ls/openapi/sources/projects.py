"""The projects whose definitions kro-ls knows by name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

_DATA = Path(__file__).with_name("projects.json")


class Project(Struct, frozen=True):
    """A project: its name for commands, its title for people, and patterns of the groups that its kinds are in."""

    name: str
    title: str
    groups: tuple[str, ...]


@lru_cache(maxsize=1)
def projects() -> tuple[Project, ...]:
    """Return all of them."""
    return msgspec.json.decode(_DATA.read_bytes(), type=tuple[Project, ...])


def title_of(group: str) -> str:
    """Return the title of the project that a group belongs to; empty for a group that no known project has."""
    found = (each.title for each in projects() if any(fnmatchcase(group, pattern) for pattern in each.groups))
    return next(found, "")


def title_of_project(name: str) -> str:
    """Return the title of the project with a name; the name itself for one that is not known."""
    return next((each.title for each in projects() if each.name == name), name)
