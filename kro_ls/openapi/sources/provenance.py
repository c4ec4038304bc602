"""Where definitions come from: what the annotations of a collected one say, and the projects that kro-ls knows."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kro_ls.openapi.json_values import as_object, as_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject


_PREFIX = "kro-ls/"


class Provenance(Struct, frozen=True):
    """The title of a source (`AWS Controllers for Kubernetes`), its version, and the date of that or of its copy.

    Any may be empty. `location` is where the definition was read, such as a URL, and `digest` that of the content
    there, such as `sha256:0a1b...`, if it came over a network.
    """

    source: str = ""
    version: str = ""
    date: str = ""
    location: str = ""
    digest: str = ""

    def __str__(self) -> str:
        named = " ".join(part for part in (self.source, self.version) if part)
        return ", ".join(part for part in (named, self.date[:7]) if part) or "unknown origin"

    def over(self, other: Provenance) -> Provenance:
        """Return this one, completed from another."""
        return Provenance(*(getattr(self, name) or getattr(other, name) for name in self.__struct_fields__))

    @property
    def annotations(self) -> JsonObject:
        """Return the annotations of a definition that express it."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return {f"{_PREFIX}{name}": value for name, value in values.items() if value}


UNKNOWN = Provenance()


def provenance_of(definition: JsonObject) -> Provenance:
    """Return the provenance in the annotations of a definition, which may be empty."""
    annotations = as_object(as_object(definition.get("metadata")).get("annotations"))
    return Provenance(*(as_text(annotations.get(f"{_PREFIX}{name}")) for name in Provenance.__struct_fields__))


_DATA = Path(__file__).with_name("projects.json")


class Project(Struct, frozen=True):
    """A project: its name for commands, its title for people, and patterns of the groups that its kinds are in."""

    name: str
    title: str
    groups: tuple[str, ...]


@lru_cache(maxsize=1)  # a file of the package
def projects() -> tuple[Project, ...]:
    """Return all known projects."""
    return msgspec.json.decode(_DATA.read_bytes(), type=tuple[Project, ...])


def title_of(group: str) -> str:
    """Return the title of the project that has a group, empty where no known project has it."""
    found = (each.title for each in projects() if any(fnmatchcase(group, pattern) for pattern in each.groups))
    return next(found, "")


def title_of_project(name: str) -> str:
    """Return the title of the project with a name; the name itself for an unknown one."""
    return next((each.title for each in projects() if each.name == name), name)
