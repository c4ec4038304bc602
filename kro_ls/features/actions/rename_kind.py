"""Renames the kind that an RGD declares, with all that names it in the workspace, or tells why that would break it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.analysis import default_schemas
from kro_ls.cursor.fields.declared import declared_kind
from kro_ls.features.actions.accepted_renaming import RenameError, check_renamed
from kro_ls.features.convert import to_range
from kro_ls.golang.plural import plural
from kro_ls.kro.identifiers import is_kind
from kro_ls.yaml_positions.writing import Replacement, can_be_plain, edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.kind_uses import NamedKind
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.positions import Span


def rename_kind(kind: NamedKind, new_name: str, others: AllDocuments) -> types.WorkspaceEdit:
    """Return the edits that rename a kind. Raises RenameError where kro would then refuse what it accepts now."""
    _check(kind, new_name)
    found: dict[Document, list[Span]] = {}
    for document, each in kind.everywhere(others):
        found.setdefault(document, []).append(each.span)
    renamed = {
        document: edited(document.text.content, tuple(Replacement(span, new_name) for span in spans))
        for document, spans in found.items()
        if document.analysis.rgds
    }
    check_renamed(renamed, new_name, others)
    return types.WorkspaceEdit(
        changes={
            document.uri: [types.TextEdit(to_range(document, span), new_name) for span in spans]
            for document, spans in found.items()
        }
    )


def _check(kind: NamedKind, new_name: str) -> None:
    if not is_kind(new_name):
        raise RenameError(f"'{new_name}' is not a valid kind: it must be upper camel case, such as 'WebApp'.")
    if not can_be_plain(new_name, in_flow=True):
        raise RenameError(f"YAML reads '{new_name}' as something else than a name.")
    for other in _others_of_group(kind):
        if other.kind == new_name:
            raise RenameError(f"The kind '{new_name}' exists already in the group '{other.group}'.")
        if plural(other.kind) == plural(new_name):
            raise RenameError(f"The kind '{other.kind}' has the same plural as '{new_name}': '{plural(new_name)}'.")


def _others_of_group(kind: NamedKind) -> Iterator[GroupVersionKind]:
    known = (kind.declaring.schemas or default_schemas()).kinds()
    own = (declared_kind(rgd) for rgd in kind.declaring.analysis.rgds)
    for other in (*known, *own):
        if other and other.group == kind.name.group and other.kind != kind.name.kind:
            yield other
