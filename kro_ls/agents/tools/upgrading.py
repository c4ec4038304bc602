"""The tool `upgrade`."""

from __future__ import annotations

from difflib import unified_diff
from typing import Annotated

from msgspec.structs import replace
from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace, version_named
from kro_ls.agents.answers import UpgradeAnswer, UpgradeStep, problems_of
from kro_ls.agents.arguments import (
    MOST_CHARACTERS,
    PathArgument,
    TextArgument,
    UnusableArgumentsError,
    WriteArgument,
    first,
    short,
)
from kro_ls.kro.versions.version import NEWEST
from kro_ls.repairs.upgrade import upgrade as upgraded

Target = Annotated[str, Field(description="The version of kro to upgrade to, such as 0.9.4; the newest by default.")]
Source = Annotated[
    str, Field(description="The version that the definition was written for; by default the newest that accepts it.")
]


def upgrade(
    workspace: AgentWorkspace,
    path: PathArgument = "",
    text: TextArgument = "",
    to_version: Target = "",
    from_version: Source = "",
    write: WriteArgument = False,
) -> UpgradeAnswer:
    """Rewrite a definition so that a version of kro accepts it; older forms, also those of TypeKro, get new ones.

    Only changes that keep the meaning are made; what has to be decided is in `left`, with the choices as fixes.
    """
    if write:
        workspace.require_write()
        if text or not path:
            raise UnusableArgumentsError("write needs the path of a file, and no text")
    given = workspace.given(path, text)
    version = version_named(to_version) if to_version else NEWEST
    document = workspace.document(given)
    document = replace(document, settings=replace(document.settings, version=version))
    found = upgraded(document, version_named(from_version) if from_version else None)
    if not found.document.analysis.rgds:
        raise UnusableArgumentsError(f"there is no ResourceGraphDefinition in {given.shown}")
    previous, new = given.text.content, found.text.content
    is_changed = previous != new
    if write and is_changed:
        workspace.rewrite(given, new)
    left, more = problems_of(found.document, found.refused or found.left, given.shown)
    steps, more_steps = first([UpgradeStep(short(each.title), short(each.message)) for each in found.steps])
    is_long = len(new) > MOST_CHARACTERS
    lines = unified_diff(previous.splitlines(), new.splitlines(), "before", "after", lineterm="", n=1)
    return UpgradeAnswer(
        str(version),
        str(found.source or ""),
        steps,
        left,
        new if is_changed and not is_long else "",
        "\n".join(lines)[:MOST_CHARACTERS] if is_changed and is_long else "",
        write and is_changed,
        more + more_steps,
    )
