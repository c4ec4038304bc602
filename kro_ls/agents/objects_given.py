"""The objects in a text that a tool is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.agents.unusable import UnusableArgumentsError
from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS, Broken, manifests_in

if TYPE_CHECKING:
    from kro_ls.agents.agent_workspace import GivenText
    from kro_ls.openapi.json_values import JsonObject


def objects_in(given: GivenText) -> list[JsonObject]:
    """Return the objects of manifests. Raises UnusableArgumentsError for broken YAML, with the place."""
    found: list[JsonObject] = []
    for each in manifests_in(given.text):
        if isinstance(each, Broken):
            if given.text.contains("{{"):
                raise UnusableArgumentsError(f"{given.shown} is a template: let Helm render it first (helm template)")
            place = given.text.position(each.span.start)
            where = f"{given.shown}:{place.line + 1}:{place.column + 1}"
            raise UnusableArgumentsError(f"{where}: YAML cannot read this: {each.message}")
        if each.name[0] not in LOCAL_GROUPS:
            found.append(each.value)
    return found
