"""The ClusterRoles of a workspace that kro's chart takes in with the mode `aggregation`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kro_ls.analysis.needed_permissions import is_aggregated, permissions_of, roles_in
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.rules.files.missing_permission import GrantingRole
from kro_ls.workspace.text_files import LARGEST, TextFiles
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.stretches import holds
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator


class RoleFiles(TextFiles, frozen=True, dict=True):
    """The texts, by path, that may hold such ClusterRoles."""

    @cached_property
    def roles(self) -> tuple[GrantingRole, ...]:
        """The roles, by path."""
        return tuple(role for path in sorted(self.texts) for role in _read(path, self.texts[path]))


NO_ROLE_FILES = RoleFiles({})


def may_hold_roles(content: bytes) -> bool:
    """Whether a text in UTF-8 is worth reading for such roles; what Helm has yet to render says nothing for sure."""
    return len(content) <= LARGEST and holds(content, AGGREGATION_LABEL.encode()) and not holds(content, b"{{")


def _read(path: str, text: str) -> Iterator[GrantingRole]:
    for document in parse_stream(Text(text)).documents:
        try:
            value = document.to_python()
        except ExcessiveAliasingError:
            continue
        for role in filter(is_aggregated, roles_in(value)):
            name = as_text(as_object(role.get("metadata")).get("name"))
            yield GrantingRole(name, path, tuple(permissions_of(role.get("rules"))))
